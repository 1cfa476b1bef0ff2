import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isBrowserAccess } from '../../src/http/access/access.ts'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import type { Route } from '../../src/http/route.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type Reply, type TestApp, testApp } from '../harness/app.ts'
import { ownPage, signIn } from '../harness/console.ts'
import { freshDatabase } from '../harness/database.ts'

let app: TestApp
/** Cookies of a VIEWER, so that nothing is changed by asking every operation. */
let alive: string
let ended: string
let expired: string

before(async () => {
  // Of its own: the housekeeping of tests that live in the future would end the sessions.
  app = await testApp({ database: await freshDatabase() })
  const { body } = await app.call({
    method: 'POST',
    url: '/v1/platform/admin/keys',
    headers: app.admin,
    body: { name: 'a viewer', role: 'VIEWER' },
  })
  const byKey = { adminKey: body.adminKey.key }
  expired = (await signIn(app, byKey)).cookie
  app.clock.advance({ seconds: 12 * 3600 })
  const signedOut = await signIn(app, byKey)
  await signedOut.call({ method: 'DELETE', url: '/console/session' })
  ended = signedOut.cookie
  alive = (await signIn(app, byKey)).cookie
})

type Headers = Record<string, string>
type Outcome = [status: number, code: string]

const isRead = ({ method }: Route) => method === 'GET'
const signedIn: Outcome = [401, 'SESSION_INVALID']
const foreign: Outcome = [403, 'ORIGIN_NOT_ALLOWED']
const invalid: Outcome = [400, 'VALIDATION_ERROR']
const { 'x-atrium-door': _, ...pageWithoutHeader } = ownPage
const { 'sec-fetch-site': __, ...pageWithoutSite } = ownPage

/** What is wrong with a request that has the cookie of a live session, or another one, and how it is refused. */
const wrong: [what: string, headers: () => Headers, refused: Outcome, concerns?: (route: Route) => boolean][] = [
  ['no cookie', () => ownPage, signedIn],
  ['an ended session', () => ({ ...ownPage, cookie: ended }), signedIn],
  ['an expired session', () => ({ ...ownPage, cookie: expired }), signedIn],
  ['an invented cookie', () => ({ ...ownPage, cookie: `${alive}x` }), signedIn],
  ['the cookie under the name that it has over TLS', () => ({ ...ownPage, cookie: `__Host-${alive}` }), signedIn],
  ['the portal’s cookie', () => ({ ...ownPage, cookie: alive.replace('console', 'portal') }), signedIn],
  ...['cross-site', 'same-site', 'none'].map((site): (typeof wrong)[number] => [
    `a request that is ${site}`,
    () => ({ ...ownPage, cookie: alive, 'sec-fetch-site': site }),
    foreign,
  ]),
  ['nothing that says who asks', () => ({ cookie: alive }), foreign],
  ['no word where it comes from', () => ({ ...pageWithoutSite, cookie: alive }), foreign, (route) => !isRead(route)],
  ...['http://evil.example', 'null', 'https://localhost', 'http://localhost:81', 'http://localhost.evil.example'].map(
    (origin): (typeof wrong)[number] => [
      `the origin ${origin}`,
      () => ({ ...ownPage, cookie: alive, origin }),
      foreign,
    ],
  ),
  [
    'a form of our own page',
    () => ({ ...pageWithoutHeader, cookie: alive, 'content-type': 'application/x-www-form-urlencoded' }),
    invalid,
    (route) => !isRead(route),
  ],
  ...['x-admin-key', 'x-api-key', 'authorization'].map((name): (typeof wrong)[number] => [
    `the header ${name}`,
    () => ({ ...ownPage, cookie: alive, [name]: app.admin['x-admin-key'] ?? '' }),
    invalid,
  ]),
]

const url = ({ path }: Route) => path.replace(/:\w+/g, () => newId(new Date()))
const ask = (route: Route, headers: Headers): Promise<Reply> => {
  const body = route.body === undefined ? {} : { body: exampleValue(route.body) }
  return app.call({ method: route.method, url: url(route), headers, ...body })
}
const corsHeaders = ({ headers }: Reply) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

/** Everything that a cookie opens. */
const doorRoutes = () => [
  ...app.app.doorRoutes,
  ...app.routes.filter(({ access }) => access.kind === 'browser' && access.isSignedIn),
]

