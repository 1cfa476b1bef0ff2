import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { isBrowserAccess } from '../../src/http/access/access.ts'
import { bodyBytesMaxDefault, bodyMembersMaxDefault } from '../../src/http/body.ts'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { pathParamNames, type Route } from '../../src/http/route.ts'
import { newId } from '../../src/kernel/ids.ts'
import { anyCharacter } from '../harness/any-character.ts'
import { type TestApp, type TestUser, testApp } from '../harness/app.ts'
import { botCalls } from '../harness/bots.ts'
import { testClock } from '../harness/clock.ts'
import { signIn } from '../harness/console.ts'
import { fakeGoogle, googleClientId } from '../harness/google.ts'
import { hostileParams, hostileTexts, hostileValues, undecodableParams } from '../harness/hostile-values.ts'
import { enrolledNode, enrollmentToken } from '../harness/node.ts'
import { vpnCalls } from '../harness/vpn.ts'

let app: TestApp
let user: TestUser
let credentials: (route: Route) => Record<string, string>

before(async () => {
  const clock = testClock()
  const { jwksUrl } = await fakeGoogle(clock)
  app = await testApp({ clock, google: { clientIds: [googleClientId], jwksUrl } })
  user = await app.user(await app.apiKey(await app.tenant()))
  await app.promote(user)
  const server = await vpnCalls(app).server()
  const node = await enrolledNode(app, server)
  // Another server: an enrollment that succeeds would end the token of `node`.
  const other = await vpnCalls(app).server()
  const enrolling = { authorization: `Bearer ${await enrollmentToken(app, other.id)}` }
  const browser = await signIn(app)
  const runner = await botCalls(app).runner(user)
  // Its token may be used up by a body that is good after all.
  const otherRunner = await botCalls(app).runner(user)
  credentials = ({ access }) => {
    if (isBrowserAccess(access)) return browser.headers
    if (access.kind === 'runner') return access.isEnrollment ? otherRunner.enrolling : runner.headers
    if (access.kind !== 'node') return { ...app.admin, ...user.headers }
    return access.isEnrollment ? enrolling : node.headers
  }
})

/** Routes that would end the session the test lives on. */
const isSafe = ({ path, method }: Route) =>
  !/logout|auth\/password$/.test(path) && !(method === 'DELETE' && path.endsWith('/me'))
const routesWithBody = () => app.routes.filter((route) => route.body !== undefined && isSafe(route))

function urlOf(route: Route, param: string = newId(new Date())): string {
  return pathParamNames(route.path).reduce((path, name) => path.replace(`:${name}`, param), route.path)
}

async function refuses(
  route: Route,
  call: { url?: string; body?: unknown; headers?: Record<string, string> },
  statuses: number[],
): Promise<void> {
  const reply = await app.call({
    method: route.method,
    url: urlOf(route),
    ...call,
    headers: { ...credentials(route), ...call.headers },
  })
  const sent = typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  const what = `${route.method} ${route.path} ${sent?.slice(0, 120)}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`
  assert.ok(statuses.includes(reply.status), what)
  assert.equal(reply.headers['content-type'], 'application/problem+json; charset=utf-8', what)
  assert.equal(reply.body.type, `/docs/errors#${reply.body.code}`)
  assert.equal(reply.body.status, reply.status)
  assert.equal(typeof reply.body.detail, 'string', what)
}

