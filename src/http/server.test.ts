import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { testClock } from '../../test/harness/clock.ts'
import { testDatabase } from '../../test/harness/database.ts'
import { newId } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import { Closed } from '../kernel/schemas.ts'
import { run, sql } from '../storage/query.ts'
import { secretsOf } from '../storage/secrets.ts'
import { type Authenticator, admin, open, tenantKey } from './access.ts'
import { created, noContent, ok } from './answer.ts'
import type { ServerParts } from './parts.ts'
import { memoryRateCounter } from './rate-limit.ts'
import { route } from './route.ts'
import { createServer } from './server.ts'

const tenantId = newId(new Date())

const authenticator: Authenticator = {
  adminKey: async (text) => (text === 'right' ? { id: null, label: 'admin key', role: 'VIEWER' } : null),
  apiKey: async (text) =>
    text.startsWith('key-')
      ? {
          id: text,
          name: text,
          tenantId,
          products: ['vault-vpn'],
          isTenantSuspended: text === 'key-suspended',
          requestsPerWindow: text === 'key-limited' ? 3 : null,
        }
      : null,
  accessToken: async () => null,
  builtInTenant: async () => ({ tenantId, isTenantSuspended: false, requestsPerWindow: null }),
}

let calls = 0
const tag = 'Utility'
const Named = Closed({ name: Type.String({ maxLength: 200, examples: ['a'] }) })

