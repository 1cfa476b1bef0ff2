import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { run, sql } from '../../storage/query.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const times = <T>(count: number, work: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => work(index))
const statuses = (replies: Reply[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, all]) => [status, all?.length]),
  )
const sessionIds = (replies: Reply[]) =>
  new Set(replies.flatMap(({ body }) => (body.session === undefined ? [] : [body.session.id])))
const tenantOf = ({ tenantId }: TestUser) => ({ id: tenantId })

/** A user with a license of its tenant and one device. */
async function licensed(terms: Record<string, unknown> = { plan: 'STARTER' }) {
  const user = await vpn.someone()
  const license = await app.license(tenantOf(user), terms)
  return { user, license, device: await app.device(user) }
}

describe('connecting', () => {
  test('starts a session, and answers the same one while it is open', async () => {
    const { user, license, device } = await licensed()
    const first = await vpn.connect(user, device.id)
    const { session } = first.body
    const { id, serverId, ...rest } = session
    assert.equal(first.status, 201)
    assert.equal(first.headers.location, `/vault/v1/vpn/sessions/${id}`)
    assert.deepEqual(rest, {
      deviceId: device.id,
      tenantId: user.tenantId,
      userId: user.id,
      licenseKeyHint: license.key.slice(-5),
      status: 'ACTIVE',
      source: 'CONNECT',
      connectedAt: app.clock.now().toISOString(),
      disconnectedAt: null,
      endReason: null,
      lastHandshakeAt: null,
      rxBytes: 0,
      txBytes: 0,
    })
    app.clock.advance({ seconds: 60 })
    const again = await vpn.connect(user, device.id)
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.deepEqual((await vpn.get(user, `/vpn/sessions/${id}`)).body, first.body)
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.peerState, 'APPLIED')
    assert.equal(await vpn.usesOf(license.key), 1)
  })

  test('20 connects of one device at once are one session and one use', async () => {
    const { user, license, device } = await licensed()
    const replies = await Promise.all(times(20, () => vpn.connect(user, device.id)))
    assert.deepEqual(statuses(replies), { 200: 19, 201: 1 })
    assert.equal(sessionIds(replies).size, 1)
    assert.equal(await vpn.usesOf(license.key), 1)
  })

  test('50 devices of a tenant that never had a license share the 5 uses of one trial', async () => {
    const user = await vpn.someone()
    const devices = await Promise.all(times(50, () => app.device(user)))
    const replies = await Promise.all(devices.map(({ id }) => vpn.connect(user, id)))
    assert.deepEqual(statuses(replies), { 201: 5, 403: 45 })
    for (const reply of replies.filter(({ status }) => status === 403))
      assert.equal(reply.body.code, 'LICENSE_EXHAUSTED')
    const { body } = await app.call({ url: `/vault/v1/licenses?tenantId=${user.tenantId}`, headers: app.admin })
    assert.deepEqual(
      body.licenses.map(({ plan, usesCount }: { plan: string; usesCount: number }) => [plan, usesCount]),
      [['TRIAL', 5]],
    )
  })

  test('50 requests with one Idempotency-Key take one use', async () => {
    const { user, license, device } = await licensed()
    const replies = await Promise.all(times(50, () => vpn.connect(user, device.id, {}, { 'idempotency-key': 'once' })))
    assert.deepEqual(sessionIds(replies).size, 1)
    for (const { status, body } of replies) assert.ok(status === 201 || body.code === 'IDEMPOTENCY_IN_PROGRESS')
    assert.equal(await vpn.usesOf(license.key), 1)
  })

  test('takes the license named, and only one of the tenant’s own', async () => {
    const { user, license, device } = await licensed({ plan: 'TRIAL' })
    const better = await app.license(tenantOf(user), { plan: 'ENTERPRISE' })
    const foreign = (await licensed()).license
    assert.deepEqual(codeOf(await vpn.connect(user, device.id, { licenseKey: foreign.key })), [403, 'LICENSE_REQUIRED'])
    assert.deepEqual(codeOf(await vpn.connect(user, device.id, { licenseKey: 'nonsense' })), [403, 'LICENSE_REQUIRED'])
    assert.equal((await vpn.connect(user, device.id, { licenseKey: license.key.toLowerCase() })).status, 201)
    assert.deepEqual([await vpn.usesOf(license.key), await vpn.usesOf(better.key)], [1, 0])
  })

  test('is refused where the license does not carry it, and nothing is left behind', async () => {
    const { user, license, device } = await licensed({ plan: 'TRIAL', maxUses: 1 })
    await vpn.connect(user, device.id)
    const other = await app.device(user)
    assert.deepEqual(codeOf(await vpn.connect(user, other.id)), [403, 'LICENSE_EXHAUSTED'])
    const { body } = await vpn.get(user, `/vpn/sessions?deviceId=${other.id}`)
    assert.equal(body.pagination.total, 0)
    assert.equal((await vpn.get(user, `/devices/${other.id}`)).body.device.peerState, 'NONE')
    assert.equal(await vpn.usesOf(license.key), 1)
  })

  test('of 12 devices a tenant for 3 sessions has exactly 3 in, and the next after one has left', async () => {
    const user = await vpn.someone({ maxActiveSessions: 3 })
    await app.license(tenantOf(user))
    const devices = await Promise.all(times(12, () => app.device(user)))
    const replies = await Promise.all(devices.map(({ id }) => vpn.connect(user, id)))
    assert.deepEqual(statuses(replies), { 201: 3, 403: 9 })
    for (const reply of replies.filter(({ status }) => status === 403)) assert.equal(reply.body.code, 'QUOTA_EXCEEDED')
    const inside = replies.findIndex(({ status }) => status === 201)
    const outside = replies.findIndex(({ status }) => status === 403)
    assert.equal((await vpn.connect(user, devices[inside]?.id ?? '')).status, 200, 'the open session is no further one')
    await vpn.disconnect(user, { deviceId: devices[inside]?.id })
    assert.equal((await vpn.connect(user, devices[outside]?.id ?? '')).status, 201)
  })

  test('asks for a device and knows no other field', async () => {
    const user = await vpn.someone()
    for (const body of [{}, { deviceId: 7 }, { deviceId: '' }, { deviceId: 'x', serverId: 'y' }]) {
      const reply = await app.call({ method: 'POST', url: '/vault/v1/vpn/connect', headers: user.headers, body })
      assert.deepEqual(codeOf(reply), [400, 'VALIDATION_ERROR'])
    }
  })
})

