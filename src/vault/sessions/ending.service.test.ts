import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { many, run, sql } from '../../storage/query.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let server: TestServer
let user: TestUser
let license: { id: string; key: string }

async function connected(region: string | null = server.region) {
  const device = await app.device(user, { region })
  const { session } = (await vpn.connect(user, device.id)).body
  return { deviceId: device.id, sessionId: session.id as string }
}

const endOf = async (sessionId: string) => {
  const { session } = (await vpn.get(user, `/vpn/sessions/${sessionId}`)).body
  return session.endReason ?? session.status
}

/** Time passes while the node keeps reporting. */
async function passes(seconds: number): Promise<void> {
  app.clock.advance({ seconds })
  await vpn.seenNow(server.id)
}

describe('housekeeping', () => {
  // A clock of its own for each: nothing may be overdue but what the test is about.
  beforeEach(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
    server = await vpn.server()
    await vpn.seenNow(server.id)
    user = await vpn.someone()
    license = await app.license({ id: user.tenantId }, { plan: 'STARTER' })
  })
  afterEach(() => vpn.silence())

  test('ends a session without a handshake in 120 s and gives the use back, on however many nodes it runs', async () => {
    const { sessionId, deviceId } = await connected()
    await passes(119)
    await app.app.housekeep('vault.')
    assert.equal(await endOf(sessionId), 'PENDING')
    await passes(1)
    await Promise.all([app.app.housekeep('vault.'), app.app.housekeep('vault.'), app.app.housekeep('vault.')])
    assert.equal(await endOf(sessionId), 'NEVER_CONNECTED')
    assert.equal(await vpn.usesOf(license.key), 0)
    assert.equal((await vpn.get(user, `/devices/${deviceId}`)).body.device.peerState, 'REMOVING')
    const entries = await many(
      app.platform,
      sql`select from audit_log where target_id = ${sessionId} and action = 'session.end'`,
    )
    assert.equal(entries.length, 1)
  })

  test('ends an active session 300 s after its last handshake, and the use stays taken', async () => {
    const { sessionId } = await connected()
    await vpn.shookHands(sessionId)
    await passes(200)
    await vpn.shookHands(sessionId)
    await passes(299)
    await app.app.housekeep('vault.')
    assert.equal(await endOf(sessionId), 'ACTIVE')
    await passes(1)
    await app.app.housekeep('vault.')
    assert.equal(await endOf(sessionId), 'IDLE_TIMEOUT')
    assert.equal(await vpn.usesOf(license.key), 1)
  })

  test('concludes nothing from the silence of a node', async () => {
    const pending = await connected()
    const active = await connected()
    await vpn.shookHands(active.sessionId)
    app.clock.advance({ seconds: 3000 })
    await app.app.housekeep('vault.')
    assert.deepEqual([await endOf(pending.sessionId), await endOf(active.sessionId)], ['PENDING', 'ACTIVE'])
  })

  test('leaves sessions of a server without a node open, however long they last', async () => {
    const { sessionId } = await connected('local')
    app.clock.advance({ seconds: 3000 })
    await app.app.housekeep('vault.')
    assert.equal(await endOf(sessionId), 'ACTIVE')
  })

  test('ends the sessions of an expired license, on any server, by the license as it is now', async () => {
    const change = (expiresAt: string | null) =>
      app.call({ method: 'PATCH', url: `/vault/v1/licenses/${license.key}`, headers: app.admin, body: { expiresAt } })
    const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()
    await change(inSeconds(60))
    const built = await connected('local')
    const silent = await connected()
    await vpn.shookHands(silent.sessionId)
    await change(inSeconds(600))
    app.clock.advance({ seconds: 599 })
    await app.app.housekeep('vault.')
    assert.deepEqual([await endOf(built.sessionId), await endOf(silent.sessionId)], ['ACTIVE', 'ACTIVE'])
    app.clock.advance({ seconds: 1 })
    await app.app.housekeep('vault.')
    assert.deepEqual(
      [await endOf(built.sessionId), await endOf(silent.sessionId)],
      ['LICENSE_EXPIRED', 'LICENSE_EXPIRED'],
    )
    assert.equal(await vpn.usesOf(license.key), 2)
  })

  test('finishes what a stop cut short: sessions of a disabled server', async () => {
    const { sessionId } = await connected()
    await run(app.platform, sql`update vpn_servers set status = 'DISABLED' where id = ${server.id}`)
    await app.app.housekeep('vault.')
    assert.equal(await endOf(sessionId), 'SERVER_DISABLED')
  })

  test('raises the revision of a server once for all the sessions it ends there', async () => {
    await Promise.all([connected(), connected(), connected()])
    const before = (await vpn.countsOf(server.id))?.revision ?? 0
    await passes(120)
    await app.app.housekeep('vault.')
    assert.equal((await vpn.countsOf(server.id))?.revision, before + 1)
  })
})
