import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import type { TestApp, TestUser } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { listeningApps } from '../../../test/harness/listening-apps.ts'
import { liveClient } from '../../../test/harness/live-client.ts'

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

describe('a token that comes as the first frame', () => {
  test('admits, and before it nothing else is done', async () => {
    const client = await liveClient({ base })
    client.send({ type: 'auth', id: '1', token: ada.accessToken })
    const ready = await client.next('ready')
    assert.equal(ready.id, '1')
    await client.close()
    for (const frame of [
      { type: 'ping' },
      { type: 'join', meetingId: ada.id },
      { type: 'unknown' },
      { type: 'auth' },
    ]) {
      const early = await liveClient({ base })
      early.send(frame)
      assert.equal((await early.closed).code, 4401, JSON.stringify(frame))
      assert.ok(early.frames.every(({ type }) => type === 'error'))
    }
  })

  test('that is wrong or expired closes with 4401, that of a suspended tenant with 4403', async () => {
    const tenant = await app.tenant()
    const gone = await app.user(await app.apiKey(tenant))
    await suspend(tenant.id)
    const withKey = { token: ada.accessToken, apiKey: (await app.apiKey(await app.tenant())).key }
    const tries: [object, number, string][] = [
      [{ token: 'a.b.c' }, 4401, 'TOKEN_INVALID'],
      [{ token: gone.accessToken }, 4403, 'TENANT_SUSPENDED'],
      [withKey, 4401, 'TOKEN_INVALID'],
    ]
    for (const [frame, code, reason] of tries) {
      const client = await liveClient({ base })
      client.send({ type: 'auth', ...frame })
      assert.deepEqual(await client.closed, { code, reason })
      assert.equal((await client.next('error')).code, reason)
    }
  })

  test('that does not come in time closes with 4408', async () => {
    const hasty = await listening({ authMs: 30 })
    const client = await liveClient({ base: hasty.base })
    assert.deepEqual(await client.closed, { code: 4408, reason: 'AUTH_TIMEOUT' })
    const admitted = await liveClient({ base: hasty.base, token: ada.accessToken })
    await client.closed
    admitted.send({ type: 'ping' })
    await admitted.next('pong')
    await admitted.close()
  })

  test('is guessed no more often than one of a request', async () => {
    const rateLimits = { requestsMax: 1000, authFailuresMax: 3, windowSeconds: 900 }
    const strict = await listening({}, { rateLimits })
    const codes: number[] = []
    for (let count = 0; count < 5; count++) {
      const client = await liveClient({ base: strict.base })
      client.send({ type: 'auth', token: `a.b.${randomBytes(4).toString('hex')}` })
      codes.push((await client.closed).code)
    }
    assert.deepEqual(codes, [4401, 4401, 4401, 4429, 4429])
  })
})

