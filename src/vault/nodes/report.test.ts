import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { changedColumns, indexedAmong, readRow } from '../../../test/harness/indexed-columns.ts'
import { enrolledNode, type TestNode } from '../../../test/harness/node.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { one, sql } from '../../storage/query.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser
let server: TestServer
let node: TestNode
let license: { id: string; key: string }

type Connected = { id: string; publicKey: string; sessionId: string }

async function connected(): Promise<Connected> {
  const device = (await app.device(user, { region: server.region })) as unknown as Connected
  const { session } = (await vpn.connect(user, device.id)).body
  return { id: device.id, publicKey: device.publicKey, sessionId: session.id }
}

const sessionOf = async ({ sessionId }: Connected) => (await vpn.get(user, `/vpn/sessions/${sessionId}`)).body.session
const deviceOf = async ({ id }: Connected) => (await vpn.get(user, `/devices/${id}`)).body.device
const standing = async (of: Connected) => {
  const { status, endReason } = await sessionOf(of)
  return endReason ?? status
}
const bytesOf = async (of: Connected) => {
  const { rxBytes, txBytes } = await deviceOf(of)
  return [rxBytes, txBytes]
}
/** What is counted for the tenant: of the day, and of the month. */
const countedOf = ({ tenantId }: TestUser) =>
  one(
    app.platform,
    sql<{ up: number; down: number; used: number }>`select m.bytes_up::float8 as up, m.bytes_down::float8 as down,
        c.amount::float8 as used
      from usage_counters c left join usage_metrics m on m.tenant_id = c.tenant_id and m.product = 'vault-vpn'
      where c.tenant_id = ${tenantId} and c.meter = 'vpnBytes' and c.span = 'month'`,
  )
const healthOf = async () =>
  (await app.call({ url: `/admin/vpn/servers/${server.id}`, headers: app.admin })).body.server

/** Time passes, and the node says each 15 s that it is there. */
async function passes(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 15) {
    app.clock.advance({ seconds: Math.min(left, 15) })
    assert.equal((await node.report([])).status, 204)
  }
}