describe('on a server with a node', () => {
  const connected = async () => {
    const server = await vpn.server()
    const { user, license } = await licensed()
    const device = await app.device(user, { region: server.region })
    const { session } = (await vpn.connect(user, device.id)).body
    assert.equal(session.status, 'PENDING')
    assert.equal(await vpn.usesOf(license.key), 1)
    return { server, user, license, device, session }
  }

  test('a session that its user ends before a handshake gives its use back, once', async () => {
    const { user, license, session } = await connected()
    const ends = await Promise.all(times(6, () => vpn.disconnect(user, { sessionId: session.id })))
    assert.deepEqual(statuses(ends), { 200: 6 })
    assert.deepEqual(new Set(ends.map(({ body }) => body.session.endReason)), new Set(['CLIENT']))
    await Promise.all([app.app.housekeep('vault.'), app.app.housekeep('vault.')])
    assert.equal(await vpn.usesOf(license.key), 0)
    await app.app.housekeep('vault.')
    assert.equal(await vpn.usesOf(license.key), 0)
  })

  test('so does one that ends with its device or its server', async () => {
    const [revoked, disabled] = [await connected(), await connected()]
    await vpn.revoke(revoked.user, revoked.device.id)
    await vpn.changeServer(disabled.server.id, { status: 'DISABLED' })
    await app.app.housekeep('vault.')
    assert.deepEqual([await vpn.usesOf(revoked.license.key), await vpn.usesOf(disabled.license.key)], [0, 0])
  })

  test('a session that saw a handshake keeps its use', async () => {
    const server = await vpn.server()
    const { user, license } = await licensed()
    const device = await app.device(user, { region: server.region })
    const { session } = (await vpn.connect(user, device.id)).body
    await vpn.shookHands(session.id)
    await vpn.disconnect(user, { sessionId: session.id })
    await app.app.housekeep('vault.')
    assert.equal(await vpn.usesOf(license.key), 1)
  })
})

test('a connect finds that the license of the open session has ended, and goes on with another', async () => {
  const { user, license, device } = await licensed()
  const first = (await vpn.connect(user, device.id)).body.session
  const expiresAt = new Date(app.clock.now().getTime() + 1000).toISOString()
  await app.call({ method: 'PATCH', url: `/vault/v1/licenses/${license.key}`, headers: app.admin, body: { expiresAt } })
  app.clock.advance({ seconds: 1 })
  assert.deepEqual(codeOf(await vpn.connect(user, device.id)), [403, 'LICENSE_EXPIRED'])
  await app.license({ id: user.tenantId })
  const next = await vpn.connect(user, device.id)
  assert.equal(next.status, 201)
  assert.equal((await vpn.get(user, `/vpn/sessions/${first.id}`)).body.session.endReason, 'LICENSE_EXPIRED')
})