const routes = [
  route({
    method: 'GET',
    path: '/open',
    name: 'open',
    tag,
    summary: 's',
    access: open('test'),
    answers: { 200: Named },
    handle: async () => ok({ name: 'open', secret: 'never' }),
  }),
  route({
    method: 'GET',
    path: '/admin',
    name: 'admin',
    tag,
    summary: 's',
    access: admin('VIEWER'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'DELETE',
    path: '/admin',
    name: 'own',
    tag,
    summary: 's',
    access: admin('OWNER'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/keyed',
    name: 'keyed',
    tag,
    summary: 's',
    access: tenantKey('vault-vpn'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/broken',
    name: 'broken',
    tag,
    summary: 's',
    access: open('test'),
    answers: { 204: null },
    handle: async () => {
      throw new Error('the password is hunter2')
    },
  }),
  route({
    method: 'POST',
    path: '/things',
    name: 'makeThing',
    tag,
    summary: 's',
    access: tenantKey(),
    idempotent: true,
    body: Named,
    answers: { 201: Named },
    refusals: ['STATE_CONFLICT', 'LOGIN_THROTTLED'],
    handle: async ({ scope, body }) => {
      calls++
      await run(
        scope,
        sql`insert into login_failures (tenant_id, email_hash, failures, blocked_until) values (${tenantId}, ${Buffer.from(body.name)}, 1, '2026-01-01')`,
      )
      if (body.name.startsWith('refused')) throw new Refusal('STATE_CONFLICT', { detail: `no ${calls}` })
      if (body.name.startsWith('throttled')) throw new Refusal('LOGIN_THROTTLED', { retryAfterSeconds: 5 })
      return created('/things/1', body)
    },
  }),
]

const clock = testClock()
let parts: ServerParts

before(async () => {
  const { handle } = await testDatabase()
  parts = {
    routes,
    authenticator,
    handle,
    secrets: secretsOf(Buffer.alloc(32, 7)),
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    rateCounter: memoryRateCounter(900),
    rateLimits: { requestsMax: 1000, authFailuresMax: 100, windowSeconds: 900 },
    trustedProxies: [],
  }
  await handle.execute(
    sql`insert into tenants (id, name, slug, contact_email, status, created_at, updated_at) values (${tenantId}, 'floor', ${tenantId}, 'a@example.com', 'ACTIVE', now(), now())`,
  )
})

function serverWith(overrides: Partial<ServerParts> = {}) {
  const server = createServer({ ...parts, rateCounter: memoryRateCounter(900), ...overrides })
  after(() => server.close())
  return server
}

describe('the floor under every route', () => {
  test('a route that was not declared stops the start with its name', async () => {
    const server = serverWith()
    assert.throws(() => server.get('/hidden', async () => 'x'), /GET \/hidden was not declared/)
    assert.throws(
      () => serverWith({ routes: [{ ...routes[0] } as (typeof routes)[0]] as typeof routes }),
      /GET \/open was not declared/,
    )
  })

  test('every answer has the security headers, a request id and the limits, errors too', async () => {
    const server = serverWith()
    for (const url of ['/open', '/admin', '/nowhere', '/broken', '/%E0%A4%A']) {
      const reply = await server.inject({ url, headers: { 'x-request-id': 'abcdefgh-1' } })
      assert.equal(reply.headers['x-request-id'], 'abcdefgh-1', url)
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', url)
      assert.equal(reply.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", url)
      assert.equal(reply.headers['server'], undefined)
      assert.equal(reply.headers['x-powered-by'], undefined)
      if (!url.includes('%')) assert.match(String(reply.headers['ratelimit']), /^"default";r=\d+;t=\d+$/, url)
    }
    const odd = await server.inject({ url: '/open', headers: { 'x-request-id': 'bad id\u00e9' } })
    assert.match(String(odd.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  })

  test('an unexpected error tells nothing but its request id', async () => {
    const reply = await serverWith().inject({ url: '/broken' })
    assert.equal(reply.statusCode, 500)
    const { requestId, ...body } = reply.json()
    assert.deepEqual(body, { type: '/docs/errors#INTERNAL', title: 'Internal error', status: 500, code: 'INTERNAL' })
    assert.equal(requestId, reply.headers['x-request-id'])
  })

  test('what the schema of an answer does not list never leaves', async () => {
    assert.deepEqual((await serverWith().inject({ url: '/open' })).json(), { name: 'open' })
  })

  test('a role below the one a route asks for is INSUFFICIENT_ROLE', async () => {
    const headers = { 'x-admin-key': 'right' }
    assert.equal((await serverWith().inject({ url: '/admin', headers })).statusCode, 204)
    assert.equal(
      (await serverWith().inject({ method: 'DELETE', url: '/admin', headers })).json().code,
      'INSUFFICIENT_ROLE',
    )
  })

  test('an Accept header that excludes the answer is 406', async () => {
    const server = serverWith()
    assert.equal(
      (await server.inject({ url: '/open', headers: { accept: 'text/html' } })).json().code,
      'NOT_ACCEPTABLE',
    )
    for (const accept of ['*/*', 'application/json', 'text/html, application/*;q=0.1', '']) {
      assert.equal((await server.inject({ url: '/open', headers: { accept } })).statusCode, 200, accept)
    }
    assert.equal(
      (await server.inject({ url: '/open', headers: { accept: 'application/json;q=0, */*;q=0' } })).statusCode,
      406,
    )
  })

  test('bytes that are not HTTP get an answer with the headers of any other', async () => {
    const server = serverWith()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as { port: number }
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NOT HTTP\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    assert.match(said, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(said, /x-content-type-options: nosniff/)
    assert.match(said, /"code":"VALIDATION_ERROR"/)
  })
})

test('a server closes at once over connections that were opened ahead and ask nothing', {
  timeout: 10_000,
}, async () => {
  const server = serverWith()
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const silent = connect(port, '127.0.0.1')
  const ended = once(silent, 'close')
  await once(silent, 'connect')
  await (await fetch(`http://127.0.0.1:${port}/open`)).text() // by now the server knows the silent one, too
  silent.resume()
  await server.close()
  await ended
})

describe('the rate limit', () => {
  const get = (
    server: ReturnType<typeof serverWith>,
    url: string,
    headers: Record<string, string> = {},
    remoteAddress = '192.0.2.1',
  ) => server.inject({ url, headers, remoteAddress })

  test('counts an API key by address, so that one app key does not starve its users', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 2, authFailuresMax: 100, windowSeconds: 900 } })
    const statuses = []
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push((await get(server, '/keyed', { 'x-api-key': 'key-1' }, address)).statusCode)
    assert.deepEqual(statuses, [204, 204, 429, 204])
  })

  test('a refusal says when to come back, and coming back then works', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 1, authFailuresMax: 100, windowSeconds: 900 } })
    await get(server, '/open')
    const refused = await get(server, '/open')
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'RATE_LIMITED'])
    clock.advance({ seconds: Number(refused.headers['retry-after']) })
    assert.equal((await get(server, '/open')).statusCode, 200)
  })

  test('a tenant can have a limit of its own', async () => {
    const server = serverWith()
    const statuses = []
    for (let count = 0; count < 4; count++)
      statuses.push((await get(server, '/keyed', { 'x-api-key': 'key-limited' })).statusCode)
    assert.deepEqual(statuses, [204, 204, 204, 429])
  })

  test('made-up credentials open no new buckets, and after enough of them the address is refused', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 1000, authFailuresMax: 5, windowSeconds: 900 } })
    const statuses = []
    for (let count = 0; count < 7; count++)
      statuses.push((await get(server, '/keyed', { 'x-api-key': `wrong-${count}` })).statusCode)
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
    assert.equal((await get(server, '/keyed', { 'x-api-key': 'key-1' })).statusCode, 429)
    assert.equal((await get(server, '/keyed', { 'x-api-key': 'key-1' }, '192.0.2.9')).statusCode, 204)
    assert.equal((await get(server, '/open')).statusCode, 200)
  })

  test('X-Forwarded-For of a stranger changes nothing, of a configured proxy everything', async () => {
    const limits = { rateLimits: { requestsMax: 2, authFailuresMax: 100, windowSeconds: 900 } }
    const stranger = serverWith(limits)
    const proxied = serverWith({ ...limits, trustedProxies: ['192.0.2.0/24'] })
    const ask = async (server: typeof stranger) => {
      const statuses = []
      for (let count = 0; count < 4; count++)
        statuses.push((await get(server, '/open', { 'x-forwarded-for': `198.51.100.${count}` })).statusCode)
      return statuses
    }
    assert.deepEqual(await ask(stranger), [200, 200, 429, 429])
    assert.deepEqual(await ask(proxied), [200, 200, 200, 200])
  })
})