describe('a report', () => {
  // A clock of its own for each: nothing may be overdue but what the test is about.
  beforeEach(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
    user = await vpn.someone()
    license = await app.license({ id: user.tenantId }, { plan: 'STARTER' })
    server = await vpn.server()
    node = await enrolledNode(app, server)
    await vpn.seenNow(server.id)
  })
  afterEach(() => vpn.silence())

  test('of a handshake makes the session ACTIVE, and says when it was', async () => {
    const [a, b] = [await connected(), await connected()]
    assert.equal(await standing(a), 'PENDING')
    app.clock.advance({ seconds: 20 })
    const reply = await node.report([
      { publicKey: a.publicKey, handshakeAgeSeconds: 5 },
      { publicKey: b.publicKey, handshakeAgeSeconds: null },
    ])
    assert.equal(reply.status, 204)
    const at = new Date(app.clock.now().getTime() - 5000).toISOString()
    const session = await sessionOf(a)
    assert.deepEqual([session.status, session.lastHandshakeAt], ['ACTIVE', at])
    assert.equal((await deviceOf(a)).lastHandshakeAt, at)
    assert.deepEqual([await standing(b), (await deviceOf(b)).lastHandshakeAt], ['PENDING', null])
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 500 }])
    assert.equal((await sessionOf(a)).lastHandshakeAt, at, 'a handshake that was known is not taken back')
  })

  test('of keys that no longer hold makes nothing ACTIVE, nor one of a handshake before the session', async () => {
    const a = await connected()
    app.clock.advance({ seconds: 181 })
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 181 }])
    assert.equal(await standing(a), 'PENDING')
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 180 }])
    assert.equal(await standing(a), 'ACTIVE')
    await vpn.disconnect(user, { deviceId: a.id })
    const again = (await vpn.connect(user, a.id)).body.session.id
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 20, rxBytes: 1 }])
    assert.equal(await standing({ ...a, sessionId: again }), 'PENDING')
  })

  test('of none for 120 s ends the session and gives its use back once', async () => {
    const a = await connected()
    await passes(119)
    await app.app.housekeep('vault.')
    assert.equal(await standing(a), 'PENDING')
    await passes(1)
    await Promise.all([app.app.housekeep('vault.'), app.app.housekeep('vault.')])
    assert.equal(await standing(a), 'NEVER_CONNECTED')
    assert.equal(await vpn.usesOf(license.key), 0)
  })

  test('without a handshake for 300 s ends the session as idle', async () => {
    const a = await connected()
    await node.report([{ publicKey: a.publicKey }])
    await passes(299)
    await app.app.housekeep('vault.')
    assert.equal(await standing(a), 'ACTIVE')
    await passes(1)
    await app.app.housekeep('vault.')
    assert.equal(await standing(a), 'IDLE_TIMEOUT')
  })

  test('after a silence concludes nothing from it: time counts from the first report on', async () => {
    const [pending, active] = [await connected(), await connected()]
    await node.report([{ publicKey: active.publicKey }])
    app.clock.advance({ seconds: 3000 })
    user = await vpn.again(user)
    await app.app.housekeep('vault.')
    assert.deepEqual([await standing(pending), await standing(active)], ['PENDING', 'ACTIVE'])
    assert.equal((await healthOf()).health, 'OFFLINE')
    await node.report([])
    assert.equal((await healthOf()).health, 'ONLINE')
    await app.app.housekeep('vault.')
    assert.deepEqual([await standing(pending), await standing(active)], ['PENDING', 'ACTIVE'])
    await passes(120)
    await app.app.housekeep('vault.')
    assert.deepEqual([await standing(pending), await standing(active)], ['NEVER_CONNECTED', 'ACTIVE'])
    await passes(180)
    await app.app.housekeep('vault.')
    assert.equal(await standing(active), 'IDLE_TIMEOUT')
  })

  test('that comes after the end of a session still counts its bytes, whatever ended it', async () => {
    const all = await Promise.all([connected(), connected(), connected()])
    const [left, revoked, unlicensed] = all
    const report = (rxBytes: number) =>
      node.report(all.map(({ publicKey }) => ({ publicKey, rxBytes, txBytes: 2 * rxBytes })))
    await report(100)
    await vpn.disconnect(user, { sessionId: left.sessionId })
    await vpn.revoke(user, revoked.id)
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${license.key}/revoke`, headers: app.admin })
    app.clock.advance({ seconds: 10 })
    await report(150)
    for (const [index, endReason] of ['CLIENT', 'DEVICE_REVOKED', 'LICENSE_REVOKED'].entries()) {
      const session = await sessionOf(all[index] as Connected)
      assert.deepEqual([session.endReason, session.rxBytes, session.txBytes], [endReason, 150, 300])
      assert.ok(session.lastHandshakeAt <= session.disconnectedAt)
      assert.deepEqual(await bytesOf(all[index] as Connected), [150, 300])
    }
    assert.equal(await standing(unlicensed), 'LICENSE_REVOKED')
    await report(150)
    assert.equal((await sessionOf(left)).rxBytes, 150, 'once')
  })

  test('of a handshake takes the use again that a session had given back, if the license has one left', async () => {
    const [early, late] = [await connected(), await connected()]
    app.clock.advance({ seconds: 10 })
    for (const { sessionId } of [early, late]) await vpn.disconnect(user, { sessionId })
    await node.report([{ publicKey: early.publicKey, handshakeAgeSeconds: 5, rxBytes: 1 }])
    await app.app.housekeep('vault.')
    assert.equal(await vpn.usesOf(license.key), 1, 'the report came before the use was given back')
    await node.report([{ publicKey: late.publicKey, handshakeAgeSeconds: 5, rxBytes: 1 }])
    assert.equal(await vpn.usesOf(license.key), 1)
    await Promise.all([app.app.housekeep('vault.'), app.app.housekeep('vault.')])
    assert.equal(await vpn.usesOf(license.key), 2)
    await node.report([{ publicKey: late.publicKey, handshakeAgeSeconds: 6, rxBytes: 2 }])
    await app.app.housekeep('vault.')
    assert.equal(await vpn.usesOf(license.key), 2, 'once')
    const idle = await connected()
    await vpn.disconnect(user, { sessionId: idle.sessionId })
    await app.app.housekeep('vault.')
    await node.report([{ publicKey: idle.publicKey, handshakeAgeSeconds: 30, rxBytes: 1 }])
    await app.app.housekeep('vault.')
    assert.equal(await vpn.usesOf(license.key), 2, 'a handshake before the session is none of it')
  })

  test('counts what was transferred into device, session and the day of the tenant, through resets and new agents', async () => {
    const a = await connected()
    const steps: [rx: number, tx: number, sum: [number, number], more?: Record<string, unknown>][] = [
      [1000, 500, [1000, 500]],
      [1500, 500, [1500, 500]],
      [200, 100, [1700, 600]], // the interface was made anew
      [300, 150, [2000, 750], { epoch: 2000, seq: 1 }], // another agent, which counts from zero
      [350, 150, [2050, 750], { epoch: 2000, seq: 2 }],
      [50, 20, [2100, 770], { epoch: 3000, seq: 1 }],
    ]
    for (const [rxBytes, txBytes, sum, more] of steps) {
      const reply = await node.report([{ publicKey: a.publicKey, rxBytes, txBytes }], more)
      assert.equal(reply.status, 204)
      assert.deepEqual(await bytesOf(a), sum)
    }
    const session = await sessionOf(a)
    assert.deepEqual([session.rxBytes, session.txBytes], [2100, 770])
    const { usage } = (await vpn.get(user, '/vpn/usage')).body
    assert.deepEqual([usage[0].connections, usage[0].rxBytes, usage[0].txBytes], [1, 2100, 770])
    assert.deepEqual(await countedOf(user), { up: 2100, down: 770, used: 2870 })
  })

  test('counts its bytes for the tenant with its commit, whatever becomes of the answer, and not again when repeated', async () => {
    const a = await connected()
    const report = () => node.report([{ publicKey: a.publicKey, rxBytes: 1000, txBytes: 10 }], { seq: 1 })
    await report()
    // Nothing waits in memory: a process that is killed now loses nothing.
    assert.deepEqual(await countedOf(user), { up: 1000, down: 10, used: 1010 })
    await Promise.all([report(), report(), report(), report()])
    await app.app.flush()
    assert.deepEqual(await countedOf(user), { up: 1000, down: 10, used: 1010 })
  })

  test('that comes twice, late, or many times at once counts once', async () => {
    const a = await connected()
    const peers = [{ publicKey: a.publicKey, rxBytes: 1000, txBytes: 10 }]
    const twice = await Promise.all(Array.from({ length: 10 }, () => node.report(peers, { seq: 5 })))
    assert.ok(twice.every(({ status }) => status === 204))
    assert.deepEqual(await bytesOf(a), [1000, 10])
    assert.equal((await node.report([{ publicKey: a.publicKey, rxBytes: 900 }], { seq: 4 })).status, 204)
    assert.equal((await node.report([{ publicKey: a.publicKey, rxBytes: 9 }], { seq: 5 })).status, 204)
    assert.deepEqual(await bytesOf(a), [1000, 10])
    // Each of a later number, whatever order they arrive in: together what the last one says.
    await Promise.all(
      [6, 7, 8, 9].map((seq) => node.report([{ publicKey: a.publicKey, rxBytes: seq * 1000, txBytes: 10 }], { seq })),
    )
    assert.deepEqual(await bytesOf(a), [9000, 10])
  })

  test('begins at zero for new keys', async () => {
    const a = await connected()
    await node.report([{ publicKey: a.publicKey, rxBytes: 1000 }])
    const { publicKey } = (await vpn.rotate(user, a.id)).body.device
    await node.report([{ publicKey, rxBytes: 1500 }])
    assert.deepEqual(await bytesOf(a), [2500, 0])
    await node.report([{ publicKey: a.publicKey, rxBytes: 9999 }])
    assert.deepEqual(await bytesOf(a), [2500, 0])
  })

  test('of devices of another server, or of none, counts nothing', async () => {
    const a = await connected()
    const foreign = await enrolledNode(app, await vpn.server())
    const reply = await foreign.report([{ publicKey: a.publicKey, rxBytes: 5 }, { publicKey: 'nobody' }])
    assert.equal(reply.status, 204)
    assert.deepEqual([await bytesOf(a), await standing(a)], [[0, 0], 'PENDING'])
    assert.equal((await foreign.status(1, { rejected: [{ publicKey: a.publicKey, reason: 'x' }] })).status, 204)
    assert.equal((await deviceOf(a)).peerState, 'PENDING')
  })

  test('that is hostile is refused, and what it says is added up no further than a number goes', async () => {
    const a = await connected()
    const bad: unknown[] = [
      undefined,
      [],
      {},
      { epoch: -1, seq: 1, peers: [] },
      { epoch: 1e30, seq: 1, peers: [] },
      { epoch: 1000, seq: 1.5, peers: [] },
      { epoch: 1000, seq: 1, peers: {} },
      { epoch: 1000, seq: 1, peers: [], more: 1 },
      ...[-1, 2 ** 53, 1.5, '1', null].map((rxBytes) => ({
        epoch: 1000,
        seq: 1,
        peers: [{ publicKey: a.publicKey, handshakeAgeSeconds: 0, rxBytes, txBytes: 0 }],
      })),
      ...[-1, 1e12, 'x'].map((handshakeAgeSeconds) => ({
        epoch: 1000,
        seq: 1,
        peers: [{ publicKey: a.publicKey, handshakeAgeSeconds, rxBytes: 0, txBytes: 0 }],
      })),
      {
        epoch: 1000,
        seq: 1,
        peers: [1, 2].map((rxBytes) => ({ publicKey: 'same', handshakeAgeSeconds: null, rxBytes, txBytes: 0 })),
      },
    ]
    for (const body of bad) {
      const reply = await app.call({ method: 'POST', url: '/vault/v1/node/report', headers: node.headers, body })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], JSON.stringify(body))
    }
    const most = Number.MAX_SAFE_INTEGER
    for (const rxBytes of [most, 0, most, 0, most])
      assert.equal((await node.report([{ publicKey: a.publicKey, rxBytes, handshakeAgeSeconds: 1e9 }])).status, 204)
    assert.deepEqual(await bytesOf(a), [most, 0])
    assert.equal((await node.report([{ publicKey: `{},"'\\null` }, { publicKey: 'NULL' }])).status, 204)
    await app.app.flush()
  })

  test('of a thousand peers is one statement for them all', async () => {
    const a = await connected()
    const many = Array.from({ length: 1000 }, (_, index) => ({ publicKey: `nobody-${index}`, rxBytes: index }))
    assert.equal((await node.report([...many, { publicKey: a.publicKey, rxBytes: 7 }])).status, 204)
    assert.deepEqual(await bytesOf(a), [7, 0])
  })

  test('changes no column that an index holds, and finds room beside the row', async () => {
    const a = await connected()
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 0, rxBytes: 1 }])
    const read = () =>
      Promise.all([readRow(app.platform, 'devices', a.id), readRow(app.platform, 'vpn_sessions', a.sessionId)])
    const before = await read()
    app.clock.advance({ seconds: 10 })
    await node.report([{ publicKey: a.publicKey, handshakeAgeSeconds: 0, rxBytes: 2 }])
    const after = await read()
    for (const [at, table] of (['devices', 'vpn_sessions'] as const).entries()) {
      const changed = changedColumns(before[at] ?? {}, after[at] ?? {})
      assert.ok(changed.includes('rx_bytes'))
      assert.deepEqual(await indexedAmong(app.platform, table, changed), [])
      const { options } = await one(
        app.platform,
        sql<{ options: string[] }>`select reloptions as options from pg_class where oid = ${table}::regclass`,
      )
      assert.deepEqual(options, ['fillfactor=80'])
    }
  })
})