describe('disconnecting', () => {
  test('ends the session by device or by session, and a second time changes nothing', async () => {
    const { user, device } = await licensed()
    const { session } = (await vpn.connect(user, device.id)).body
    app.clock.advance({ seconds: 5 })
    const { status, body } = await vpn.disconnect(user, { deviceId: device.id })
    assert.equal(status, 200)
    const ended = { ...session, status: 'ENDED', disconnectedAt: app.clock.now().toISOString(), endReason: 'CLIENT' }
    assert.deepEqual(body, { session: ended })
    app.clock.advance({ seconds: 5 })
    assert.deepEqual((await vpn.disconnect(user, { sessionId: session.id })).body, body)
    assert.deepEqual(
      (await vpn.disconnect(user, { deviceId: device.id })).body,
      body,
      'a lost answer can be asked for again',
    )
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.peerState, 'NONE')
    const next = await vpn.connect(user, device.id)
    assert.equal(next.status, 201)
    assert.notEqual(next.body.session.id, session.id)
    assert.equal(
      (await vpn.disconnect(user, { sessionId: session.id })).body.session.disconnectedAt,
      ended.disconnectedAt,
    )
    assert.equal(
      (await vpn.get(user, `/vpn/sessions/${next.body.session.id}`)).body.session.status,
      'ACTIVE',
      'the later session is left alone',
    )
  })

  test('takes one of the two names', async () => {
    const user = await vpn.someone()
    const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
    for (const body of [{}, { deviceId: id, sessionId: id }])
      assert.deepEqual(codeOf(await vpn.disconnect(user, body)), [400, 'VALIDATION_ERROR'])
    for (const body of [{ sessionId: id }, { deviceId: id }, { sessionId: 'x' }])
      assert.deepEqual(codeOf(await vpn.disconnect(user, body)), [404, 'NOT_FOUND'])
  })
})

describe('sessions and usage', () => {
  test('are the user’s own, newest first, by status and device', async () => {
    const key = await app.apiKey(await app.tenant())
    const [user, neighbour] = [await app.user(key), await app.user(key)]
    const stranger = await vpn.someone()
    const [a, b] = [await app.device(user), await app.device(user)]
    const ids: string[] = []
    for (const { id } of [a, b]) {
      ids.push((await vpn.connect(user, id)).body.session.id)
      app.clock.advance({ seconds: 1 })
    }
    await vpn.disconnect(user, { sessionId: ids[0] })
    const list = async (query: string, as = user) =>
      (await vpn.get(as, `/vpn/sessions?${query}`)).body.sessions.map(({ id }: { id: string }) => id)
    assert.deepEqual(await list(''), [ids[1], ids[0]])
    assert.deepEqual(await list('status=ENDED'), [ids[0]])
    assert.deepEqual(await list(`deviceId=${b.id}`), [ids[1]])
    for (const other of [neighbour, stranger]) {
      assert.deepEqual(await list('', other), [])
      assert.deepEqual(await list(`deviceId=${b.id}`, other), [])
      assert.deepEqual(codeOf(await vpn.get(other, `/vpn/sessions/${ids[1]}`)), [404, 'NOT_FOUND'])
      assert.deepEqual(codeOf(await vpn.disconnect(other, { sessionId: ids[1] })), [404, 'NOT_FOUND'])
    }
    assert.equal((await vpn.get(user, `/vpn/sessions/${ids[1]}`)).body.session.status, 'ACTIVE')
  })

  test('are counted by the UTC day of the connect', async () => {
    const { user, device } = await licensed()
    const { session } = (await vpn.connect(user, device.id)).body
    await run(
      app.platform,
      sql`update vpn_sessions set rx_bytes = 9007199254740991, tx_bytes = 2, connected_at = '2026-03-01T23:59:59.999Z' where id = ${session.id}`,
    )
    const usage = async (query: string) => (await vpn.get(user, `/vpn/usage?${query}`)).body
    assert.deepEqual(await usage('from=2026-03-01&to=2026-03-02'), {
      from: '2026-03-01',
      to: '2026-03-02',
      usage: [{ day: '2026-03-01', connections: 1, rxBytes: 9007199254740991, txBytes: 2 }],
    })
    assert.deepEqual((await usage('from=2026-03-02&to=2026-03-02')).usage, [])
    for (const query of [
      'from=2026-02-30',
      'from=x',
      'from=2026-03-02&to=2026-03-01',
      'from=2020-01-01&to=2026-01-01',
      'to=0000-01-01',
    ]) {
      assert.deepEqual(codeOf(await vpn.get(user, `/vpn/usage?${query}`)), [400, 'VALIDATION_ERROR'], query)
    }
  })
})
