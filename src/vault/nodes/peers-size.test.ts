import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, testSecrets } from '../../../test/harness/app.ts'
import { readExposition } from '../../../test/harness/exposition.ts'
import { enrolledNode, type TestNode } from '../../../test/harness/node.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { deviceKeys } from '../devices/device-keys.ts'
import { wantPeer } from '../peers/peer.store.ts'
import { generateKeyPair } from '../wireguard/keys.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser
let server: TestServer
let node: TestNode

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
  user = await vpn.someone()
  await app.license({ id: user.tenantId })
  server = await vpn.server()
  node = await enrolledNode(app, server)
})

/** Devices that are let in, as registration and connect would leave them. */
async function admitted(count: number): Promise<void> {
  const keys = deviceKeys(testSecrets)
  const { tenantId, id: userId } = user
  const rows = await Promise.all(
    Array.from({ length: count }, async () => {
      const id = newId(app.clock.now())
      return { id, ...keys.create({ tenantId, id }, generateKeyPair().publicKey).sealed }
    }),
  )
  await run(
    app.platform,
    sql`insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, preshared_key_sealed, server_id, host_offset,
        assigned_ip, assigned_ipv6, status, is_peer_wanted, peer_revision, created_at)
      select ${tenantId}, d.id, ${userId}, 'laptop', 'LINUX', d.public_key, d.psk, ${server.id}, d.n + 1000,
        '10.250.' || d.n / 250 || '.' || d.n % 250, 'fd00:7e57:ffff::' || to_hex(d.n), 'ACTIVE', true, 1, ${app.clock.now()}
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ publicKey }) => publicKey)}::text[],
        ${rows.map(({ presharedKeySealed }) => presharedKeySealed)}::bytea[]) with ordinality as d (id, public_key, psk, n)`,
  )
}

const polls = async () =>
  readExposition((await app.call({ url: '/metrics', headers: app.admin })).body).value('vpn_node_polls')

describe('a server of a thousand peers', () => {
  test('is told in one snapshot of 250 bytes each, and of one change in the bytes of one', async () => {
    await admitted(1000)
    const whole = await node.peers(0)
    assert.equal(whole.body.count, 1000)
    assert.ok(whole.bytes.length < 250 * 1000, `${whole.bytes.length} bytes`)
    const device = await app.device(user, { region: server.region })
    await vpn.connect(user, device.id)
    const delta = await node.peers(whole.body.revision)
    assert.equal(delta.body.upserts.length, 1)
    assert.ok(delta.bytes.length < 400, `${delta.bytes.length} bytes`)
    const reported = whole.body.peers.map(({ publicKey }: { publicKey: string }) => ({ publicKey, rxBytes: 10 }))
    assert.equal((await node.report(reported)).status, 204)
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.rxBytes, 0)
  })

  test('sees no change before one that began earlier and is committed later', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => app.device(user, { region: server.region })))
    const since = (await vpn.countsOf(server.id))?.revision ?? 0
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const early = transaction(app.scopeOf(user.tenantId), async (tx) => {
      await wantPeer(tx, { deviceId: first?.id ?? '', serverId: server.id })
      begun.resolve()
      await held.promise
    })
    await begun.promise
    const late = vpn.connect(user, second?.id ?? '')
    // The embedded database does one transaction at a time: there nobody could look in between.
    if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') assert.equal((await node.peers(since)).status, 204)
    held.resolve()
    await Promise.all([early, late])
    const { body } = await node.peers(since)
    assert.deepEqual([body.upserts.length, body.revision], [2, since + 2])
  })
})

describe('a poll over a connection', () => {
  test('whose agent goes away is forgotten, and a lost notification costs it a poll', async () => {
    const address = await app.app.server.listen({ host: '127.0.0.1', port: 0 })
    const since = (await vpn.countsOf(server.id))?.revision ?? 0
    const url = `${address}/vault/v1/node/peers?since=${since}&epoch=${node.epoch}&wait=25`
    const absence = new AbortController()
    const gone = fetch(url, { headers: node.headers, signal: absence.signal })
    while ((await polls()) !== 1) await new Promise(setImmediate)
    absence.abort()
    await assert.rejects(gone)
    while ((await polls()) !== 0) await new Promise(setImmediate)
    const waits = fetch(url, { headers: node.headers })
    while ((await polls()) !== 1) await new Promise(setImmediate)
    // As another process would have changed it whose word was lost.
    await run(app.platform, sql`update vpn_servers set revision = revision + 1 where id = ${server.id}`)
    const reply = await waits
    assert.deepEqual([reply.status, ((await reply.json()) as { revision: number }).revision], [200, since + 1])
    await app.app.server.close()
  })
})