describe('malformed input', () => {
  test('a member that a route without a body would not read is refused like any unknown one', async () => {
    const takesNone = ({ body, rawBody, upload, method }: Route) => !body && !rawBody && !upload && method !== 'GET'
    const routes = app.routes.filter((route) => takesNone(route) && isSafe(route))
    assert.ok(routes.length > 20)
    for (const route of routes) await refuses(route, { body: { reason: 'because' } }, [400])
  })

  test('a body that is not JSON is MALFORMED_JSON on every route that takes one', async () => {
    for (const route of routesWithBody()) {
      for (const body of [
        '{',
        '[1,',
        Buffer.from([0x7b, 0xff, 0x7d]),
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"__proto__":{}}',
        '['.repeat(5000),
      ]) {
        await refuses(route, { body }, [400])
      }
    }
  })

  test('a body of the wrong shape is a 400 that names the place', async () => {
    for (const route of routesWithBody()) {
      for (const body of [
        [],
        'null',
        '"text"',
        '5',
        {},
        {
          ...(exampleValue(route.body) as object),
          isAdmin: true,
          tenantId: newId(new Date()),
          role: 'ADMIN',
          status: 'ACTIVE',
          usesCount: 0,
        },
      ]) {
        const reply = await app.call({ method: route.method, url: urlOf(route), headers: credentials(route), body })
        if (route.method === 'PATCH' && JSON.stringify(body) === '{}') continue
        if (reply.status === 404 || reply.status < 300) {
          assert.ok(
            isEmptyAllowed(route, body),
            `${route.method} ${route.path} ${JSON.stringify(body)}: ${reply.status}`,
          )
          continue
        }
        assert.equal(
          reply.status,
          400,
          `${route.method} ${route.path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`,
        )
        assert.ok(reply.body.errors?.[0]?.path.startsWith('/body'), `${route.path}: ${JSON.stringify(reply.body)}`)
      }
    }
  })

  test('another media type is 415 and a body over the limit 413', async () => {
    for (const route of routesWithBody()) {
      await refuses(route, { body: '<a/>', headers: { 'content-type': 'application/xml' } }, [415])
      await refuses(route, { body: `{"a":"${'x'.repeat(route.bodyBytesMax ?? 256 * 1024)}"}` }, [413])
    }
  })

  test('a body of very many members is refused before it is read, on every route that takes one', async () => {
    for (const route of routesWithBody()) {
      const { bodyMembersMax = bodyMembersMaxDefault } = route
      const body = `[${'0,'.repeat(bodyMembersMax)}0]`
      if (body.length > (route.bodyBytesMax ?? bodyBytesMaxDefault)) continue
      const { status, body: problem } = await app.call({
        method: route.method,
        url: urlOf(route),
        headers: { ...credentials(route), 'idempotency-key': 'many' },
        body,
      })
      assert.deepEqual([status, problem.code], [400, 'BODY_TOO_MANY_MEMBERS'], `${route.method} ${route.path}`)
    }
  })

  test('a body that its schema allows has no more members than the route reads', () => {
    for (const route of routesWithBody()) {
      const { bodyMembersMax = bodyMembersMaxDefault, bodyBytesMax = bodyBytesMaxDefault } = route
      const allowed = membersMaxOf(route.body as Schema)
      // A value takes at least ten bytes with its name.
      if (Number.isFinite(allowed) && allowed * 10 < bodyBytesMax)
        assert.ok(allowed <= bodyMembersMax, `${route.method} ${route.path}: ${allowed}`)
    }
  })

  test('an id that is no id is the same 404 as an unknown one, also when it is hostile', async () => {
    // What a PUT names need not be there: it makes it.
    const isMaking = ({ method, path }: Route) => method === 'PUT' && path.endsWith('/by-key/:key')
    // Whoever delivers to a name that is none is told what a wrong signature is told.
    const isReceiving = ({ path }: Route) => path.endsWith('/:connection')
    // The script of the console's page says that there is no such screen.
    const isScreen = ({ path }: Route) => path === '/console/:screen'
    const named = app.routes.filter(
      (route) =>
        route.path.includes(':') && isSafe(route) && !isMaking(route) && !isReceiving(route) && !isScreen(route),
    )
    for (const route of named) {
      for (const param of [
        'x',
        '1',
        '%00',
        'null',
        '..%2f..%2fetc',
        "'%20or%201=1--",
        '%F0%9F%98%80',
        'a'.repeat(400),
        '__proto__',
      ]) {
        const body = route.body === undefined ? undefined : exampleValue(route.body)
        await refuses(route, { url: urlOf(route, param), ...(body === undefined ? {} : { body }) }, [404])
      }
    }
  })

  test('a URL that cannot be decoded is a 400 with all the headers of any other answer', async () => {
    const reply = await app.call({ url: '/products/%E0%A4%A' })
    assert.equal(reply.status, 400)
    for (const name of ['x-request-id', 'x-content-type-options', 'content-security-policy', 'referrer-policy'])
      assert.ok(reply.headers[name], name)
  })

  test('every list refuses a page or limit outside its range', async () => {
    for (const route of app.routes.filter((candidate) =>
      Object.hasOwn((candidate.query as { properties?: object } | undefined)?.properties ?? {}, 'page'),
    )) {
      const missing = urlOf(route)
      for (const query of [
        'page=0',
        'limit=0',
        'limit=101',
        'page=x',
        'page=1&page=2',
        'limit=1e2',
        'page=-1',
        'page=999999999999999999999',
      ]) {
        const reply = await app.call({ url: `${missing}?${query}`, headers: credentials(route) })
        if (route.path.includes(':') && reply.status === 404) continue
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_PAGINATION'], `${route.path}?${query}`)
      }
    }
  })

  test('no value anywhere in a body makes a 5xx', async () => {
    const hostile = fc.oneof(
      fc.constantFrom<unknown>(...hostileTexts, ...hostileValues),
      fc.string({ unit: anyCharacter, maxLength: 40 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
    )
    const routes = routesWithBody()
    await fc.assert(
      fc.asyncProperty(fc.nat(routes.length - 1), fc.nat(20), hostile, async (index, member, value) => {
        const route = routes[index] as Route
        const example = exampleValue(route.body) as Record<string, unknown>
        const names = Object.keys(example)
        const name = names[member % names.length] ?? 'a'
        const reply = await app.call({
          method: route.method,
          url: urlOf(route),
          headers: credentials(route),
          body: { ...example, [name]: value },
        })
        assert.ok(
          reply.status < 500,
          `${route.method} ${route.path} ${name}=${JSON.stringify(value)}: ${JSON.stringify(reply.body)}`,
        )
      }),
      { numRuns: 400 },
    )
  })

  test('a query parameter that is no text is a 400 that names it, on every route and also in a list', async () => {
    const asked = app.routes.filter((route) => route.query !== undefined && !route.socket && isSafe(route))
    assert.ok(asked.length > 40)
    for (const route of asked) {
      const names = Object.keys((route.query as { properties: object }).properties)
      for (const [index, name] of names.entries()) {
        const values = index === 0 ? undecodableParams : undecodableParams.slice(0, 3)
        for (const value of [...values, `a&${name}=%FF`]) {
          const url = `${urlOf(route)}?${name}=${value}`
          const { status, body } = await app.call({ method: route.method, url, headers: credentials(route) })
          const fault = body.errors?.find(({ path }: { path: string }) => path === `/query/${name}`)
          assert.deepEqual([status, fault?.code], [400, 'encoding'], `${route.method} ${url}: ${JSON.stringify(body)}`)
        }
      }
    }
  })

  test('the name of a query parameter that is no text is unknown', async () => {
    for (const name of ['%00', 'q%00', '%FF', '%']) {
      const strict = await app.call({ url: `/assistant/v1/meetings?${name}=1`, headers: user.headers })
      assert.deepEqual([strict.status, strict.body.errors?.[0].code], [400, 'unknown'], name)
      assert.equal((await app.call({ url: `/products?${name}=1` })).status, 200, 'a public page ignores it')
      assert.equal((await app.call({ url: `/products?other=${name}` })).status, 200, 'a public page ignores it')
    }
  })

  test('no query parameter makes a 5xx', async () => {
    for (const route of app.routes.filter((candidate) => candidate.query !== undefined)) {
      for (const name of Object.keys((route.query as { properties: object }).properties)) {
        for (const value of hostileParams) {
          const reply = await app.call({
            method: route.method,
            url: `${urlOf(route)}?${name}=${value}`,
            headers: credentials(route),
          })
          assert.ok(reply.status < 500, `${route.path}?${name}=${value}`)
        }
      }
    }
  })
})

type Schema = { properties?: Record<string, Schema>; items?: Schema; maxItems?: number; anyOf?: Schema[] }

/** How many members and elements a valid value can have. */
function membersMaxOf({ properties, items, maxItems = Number.POSITIVE_INFINITY, anyOf = [] }: Schema): number {
  const ofMembers = Object.values(properties ?? {}).map((member) => 1 + membersMaxOf(member))
  const ofElements = items === undefined ? 0 : maxItems * (1 + membersMaxOf(items))
  return Math.max(ofMembers.reduce((sum, count) => sum + count, 0) + ofElements, ...anyOf.map(membersMaxOf))
}

function isEmptyAllowed(route: Route, body: unknown): boolean {
  const { required = [] } = route.body as { required?: string[] }
  return JSON.stringify(body) === '{}' && required.length === 0
}
