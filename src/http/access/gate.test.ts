import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { floorClock, serverWith } from '../../../test/harness/floor.ts'

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
    floorClock.advance({ seconds: Number(refused.headers['retry-after']) })
    assert.equal((await get(server, '/open')).statusCode, 200)
  })

  test('a tenant can have a limit of its own', async () => {
    const server = serverWith()
    const statuses = []
    for (let count = 0; count < 4; count++)
      statuses.push((await get(server, '/keyed', { 'x-api-key': 'key-limited' })).statusCode)
    assert.deepEqual(statuses, [204, 204, 204, 429])
  })

  test('after too many made-up credentials their address gets 429 for wrong ones, and good ones are still admitted', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 1000, authFailuresMax: 5, windowSeconds: 900 } })
    const ask = async (url: string, headers: Record<string, string>) => (await get(server, url, headers)).statusCode
    const statuses = []
    for (let count = 0; count < 7; count++) statuses.push(await ask('/keyed', { 'x-api-key': `wrong-${count}` }))
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
    assert.equal(await ask('/keyed', { 'x-api-key': 'key-1' }), 204)
    assert.equal(await ask('/mine', { authorization: 'Bearer good' }), 204)
    assert.equal(await ask('/node', { authorization: 'Bearer node' }), 204)
    assert.equal(await ask('/uncounted', { 'x-admin-key': 'right' }), 204)
    assert.equal(await ask('/open', {}), 200)
    for (const [url, headers] of [
      ['/mine', { authorization: 'Bearer wrong' }],
      ['/uncounted', { 'x-admin-key': 'wrong' }],
    ] as const)
      assert.equal(await ask(url, headers), 429)
    assert.equal((await get(server, '/keyed', { 'x-api-key': 'wrong' }, '192.0.2.9')).statusCode, 401)
  })

  test('a full address tells a node that its token is wrong, and a user that the token has expired', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 2, authFailuresMax: 1, windowSeconds: 900 } })
    for (let count = 0; count < 4; count++) await get(server, '/keyed', { 'x-api-key': 'wrong' })
    for (let count = 0; count < 4; count++) await get(server, '/open')
    const ask = async (url: string, token: string) =>
      (await get(server, url, { authorization: `Bearer ${token}` })).json().code
    assert.equal(await ask('/node', 'wrong'), 'NODE_TOKEN_INVALID')
    assert.equal(await ask('/mine', 'expired'), 'TOKEN_EXPIRED')
    assert.equal(await ask('/mine', 'expired'), 'TOKEN_EXPIRED')
    assert.equal(await ask('/mine', 'expired'), 'RATE_LIMITED', 'the user has a bucket for it')
  })

  test('a node that lost its token takes nothing from others at its address', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 2, authFailuresMax: 2, windowSeconds: 900 } })
    for (let count = 0; count < 10; count++)
      assert.equal((await get(server, '/node', { authorization: 'Bearer wrong' })).statusCode, 401)
    assert.equal((await get(server, '/open')).statusCode, 200)
    assert.equal((await get(server, '/keyed', { 'x-api-key': 'wrong' })).statusCode, 401)
  })

  test('a key that can be guessed is refused like a wrong one once its address has guessed too often', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 100, authFailuresMax: 2, windowSeconds: 900 } })
    const ask = async (key: string) => (await get(server, '/uncounted', { 'x-admin-key': key })).statusCode
    assert.equal(await ask('guessable'), 204)
    assert.deepEqual([await ask('wrong'), await ask('wrong'), await ask('wrong')], [401, 401, 429])
    assert.equal(await ask('guessable'), 429)
    assert.equal(await ask('right'), 204)
  })

  test('a refusal names whom the limit counts, how much fits and until when', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 1, authFailuresMax: 1, windowSeconds: 900 } })
    const cases: [url: string, headers: Record<string, string>, counted: string, max: number][] = [
      ['/open', {}, 'ADDRESS', 1],
      ['/keyed', { 'x-api-key': 'key-1' }, 'API_KEY_AT_ADDRESS', 1],
      ['/keyed', { 'x-api-key': 'key-limited' }, 'API_KEY_AT_ADDRESS', 3],
      ['/mine', { authorization: 'Bearer good' }, 'USER', 1],
      ['/admin', { 'x-admin-key': 'right' }, 'ADMIN_KEY', 1],
    ]
    for (const [url, headers, counted, max] of cases) {
      for (let count = 0; count < max; count++) await get(server, url, headers)
      const reply = await get(server, url, headers)
      const { code, limit, detail } = reply.json()
      const until = new Date(limit.until)
      assert.deepEqual([code, limit], ['RATE_LIMITED', { counted, max, windowSeconds: 900, until: limit.until }])
      assert.ok(detail.includes(String(max)) && detail.includes(limit.until), detail)
      const waitMs = until.getTime() - floorClock.now().getTime()
      assert.equal(Math.floor(waitMs / 1000), Number(reply.headers['retry-after']))
    }
    await get(server, '/keyed', { 'x-api-key': 'wrong' }, '192.0.2.8')
    const wrong = (await get(server, '/keyed', { 'x-api-key': 'wrong' }, '192.0.2.8')).json()
    assert.equal(wrong.limit.counted, 'ADDRESS')
    assert.match(wrong.detail, /At most 1 wrong credentials in 900 seconds, counted for this client address/)
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

test('a route that is not counted still asks for its credential, and wrong ones are counted', async () => {
  const server = serverWith({ rateLimits: { requestsMax: 1, authFailuresMax: 2, windowSeconds: 900 } })
  const get = async (headers: Record<string, string>, remoteAddress: string) =>
    (await server.inject({ url: '/uncounted', headers, remoteAddress })).statusCode
  for (let count = 0; count < 3; count++) assert.equal(await get({ 'x-admin-key': 'right' }, '192.0.2.1'), 204)
  assert.equal(await get({}, '192.0.2.2'), 401)
  const wrong = []
  for (let count = 0; count < 3; count++) wrong.push(await get({ 'x-admin-key': 'wrong' }, '192.0.2.3'))
  assert.deepEqual(wrong, [401, 429, 429])
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