describe('what a node says it has applied', () => {
  beforeEach(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
    user = await vpn.someone()
    await app.license({ id: user.tenantId })
    server = await vpn.server()
    node = await enrolledNode(app, server)
  })
  afterEach(() => vpn.silence())

  const peerState = async (of: Connected) => (await deviceOf(of)).peerState
  const applyAll = async () => {
    const { revision } = (await node.peers(0)).body
    assert.equal((await node.status(revision)).status, 204)
    return revision as number
  }

  test('is the state of the peers, and never less than it was', async () => {
    const a = await connected()
    assert.equal(await peerState(a), 'PENDING')
    const revision = await applyAll()
    assert.equal(await peerState(a), 'APPLIED')
    assert.equal((await node.status(revision - 1)).status, 204)
    assert.equal(await peerState(a), 'APPLIED')
    await vpn.disconnect(user, { deviceId: a.id })
    assert.equal(await peerState(a), 'REMOVING')
    await applyAll()
    assert.equal(await peerState(a), 'NONE')
  })

  test('says of rejected peers that they are not let in, and administrators see why', async () => {
    const [a, b] = [await connected(), await connected()]
    const { revision } = (await node.peers(0)).body
    const rejected = [{ publicKey: a.publicKey, reason: 'refused by wg' }]
    assert.equal((await node.status(revision, { rejected })).status, 204)
    assert.deepEqual([await peerState(a), await peerState(b)], ['PENDING', 'APPLIED'])
    const seen = await healthOf()
    assert.deepEqual([seen.rejectedPeers, seen.appliedRevision, seen.revision], [rejected, revision, revision])
    await node.status(revision)
    assert.equal(await peerState(a), 'APPLIED')
    assert.deepEqual((await healthOf()).rejectedPeers, [])
  })

  test('of a new agent is what it asks from', async () => {
    const a = await connected()
    const revision = await applyAll()
    await node.peers(revision, { epoch: node.epoch + 1 })
    assert.equal(await peerState(a), 'APPLIED')
    await node.peers(0, { epoch: node.epoch + 2 })
    assert.equal(await peerState(a), 'PENDING')
  })

  test('confirms a revocation, at once where it comes in time, and later otherwise', async () => {
    const [a, b] = [await connected(), await connected()]
    await applyAll()
    const late = await vpn.revoke(user, a.id)
    assert.deepEqual([late.status, late.body.confirmedAt, late.body.device.status], [202, null, 'REVOKED'])
    app.clock.advance({ seconds: 30 })
    await applyAll()
    const told = await deviceOf(a)
    assert.deepEqual([told.confirmedAt, told.peerState], [app.clock.now().toISOString(), 'NONE'])
    app.clock.advance({ seconds: 30 })
    await applyAll()
    assert.equal((await deviceOf(a)).confirmedAt, told.confirmedAt)
    // Now the node is there, and answers while the revocation is under way.
    await node.report([])
    const { revision } = (await node.peers(0)).body
    const applied = node.peers(revision, { wait: 25 }).then(({ body }) => node.status(body.revision))
    const prompt = await vpn.revoke(user, b.id)
    assert.equal((await applied).status, 204)
    assert.deepEqual([prompt.status, prompt.body.confirmedAt], [200, app.clock.now().toISOString()])
  })

  test('is refused where it is more than there is to say', async () => {
    const tooMany = Array.from({ length: 1001 }, (_, index) => ({ publicKey: `${index}`, reason: 'x' }))
    for (const more of [
      { rejected: tooMany },
      { rejected: [{ publicKey: 'x', reason: 'x'.repeat(301) }] },
      { appliedRevision: -1 },
    ]) {
      const reply = await node.status(0, more)
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'])
    }
    const rejected = [{ publicKey: '__proto__', reason: 'x' }]
    assert.equal((await node.status(0, { rejected })).status, 204)
    assert.deepEqual((await healthOf()).rejectedPeers, rejected)
  })
})