describe('what leads to no route', () => {
  test('is charged to the address before a body is read, whatever the body is', async () => {
    const ways: [method: 'GET' | 'POST', url: string, payload: string | undefined][] = [
      ['POST', '/nope', '{x'],
      ['POST', '/nope', 'x'.repeat(300_000)],
      ['GET', '/%zz', undefined],
      ['GET', '/nope', undefined],
      ['POST', '/open', '{}'],
    ]
    for (const [method, url, payload] of ways) {
      const server = serverWith({ rateLimits: { requestsMax: 2, authFailuresMax: 100, windowSeconds: 900 } })
      const statuses = []
      for (let count = 0; count < 3; count++) {
        const headers = payload === undefined ? {} : { 'content-type': 'application/json' }
        const reply = await server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
        statuses.push(reply.statusCode)
        assert.ok(reply.headers['ratelimit'], url)
      }
      assert.equal(statuses[2], 429, `${method} ${url}: ${statuses.join()}`)
      assert.ok(statuses[0] === 404 || statuses[0] === 405 || url === '/%zz', `${method} ${url}: ${statuses.join()}`)
    }
  })

  test('a proxy that writes ports or nonsense opens no new buckets', async () => {
    const server = serverWith({
      rateLimits: { requestsMax: 2, authFailuresMax: 100, windowSeconds: 900 },
      trustedProxies: ['192.0.2.0/24'],
    })
    const ask = async (forwarded: string[]) => {
      const statuses = []
      for (const address of forwarded) {
        statuses.push(
          (await server.inject({ url: '/open', remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': address } }))
            .statusCode,
        )
      }
      return statuses
    }
    assert.deepEqual(await ask(['198.51.100.7:1', '198.51.100.7:2', '198.51.100.7']), [200, 200, 429])
    assert.deepEqual(await ask(['[2001:db8::1]:443', '2001:db8::2', '[2001:db8::3]']), [200, 200, 429])
    assert.deepEqual(await ask(['garbage', 'unknown', 'x'.repeat(3000)]), [200, 200, 429])
  })

  test('a compressed body is refused as a media type, not as bad text', async () => {
    const headers = { 'x-api-key': 'key-1', 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assert.equal(
      (await serverWith().inject({ method: 'POST', url: '/things', headers, payload: 'x' })).json().code,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })
})

describe('Idempotency-Key', () => {
  const post = (server: ReturnType<typeof serverWith>, key: string, body: object, apiKey = 'key-1') =>
    server.inject({
      method: 'POST',
      url: '/things',
      headers: { 'x-api-key': apiKey, 'idempotency-key': key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  test('the same request gives the stored answer, another body is refused, another caller is another request', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const first = await post(server, key, { name: `a-${key}` })
    const again = await post(server, key, { name: `a-${key}` })
    assert.deepEqual([first.statusCode, again.statusCode], [201, 201])
    assert.deepEqual([again.payload, again.headers['location']], [first.payload, '/things/1'])
    assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
    assert.equal((await post(server, key, { name: 'other' })).json().code, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal((await post(server, key, { name: `b-${key}` }, 'key-2')).statusCode, 201)
  })

  test('50 at once do the work once', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const before = calls
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(server, key, { name: `many-${key}` })))
    for (const reply of replies)
      assert.ok(reply.statusCode === 201 || reply.json().code === 'IDEMPOTENCY_IN_PROGRESS', reply.payload)
    assert.equal(calls - before, 1)
    assert.equal((await post(server, key, { name: `many-${key}` })).statusCode, 201)
  })

  test('a refusal undoes its work and is kept; one that invites a repeat is not kept', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const refused = await post(server, `${key}-r`, { name: `refused-${key}` })
    const again = await post(server, `${key}-r`, { name: `refused-${key}` })
    assert.deepEqual([refused.statusCode, again.statusCode], [409, 409])
    assert.equal(again.json().detail, refused.json().detail)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const rows = await parts.handle.execute(
      sql`select from login_failures where tenant_id = ${tenantId} and email_hash = ${Buffer.from(`refused-${key}`)}`,
    )
    assert.equal(rows.rows.length, 0)
    const before = calls
    await post(server, `${key}-t`, { name: `throttled-${key}` })
    await post(server, `${key}-t`, { name: `throttled-${key}` })
    assert.equal(calls - before, 2)
  })

  test('a key is forgotten after 24 hours and lies nowhere in the clear, nor does the answer', async () => {
    const server = serverWith()
    const key = `order-${newId(new Date())}`
    await post(server, key, { name: `kept-${key}` })
    const dump = JSON.stringify(
      (await parts.handle.execute(sql`select * from idempotency_keys`)).rows.map((row) =>
        Object.values(row as object).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
      ),
    )
    assert.ok(!dump.includes(key))
    const before = calls
    clock.advance({ seconds: 24 * 3600 })
    await parts.handle.execute(sql`delete from login_failures where tenant_id = ${tenantId}`)
    assert.equal((await post(server, key, { name: `kept-${key}` })).statusCode, 201)
    assert.equal(calls - before, 1)
  })

  test('a key that is empty, too long or not ASCII is refused', async () => {
    for (const key of ['x'.repeat(256), 'a\u00e9', ''])
      assert.equal((await post(serverWith(), key, { name: 'n' })).json().code, 'VALIDATION_ERROR', key)
  })
})
