import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import type { TestApp, TestUser } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { listeningApps } from '../../../test/harness/listening-apps.ts'
import { liveClient, refusedUpgrade } from '../../../test/harness/live-client.ts'

const clock = testClock()
const listening = listeningApps(clock)
let app: TestApp
let base: string
let ada: TestUser

before(async () => {
  ;({ app, base } = await listening())
  ada = await someone()
})

const someone = async () => app.user(await app.apiKey(await app.tenant()))
const connected = (user: TestUser) => liveClient({ base, token: user.accessToken })

/** The answer to a plain request with these headers. */
function plain(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${base}${path}`, { headers, agent: false })
      .on('response', (response) => {
        let body = ''
        response.on('data', (chunk) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      })
      .on('error', reject)
      .end()
  })
}

describe('an upgrade', () => {
  test('with a good token is ready at once, and says so with its limits', async () => {
    const client = await connected(ada)
    const { connectionId, ...ready } = await client.next('ready')
    assert.match(connectionId, /^[0-9a-f-]{36}$/)
    assert.deepEqual(ready, {
      type: 'ready',
      protocol: 'assistant.v1',
      limits: { frameBytesMax: 65_536, framesPerSecond: 20 },
    })
    assert.equal(client.socket.protocol, 'assistant.v1')
    await client.close()
  })

  test('that is refused is answered like any other request', async () => {
    const tries = [
      [{ token: 'a.b.c' }, 401, 'TOKEN_INVALID'],
      [{ token: ada.accessToken, headers: { 'x-api-key': 'atr_wrong' } }, 401, 'API_KEY_INVALID'],
      [{ headers: { authorization: 'Basic eDp5' } }, 401, 'TOKEN_INVALID'],
      [{ token: ada.accessToken, protocols: ['assistant.v2'] }, 400, 'VALIDATION_ERROR'],
      [{ token: ada.accessToken, path: '/nowhere' }, 404, 'NOT_FOUND'],
      [{ token: ada.accessToken, path: '/assistant/v1/meetings' }, 200, undefined],
    ] as const
    for (const [options, status, code] of tries) {
      const refused = await refusedUpgrade({
        base,
        ...options,
        protocols: [...('protocols' in options ? options.protocols : ['assistant.v1'])],
      })
      assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(options).slice(0, 80))
      assert.equal(refused.headers['x-content-type-options'], 'nosniff')
      if (code !== undefined) assert.equal(refused.body.requestId, refused.headers['x-request-id'])
    }
  })

  test('is needed: a plain request is told so, and another protocol is not spoken', async () => {
    const token = { authorization: `Bearer ${ada.accessToken}` }
    for (const headers of [token, { ...token, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }]) {
      const reply = await plain('/assistant/v1/ws', headers)
      assert.deepEqual([reply.status, JSON.parse(reply.body).code], [426, 'UPGRADE_REQUIRED'])
      assert.equal(reply.headers['upgrade'], 'websocket')
    }
    assert.equal((await plain('/assistant/v1/ws', {})).status, 401)
    const other = await plain('/health', { connection: 'Upgrade', upgrade: 'h2c' })
    assert.equal(other.status, 200)
    const oldVersion = { ...token, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '8' }
    assert.equal((await plain('/assistant/v1/ws', oldVersion)).status, 426)
    const badKey = { ...oldVersion, 'sec-websocket-version': '13', 'sec-websocket-key': 'short' }
    assert.equal((await plain('/assistant/v1/ws', badKey)).status, 400)
  })

  test('of a suspended user or tenant, or with a key for other products, is refused', async () => {
    const tenant = await app.tenant()
    const key = await app.apiKey(tenant, { products: ['vault-vpn'] })
    const user = await app.user(key)
    const other = await refusedUpgrade({ base, token: user.accessToken, headers: { 'x-api-key': key.key } })
    assert.deepEqual([other.status, other.body.code], [403, 'PRODUCT_NOT_ALLOWED'])
    await suspend(tenant.id)
    const refused = await refusedUpgrade({ base, token: user.accessToken })
    assert.deepEqual([refused.status, refused.body.code], [403, 'TENANT_SUSPENDED'])
  })

  test('beyond what a tenant may have is refused, and those of another tenant are not', async () => {
    const few = await listening({ socketsPerTenantMax: 2 })
    const key = await app.apiKey(await app.tenant())
    const open = ({ accessToken: token }: TestUser) => liveClient({ base: few.base, token })
    const clients = [await open(await app.user(key)), await open(await app.user(key))]
    const third = await app.user(key)
    const refused = await refusedUpgrade({ base: few.base, token: third.accessToken })
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED'])
    assert.match(refused.body.detail, /tenant has 2/)
    clients.push(await open(await someone()))
    await clients[0]?.close()
    clients.push(await open(third))
    for (const client of clients) await client.close()
  })

  test('beyond what the process or a user may have is refused, and one that ends makes room', async () => {
    const few = await listening({ socketsMax: 3, socketsPerUserMax: 2 })
    const open = (user: TestUser) => liveClient({ base: few.base, token: user.accessToken })
    const grace = await someone()
    const clients = [await open(ada), await open(ada)]
    const third = await refusedUpgrade({ base: few.base, token: ada.accessToken })
    assert.deepEqual([third.status, third.body.code], [429, 'RATE_LIMITED'])
    const unnamed = await liveClient({ base: few.base })
    unnamed.send({ type: 'auth', token: ada.accessToken })
    assert.deepEqual(await unnamed.closed, { code: 4429, reason: 'RATE_LIMITED' })
    clients.push(await open(grace))
    const full = await refusedUpgrade({ base: few.base, token: grace.accessToken })
    assert.deepEqual([full.status, full.body.code], [503, 'UNAVAILABLE'])
    assert.ok(full.headers['retry-after'])
    await clients[0]?.close()
    clients.push(await open(ada))
    for (const client of clients) await client.close()
  })

  test('from a page that the operator did not list is refused, where there is a list', async () => {
    const listed = await listening({ origins: ['https://app.example.com'] })
    const from = (origin: string) => ({ base: listed.base, token: ada.accessToken, headers: { origin } })
    const refused = await refusedUpgrade(from('https://evil.example.com'))
    assert.deepEqual([refused.status, refused.body.code], [403, 'ORIGIN_NOT_ALLOWED'])
    await (await liveClient(from('https://app.example.com'))).close()
    await (await liveClient({ base, token: ada.accessToken, headers: { origin: 'https://any.example' } })).close()
  })
})

async function suspend(tenantId: string): Promise<void> {
  const url = `/admin/tenants/${tenantId}`
  assert.equal(
    (await app.call({ method: 'PATCH', url, headers: app.admin, body: { status: 'SUSPENDED' } })).status,
    200,
  )
}