describe('an open connection', () => {
  test('closes with 4401 when its token expires, and not when a newer one was shown', async () => {
    const user = await someone()
    const old = await connected(user)
    const renewed = await connected(user)
    clock.advance({ seconds: 3000 })
    const login = await app.call({
      method: 'POST',
      url: '/vault/v1/auth/login',
      headers: user.headers,
      body: { email: user.email, password: user.password },
    })
    renewed.send({ type: 'auth', token: login.body.accessToken })
    await renewed.next('ready')
    await renewed.next('ready')
    clock.advance({ seconds: 700 })
    assert.deepEqual(await old.closed, { code: 4401, reason: 'TOKEN_EXPIRED' })
    renewed.send({ type: 'ping' })
    await renewed.next('pong')
    await renewed.close()
    ada = await someone()
  })

  test('closes soon after its session ends, with 4401, or its user or tenant is suspended, with 4403', async () => {
    const [loggedOut, suspended] = [await someone(), await someone()]
    const clients = [await connected(loggedOut), await connected(suspended), await connected(ada)] as const
    await app.call({ method: 'POST', url: '/vault/v1/auth/logout', headers: loggedOut.headers, body: {} })
    assert.deepEqual(await clients[0].closed, { code: 4401, reason: 'TOKEN_INVALID' })
    await suspend(suspended.tenantId)
    assert.deepEqual(await clients[1].closed, { code: 4403, reason: 'TENANT_SUSPENDED' })
    clients[2].send({ type: 'ping' })
    await clients[2].next('pong')
    await clients[2].close()
  })

  test('of a tenant that is suspended does nothing more, from the next frame on', async () => {
    const suspended = await someone()
    const client = await connected(suspended)
    const meetings = '/assistant/v1/meetings'
    const { id } = (
      await app.call({ method: 'POST', url: meetings, headers: suspended.headers, body: { title: 'Planning' } })
    ).body
    await suspend(suspended.tenantId)
    const entries = [{ speaker: 'Ada', text: 'Not to be heard', timestamp: '00:00:01' }]
    client.send({ type: 'transcript.append', meetingId: id, entries })
    assert.deepEqual(await client.closed, { code: 4403, reason: 'TENANT_SUSPENDED' })
    assert.deepEqual(
      client.frames.filter(({ type }) => type === 'ack'),
      [],
    )
  })

  test('does not change hands', async () => {
    const client = await connected(ada)
    client.send({ type: 'auth', token: (await someone()).accessToken })
    assert.deepEqual(await client.closed, { code: 4401, reason: 'TOKEN_INVALID' })
  })

  test('closes on more frames than a client may send', async () => {
    const client = await connected(ada)
    for (let count = 0; count < 200; count++) client.send({ type: 'ping' })
    assert.deepEqual(await client.closed, { code: 4429, reason: 'RATE_LIMITED' })
    assert.ok(client.frames.filter(({ type }) => type === 'pong').length <= 40)
    const steady = await connected(ada)
    for (let count = 0; count < 100; count++) {
      clock.advance({ ms: 50 })
      steady.send({ type: 'ping' })
      await steady.next('pong')
    }
    await steady.close()
  })

  test('is charged for each frame like for a request, and closed when it does not heed that', async () => {
    const rateLimits = { requestsMax: 10, authFailuresMax: 100, windowSeconds: 900 }
    const { app: strict, base: at } = await listening({ framesAtOnceMax: 100 }, { rateLimits })
    const user = await strict.user(await strict.apiKey(await strict.tenant()))
    const client = await liveClient({ base: at, token: user.accessToken }) // the first request
    const tries = [...Array(8).fill({ type: 'ping' }), { type: 'dance' }]
    for (const frame of tries) client.send(frame)
    assert.equal((await client.next('error')).code, 'VALIDATION_ERROR')
    client.send({ type: 'ping', id: 'late' })
    const refused = await client.next('error')
    assert.deepEqual([refused.id, refused.code], ['late', 'RATE_LIMITED'])
    assert.ok(refused.retryAfterSeconds > 0 && refused.retryAfterSeconds <= 1800)
    const request = await strict.call({ url: '/assistant/v1/meetings', headers: user.headers })
    assert.deepEqual([request.status, request.body.code], [429, 'RATE_LIMITED'])

    clock.advance({ seconds: 2 * 900 })
    const token = { method: 'POST', url: '/vault/v1/auth/login', headers: user.headers }
    const login = await strict.call({ ...token, body: { email: user.email, password: user.password } })
    const unheeding = await liveClient({ base: at })
    unheeding.send({ type: 'auth', token: login.body.accessToken })
    await unheeding.next('ready')
    for (let count = 0; count < 40; count++) unheeding.send({ type: 'ping' })
    assert.deepEqual(await unheeding.closed, { code: 4429, reason: 'RATE_LIMITED' })
    const codes = unheeding.frames.map(({ type, code = type }) => code)
    assert.equal(codes.filter((code) => code === 'pong').length, 9)
    assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 20)
    await client.close()
    ada = await someone()
  })

  test('closes on frames that take more than their share to read, whichever connection of the user sends them', async () => {
    const { base: sharing } = await listening({ frameMsPerSecond: 0, frameMsAtOnceMax: 4 })
    const [first, hostile, honest] = [await someone(), await someone(), await someone()]
    const members = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`m${index}`, 0]))
    const costly = JSON.stringify({ type: 'join', ...members })
    const open = ({ accessToken: token }: TestUser) => liveClient({ base: sharing, token })
    // For the first frames V8 has compiled nothing yet, which costs more than a frame.
    for (const frame of [costly, { type: 'ping' }]) {
      const warming = await open(first)
      warming.send(frame)
      await Promise.race([warming.next('error'), warming.next('pong')]).catch(() => undefined)
      await warming.close()
    }
    const [one, another, innocent] = [await open(hostile), await open(hostile), await open(honest)]
    for (let count = 0; count < 40; count++) one.send(costly)
    assert.deepEqual(await one.closed, { code: 4429, reason: 'TOO_COSTLY' })
    another.send(costly)
    assert.deepEqual(await another.closed, { code: 4429, reason: 'TOO_COSTLY' })
    innocent.send({ type: 'ping' })
    await innocent.next('pong')
    await innocent.close()
  })

  test('closes on more control frames than a client may send, and on frames in too many pieces', async () => {
    const pinging = await connected(ada)
    for (let count = 0; count < 200; count++) pinging.socket.ping()
    assert.deepEqual(await pinging.closed, { code: 4429, reason: 'RATE_LIMITED' })
    const answering = await connected(ada)
    for (let count = 0; count < 200; count++) answering.socket.pong()
    assert.deepEqual(await answering.closed, { code: 4429, reason: 'RATE_LIMITED' })
    const pieces = await connected(ada)
    for (let count = 0; count < 100; count++) pieces.socket.send('', { fin: false })
    assert.equal((await pieces.closed).code, 1008)
  })

  test('closes on a frame that is too large, binary, or no JSON', async () => {
    const tries: [unknown, number][] = [
      [JSON.stringify({ type: 'ping', id: 'x'.repeat(70_000) }), 1009],
      [Buffer.from('{"type":"ping"}'), 1003],
      ['{', 1007],
      ['', 1007],
      ['null', 1007],
      ['[{"type":"ping"}]', 1007],
      [`${'['.repeat(50)}${']'.repeat(50)}`, 1007],
      ['{"type":"ping","id":"\\u0000"}', 1007],
      ['{"type":"ping","__proto__":{}}', 1007],
    ]
    for (const [frame, code] of tries) {
      const client = await connected(ada)
      client.send(frame)
      assert.equal((await client.closed).code, code, String(frame).slice(0, 40))
      if (code === 1007) assert.equal((await client.next('error')).code, 'MALFORMED_JSON')
    }
  })

  test('refuses a frame that is not in the form of its type, names the place, and goes on', async () => {
    const client = await connected(ada)
    const tries: [object, string][] = [
      [{ type: 'dance' }, '/frame/type'],
      [{ id: 'x' }, '/frame/type'],
      [{ type: 'constructor' }, '/frame/type'],
      [{ type: 'join' }, '/frame/meetingId'],
      [{ type: 'join', meetingId: ada.id, afterSeq: -1 }, '/frame/afterSeq'],
      [{ type: 'ping', more: 1 }, '/frame/more'],
      [{ type: 'ping', id: 7 }, '/frame/id'],
      [{ type: 'message', text: ' ' }, '/frame/text'],
      [{ type: 'message', text: 'What?' }, '/frame/meetingId'],
    ]
    for (const [frame, path] of tries) {
      client.send({ id: 'n', ...frame })
      const error = await client.next('error')
      assert.deepEqual([error.code, error.errors[0].path], ['VALIDATION_ERROR', path], JSON.stringify(frame))
    }
    client.send({ type: 'ping', id: 'still' })
    assert.equal((await client.next('pong')).id, 'still')
    await client.close()
  })

  test('whose client answers no ping is given up', async (t) => {
    const pingIntervalMs = 30_000
    const quick = await listening({ pingIntervalMs, accessCheckMs: 2 * pingIntervalMs })
    t.mock.timers.enable({ apis: ['setInterval'] })
    const alive = await liveClient({ base: quick.base, token: ada.accessToken })
    const dead = await liveClient({ base: quick.base, token: ada.accessToken })
    dead.socket.pong = () => undefined
    dead.socket.removeAllListeners('ping')
    const stream = (dead.socket as unknown as { _socket: { write(): boolean } })._socket
    stream.write = () => true
    const pinged = once(alive.socket, 'ping')
    t.mock.timers.tick(pingIntervalMs)
    await pinged
    const isAnswering = async () => {
      alive.send({ type: 'ping' })
      await alive.next('pong')
    }
    // The server reads in order: with this it has read the answer to its ping.
    await isAnswering()
    t.mock.timers.tick(pingIntervalMs)
    assert.equal((await dead.closed).code, 1006)
    await isAnswering()
    await alive.close()
  })

  test('is told to go elsewhere when the server closes', async () => {
    const stopping = await listening()
    const client = await liveClient({ base: stopping.base, token: ada.accessToken })
    const anonymous = await liveClient({ base: stopping.base })
    await stopping.app.app.server.close()
    for (const { closed } of [client, anonymous]) assert.deepEqual(await closed, { code: 1012, reason: 'RESTART' })
  })

  test('is counted, and so is how it ends', async () => {
    const client = await connected(ada)
    const metrics = async () => (await app.call({ url: '/metrics', headers: app.admin })).body as string
    /** The server hears of the end of a connection, also of one of the tests before, after its client has. */
    const metricsWith = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const text = await metrics()
        if (pattern.test(text)) return text
      }
    }
    await metricsWith(/^sockets_open\{state="admitted"\} 1$/m)
    await client.close()
    const text = await metricsWith(/^sockets_open\{state="admitted"\} 0$/m)
    assert.match(text, /^socket_closes_total\{code="4429"\} \d+$/m)
    assert.match(text, /^http_requests_total\{method="GET",route="\/assistant\/v1\/ws",status="101"\} \d+$/m)
    assert.match(text, /^http_requests_in_flight 1$/m)
  })
})

async function suspend(tenantId: string): Promise<void> {
  const url = `/admin/tenants/${tenantId}`
  assert.equal(
    (await app.call({ method: 'PATCH', url, headers: app.admin, body: { status: 'SUSPENDED' } })).status,
    200,
  )
}