describe('the door of the console', () => {
  test('serves every operation of administrators, and no other', () => {
    const expected = app.routes
      .filter(({ access, aliasOf }) => access.kind === 'admin' && aliasOf === undefined)
      .map(({ method, path }) => `${method} /console/api${path}`)
    assert.deepEqual(
      app.app.doorRoutes.map(({ method, path }) => `${method} ${path}`),
      expected,
    )
  })

  for (const [what, headers, refused, concerns = () => true] of wrong) {
    test(`refuses every operation with ${what}`, async () => {
      for (const route of doorRoutes().filter(concerns)) {
        const reply = await ask(route, headers())
        const place = `${route.method} ${route.path}`
        assert.deepEqual([reply.status, reply.body.code], refused, place)
        assert.deepEqual(corsHeaders(reply), [], place)
      }
    })
  }

  test('admits a page of our own with the cookie of a live session, as far as its role goes', async () => {
    for (const route of app.app.doorRoutes) {
      const reply = await ask(route, { ...ownPage, cookie: alive })
      const place = `${route.method} ${route.path}: ${JSON.stringify(reply.body).slice(0, 200)}`
      assert.ok(route.access.kind === 'browserAdmin')
      if (route.access.role === 'VIEWER') assert.ok(reply.status !== 401 && reply.status !== 403, place)
      else assert.equal(reply.body.code, 'INSUFFICIENT_ROLE', place)
      assert.deepEqual(corsHeaders(reply), [], place)
    }
  })

  test('reads over plain HTTP for a script of our own page, which sends the header', async () => {
    for (const route of app.app.doorRoutes.filter(({ method, access }) => method === 'GET' && isOfViewers(access))) {
      const reply = await ask(route, { ...pageWithoutSite, cookie: alive })
      assert.ok(reply.status !== 401 && reply.status !== 403, route.path)
    }
  })

  test('takes no HEAD, and says so', async () => {
    const reply = await app.call({
      method: 'HEAD',
      url: '/console/api/admin/tenants',
      headers: { ...ownPage, cookie: alive },
    })
    assert.deepEqual([reply.status, reply.headers['allow']], [405, 'GET, POST'])
  })

  test('answers no preflight', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
    const paths = [...doorRoutes().map(url), '/console/session', '/console/api/nothing', '/console/%61pi/admin/tenants']
    for (const path of paths) {
      const reply = await app.call({ method: 'OPTIONS', url: path, headers })
      assert.ok([404, 405].includes(reply.status), path)
      assert.deepEqual(corsHeaders(reply), [], path)
    }
  })

  test('refuses to sign in whoever is no page of our own', async () => {
    const body = { adminKey: app.admin['x-admin-key'] }
    for (const [what, headers, refused] of wrong.filter((each) => each[2] !== signedIn)) {
      const reply = await app.call({ method: 'POST', url: '/console/session', headers: headers(), body })
      assert.deepEqual([reply.status, reply.body.code], refused, what)
      assert.equal(reply.headers['set-cookie'], undefined, what)
    }
  })

  test('knows no path that is not an operation', async () => {
    for (const path of ['/console/api', '/console/api/nothing', '/console/api/health', '/console/session/nothing']) {
      const reply = await app.call({ url: path, headers: { ...ownPage, cookie: alive, accept: 'text/html' } })
      assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'], path)
      assert.deepEqual(corsHeaders(reply), [], path)
    }
  })
})

const isOfViewers = (access: Route['access']) => access.kind === 'browserAdmin' && access.role === 'VIEWER'

// A page asks for its files at once where somebody may be signed in.
const isConsolePage = ({ path }: Route) => path === '/console' || path === '/console/:screen'

async function answerWith(route: Route, headers: Headers) {
  const sent = { 'x-request-id': '01234567-89ab-7cde-8f01-23456789abcd', ...headers }
  return comparable(await app.call({ method: route.method, url: url(route), headers: sent }))
}

test("at the API's own paths a cookie changes no byte", async () => {
  for (const route of app.routes.filter((it) => !isBrowserAccess(it.access) && !isConsolePage(it))) {
    const withCookie = await answerWith(route, { ...ownPage, cookie: `${alive}; __Host-${alive}` })
    assert.deepEqual(withCookie, await answerWith(route, {}), `${route.method} ${route.path}`)
  }
})

test('a page of the console tells nobody whether a session is alive, and no cookie changes its policy', async () => {
  for (const route of app.routes.filter(isConsolePage)) {
    const withCookie = await answerWith(route, { cookie: alive })
    assert.deepEqual(withCookie, await answerWith(route, { cookie: 'atrium-console=no-session' }), route.path)
    assert.deepEqual(withCookie.headers, (await answerWith(route, {})).headers, route.path)
  }
})

/** An answer without what counts requests or tells the time; the length follows from the bytes. */
function comparable({ status, headers, bytes }: Reply) {
  const steady = Object.entries(headers).filter(([name]) => !/ratelimit|^date$|^content-length$/.test(name))
  return {
    status,
    headers: steady,
    text: bytes.toString('latin1').replace(/"(?:latencyMs|uptimeSeconds)":[\d.]+/g, ''),
  }
}

test('a page that is left open spends nothing of what scripts with the same key may do', async () => {
  const limits = { requestsMax: 5, authFailuresMax: 100, windowSeconds: 900 }
  const limited = await testApp({ rateLimits: limits, clock: app.clock })
  const { call } = await signIn(limited)
  const statuses: number[] = []
  for (let asked = 0; asked < 6; asked++)
    statuses.push((await call({ url: '/console/api/admin/tenants?limit=1' })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  assert.equal((await call({ url: '/console/session' })).body.limit.counted, 'BROWSER_SESSION')
  assert.equal((await limited.call({ url: '/admin/tenants?limit=1', headers: limited.admin })).status, 200)
})

test('a `Location` at the door leads to the door', async () => {
  const { call } = await signIn(app)
  const slug = `door-${newId(new Date()).slice(-12)}`
  const body = { name: 'Example Ltd', slug, contactEmail: `ops@${slug}.example.com` }
  const { status, headers } = await call({ method: 'POST', url: '/console/api/admin/tenants', body })
  assert.equal(status, 201)
  assert.match(headers['location'] ?? '', /^\/console\/api\/admin\/tenants\//)
  assert.equal((await call({ url: headers['location'] ?? '' })).status, 200)
})

test('a member that only OWNERs may read is hidden from others at the door, too', async () => {
  const license = await app.license(await app.tenant())
  const read = await app.call({
    url: `/console/api/vault/v1/licenses/${license.key}`,
    headers: { ...ownPage, cookie: alive },
  })
  assert.ok(!JSON.stringify(read.body).includes(license.key), JSON.stringify(read.body))
})
