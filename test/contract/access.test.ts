import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isBrowserAccess } from '../../src/http/access/access.ts'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { pathParamNames, type Route } from '../../src/http/route.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type Call, type Reply, type TestApp, type TestKey, type TestUser, testApp } from '../harness/app.ts'
import { openRoutes } from './open-routes.ts'

type World = { key: TestKey; user: TestUser; ids: Record<string, string> }

let app: TestApp
let ours: World
let theirs: World

before(async () => {
  app = await testApp()
  ours = await world()
  theirs = await world()
})

/** A tenant with one of everything that a route can name. */
async function world(): Promise<World> {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const user = await app.user(key)
  const device = await app.device(user)
  const license = await app.license(tenant)
  const { body } = await app.call({
    method: 'POST',
    url: '/vault/v1/vpn/connect',
    headers: user.headers,
    body: { deviceId: device.id },
  })
  const meeting = await app.call({
    method: 'POST',
    url: '/assistant/v1/meetings',
    headers: user.headers,
    body: { title: 'Planning' },
  })
  const ids = {
    meetingId: meeting.body.id,
    tenantId: tenant.id,
    keyId: key.id,
    userId: user.id,
    deviceId: device.id,
    sessionId: body.session.id,
    key: license.key,
    id: body.session.id,
  }
  return { key, user, ids }
}

/** Those for callers with a header; `console-door.test.ts` tries the others. */
const protectedRoutes = () => app.routes.filter(({ access }) => access.kind !== 'open' && !isBrowserAccess(access))

/** A request that would do something if it were allowed. */
function requestTo(route: Route, ids: Record<string, string>): Call {
  const url = pathParamNames(route.path).reduce(
    (path, name) => path.replace(`:${name}`, encodeURIComponent(ids[name] ?? newId(new Date()))),
    route.path,
  )
  const body =
    route.body === undefined ? undefined : { ...(exampleValue(route.body) as object), ...pickIds(route, ids) }
  return { method: route.method, url, ...(body === undefined ? {} : { body }) }
}

function pickIds(route: Route, ids: Record<string, string>): Record<string, string> {
  const named = Object.keys((route.body as { properties?: object } | undefined)?.properties ?? {}).filter(
    (name) => ids[name] !== undefined,
  )
  // A body that takes one of several names takes one.
  return Object.fromEntries(named.slice(0, 1).map((name) => [name, ids[name] as string]))
}

const nobody: [what: string, headers: Record<string, string>][] = [
  ['no credential', {}],
  [
    'made-up credentials',
    { 'x-admin-key': 'x'.repeat(40), 'x-api-key': `atr_${'a'.repeat(36)}`, authorization: 'Bearer a.b.c' },
  ],
  ['empty credentials', { 'x-admin-key': '', 'x-api-key': '', authorization: '' }],
  [
    'oversized credentials',
    { 'x-admin-key': 'x'.repeat(8000), 'x-api-key': 'x'.repeat(8000), authorization: `Bearer ${'x'.repeat(8000)}` },
  ],
  ['words of the language', { 'x-admin-key': '__proto__', 'x-api-key': 'constructor', authorization: 'Bearer null' }],
  ['another scheme', { authorization: 'Basic YWRtaW46YWRtaW4=' }],
]

describe('who may call a route', () => {
  test('the routes that are open to anybody are the listed ones', () => {
    const open = app.routes
      .filter(({ access }) => access.kind === 'open')
      .map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(open.sort(), [...openRoutes].sort())
  })

  for (const [what, headers] of nobody) {
    test(`every protected route refuses ${what} with 401`, async () => {
      for (const route of protectedRoutes()) {
        if (route.access.kind === 'tenantKey' && route.access.isOptional && !headers['x-api-key']) continue
        const reply = await app.call({ ...requestTo(route, ours.ids), headers })
        assert.equal(reply.status, 401, `${route.method} ${route.path}: ${JSON.stringify(reply.body)}`)
        assert.ok(reply.headers['www-authenticate'], route.path)
        assert.equal(reply.body.requestId, reply.headers['x-request-id'])
      }
    })
  }

  test('a credential of another kind opens nothing', async () => {
    const kinds = {
      admin: { 'x-admin-key': ours.key.key, ...ours.user.headers },
      tenantKey: {
        'x-api-key': app.admin['x-admin-key'] ?? '',
        ...app.admin,
        authorization: `Bearer ${ours.user.accessToken}`,
      },
      endUser: { ...app.admin, 'x-api-key': ours.key.key, authorization: `Bearer ${ours.user.refreshToken}` },
      node: { ...app.admin, ...ours.user.headers },
      runner: { ...app.admin, ...ours.user.headers },
    }
    for (const route of protectedRoutes()) {
      const headers = kinds[route.access.kind as keyof typeof kinds]
      const reply = await app.call({ ...requestTo(route, ours.ids), headers })
      assert.equal(reply.status, 401, `${route.method} ${route.path}: ${JSON.stringify(reply.body)}`)
    }
  })

  test('a token with the API key of another tenant is not valid', async () => {
    for (const route of protectedRoutes().filter(({ access }) => access.kind === 'endUser')) {
      const headers = { 'x-api-key': theirs.key.key, authorization: `Bearer ${ours.user.accessToken}` }
      const reply = await app.call({ ...requestTo(route, ours.ids), headers })
      assert.deepEqual([reply.status, reply.body.code], [401, 'TOKEN_INVALID'], `${route.method} ${route.path}`)
    }
  })

  test("what is for a tenant's administrators is refused to its users", async () => {
    for (const route of protectedRoutes().filter(
      ({ access }) => access.kind === 'endUser' && access.role === 'ADMIN',
    )) {
      const reply = await app.call({ ...requestTo(route, ours.ids), headers: ours.user.headers })
      assert.deepEqual([reply.status, reply.body.code], [403, 'INSUFFICIENT_ROLE'], `${route.method} ${route.path}`)
    }
  })

  test("another tenant's ids answer with the bytes of ids that never existed", async () => {
    const nowhere = Object.fromEntries(
      Object.keys(ours.ids).map((name) => [
        name,
        name === 'key' ? 'ATR-00000-00000-00000-00000-00000' : newId(new Date()),
      ]),
    )
    for (const route of protectedRoutes().filter(
      (candidate) => candidate.access.kind !== 'admin' && namesSomething(candidate),
    )) {
      const foreign = await app.call({ ...requestTo(route, ours.ids), headers: theirs.user.headers })
      const unknown = await app.call({ ...requestTo(route, nowhere), headers: theirs.user.headers })
      assert.ok(
        foreign.status >= 400 || foreign.body.valid === false,
        `${route.method} ${route.path} answered ${foreign.status}`,
      )
      assert.deepEqual(comparable(foreign), comparable(unknown), `${route.method} ${route.path}`)
    }
  })

  test('a suspended tenant is refused on every route of its own, and only while it is suspended', async () => {
    const { user, ids } = await world()
    const routes = protectedRoutes().filter(
      ({ access, method }) => (access.kind === 'tenantKey' || access.kind === 'endUser') && method === 'GET',
    )
    const suspend = (status: string) =>
      app.call({ method: 'PATCH', url: `/admin/tenants/${ids['tenantId']}`, headers: app.admin, body: { status } })
    assert.equal((await suspend('SUSPENDED')).status, 200)
    for (const route of routes) {
      const reply = await app.call({ ...requestTo(route, ids), headers: user.headers })
      assert.deepEqual([reply.status, reply.body.code], [403, 'TENANT_SUSPENDED'], route.path)
    }
    assert.equal((await suspend('ACTIVE')).status, 200)
    const reply = await app.call({ url: '/vault/v1/auth/me', headers: user.headers })
    assert.equal(reply.status, 200)
  })

  test('an API key without the product of a route is refused there', async () => {
    const other = await app.apiKey({ id: ours.key.tenantId }, { products: ['editing-sdk'] })
    const headers = { ...ours.user.headers, 'x-api-key': other.key }
    for (const route of protectedRoutes()) {
      if (!('product' in route.access) || route.access.product === null) continue
      const reply = await app.call({ ...requestTo(route, ours.ids), headers })
      assert.deepEqual([reply.status, reply.body.code], [403, 'PRODUCT_NOT_ALLOWED'], `${route.method} ${route.path}`)
    }
  })

  test('a user of a tenant without the product of a route is refused there, with an API key and without one', async () => {
    const { user, ids } = await world()
    const choose = (products: string[] | null) =>
      app.call({ method: 'PATCH', url: `/admin/tenants/${ids['tenantId']}`, headers: app.admin, body: { products } })
    assert.equal((await choose(['editing-sdk'])).status, 200)
    const { authorization = '' } = user.headers
    const routes = protectedRoutes().filter(({ access }) => access.kind === 'endUser' && access.product !== null)
    for (const route of routes) {
      const isKeyRequired = 'isKeyRequired' in route.access && route.access.isKeyRequired
      for (const headers of [user.headers, ...(isKeyRequired ? [] : [{ authorization }])]) {
        const reply = await app.call({ ...requestTo(route, ids), headers })
        assert.deepEqual([reply.status, reply.body.code], [403, 'PRODUCT_NOT_ALLOWED'], `${route.method} ${route.path}`)
      }
    }
    assert.equal((await choose(null)).status, 200)
    const reply = await app.call({ url: '/assistant/v1/meetings', headers: { authorization } })
    assert.equal(reply.status, 200)
  })

  test('a method that a path does not have is 405 with Allow, and a path that does not exist is 404', async () => {
    // `/licenses/validate` can also be read as a license key, `/slots/order` as a slot: another path answers there.
    const isShadowed = (path: string) =>
      app.routes.some((route) => route.path !== path && patternOf(route.path).test(path))
    const paths = new Set(app.routes.map((route) => route.path).filter((path) => !isShadowed(path)))
    for (const path of paths) {
      const methods = app.routes.filter((route) => route.path === path).map(({ method }) => method)
      const absent = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find((method) => !methods.includes(method))
      const reply = await app.call({ method: absent ?? 'TRACE', url: path.replace(/:\w+/g, newId(new Date())) })
      assert.deepEqual([reply.status, reply.body.code], [405, 'METHOD_NOT_ALLOWED'], `${absent} ${path}`)
      for (const method of methods) assert.ok(reply.headers['allow']?.split(', ').includes(method), path)
    }
    assert.equal((await app.call({ url: '/nowhere' })).body.code, 'NOT_FOUND')
  })
})

/** What a path with parameters matches; a parameter is matched by itself alone. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\./g, '\\.').replace(/:\w+/g, (parameter) => `(?:[^/:]+|${parameter})`)}$`)
}

function namesSomething(route: Route): boolean {
  return pathParamNames(route.path).length > 0 || Object.keys(pickIds(route, ours.ids)).length > 0
}

/** An answer without what names the single request. */
function comparable({ status, headers, body }: Reply): unknown {
  const { requestId: _, ...rest } = typeof body === 'object' && body !== null ? body : { requestId: '' }
  const telling = Object.entries(headers).filter(([name]) => !/ratelimit|request-id|^date$|content-length/.test(name))
  return { status, headers: telling, rest }
}
