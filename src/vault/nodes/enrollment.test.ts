import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { createNode, enroll, enrolledNode, enrollmentToken } from '../../../test/harness/node.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { many, one, sql } from '../../storage/query.ts'
import { generateKeyPair } from '../wireguard/keys.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let server: TestServer

const get = async (id: string) => (await app.call({ url: `/admin/vpn/servers/${id}`, headers: app.admin })).body.server
const dismiss = (id: string) =>
  app.call({ method: 'DELETE', url: `/admin/vpn/servers/${id}/node-token`, headers: app.admin })

describe('enrolling', () => {
  before(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
    server = await vpn.server({ publicKey: null })
  })
  afterEach(() => vpn.silence())

  test('gives the node its token and its addresses, and the server the key that the node made', async () => {
    const { publicKey } = generateKeyPair()
    const reply = await enroll(app, await enrollmentToken(app, server.id), {
      publicKey,
      endpointHost: 'node.example.com',
      endpointPort: 51821,
    })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    assert.equal(reply.headers['cache-control'], 'no-store')
    const { nodeToken, server: told } = reply.body
    assert.match(nodeToken, /^atrnode_/)
    assert.deepEqual(told, {
      id: server.id,
      name: server.name,
      region: server.region,
      address4: server.subnet4.replace('.0/24', '.1/24'),
      address6: server.subnet6.replace('::/64', '::1/64'),
      subnet4: server.subnet4,
      subnet6: server.subnet6,
      listenPort: 51821,
      mtu: 1420,
      dns: ['9.9.9.9', '149.112.112.112', '2620:fe::fe'],
    })
    const { endpointHost, endpointPort, agentVersion, health, ...kept } = await get(server.id)
    assert.deepEqual(
      [kept.publicKey, endpointHost, endpointPort, agentVersion, health],
      [publicKey, 'node.example.com', 51821, '0.1.0', 'OFFLINE'],
    )
    assert.deepEqual(
      await many(
        app.platform,
        sql`select actor_type from audit_log where target_id = ${server.id} and action = 'server.enroll'`,
      ),
      [{ actor_type: 'NODE' }],
    )
  })

  test('is described before, which does not use the token up', async () => {
    const token = await enrollmentToken(app, server.id)
    const ask = () => app.call({ url: '/vault/v1/node/enroll', headers: { authorization: `Bearer ${token}` } })
    const [before, again] = [await ask(), await ask()]
    assert.deepEqual([before.status, again.body], [200, before.body])
    const reply = await enroll(app, token)
    assert.deepEqual(reply.body.server, before.body.server)
    assert.deepEqual([(await ask()).status, (await ask()).body.code], [401, 'NODE_TOKEN_INVALID'])
  })

  test('works once with a token, however many come at once', async () => {
    const token = await enrollmentToken(app, server.id)
    const replies = await Promise.all(Array.from({ length: 10 }, () => enroll(app, token)))
    const won = replies.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const { status, body } of replies.filter((reply) => reply.status !== 200))
      assert.deepEqual([status, body.code], [401, 'NODE_TOKEN_INVALID'])
    const node = createNode(app, { serverId: server.id, token: won[0]?.body.nodeToken })
    assert.equal((await node.peers(0)).status, 200)
    assert.equal((await enroll(app, token)).status, 401)
  })

  test('is refused with a token that was replaced or is over, and with a node token', async () => {
    const replaced = await enrollmentToken(app, server.id)
    const token = await enrollmentToken(app, server.id)
    assert.equal((await enroll(app, replaced)).body.code, 'NODE_TOKEN_INVALID')
    app.clock.advance({ seconds: 15 * 60 })
    assert.equal((await enroll(app, token)).body.code, 'NODE_TOKEN_INVALID')
    const node = await enrolledNode(app, server)
    assert.equal((await enroll(app, node.token)).body.code, 'NODE_TOKEN_INVALID')
  })

  test('ends the token of the node before, and begins with nothing applied', async () => {
    const before = await enrolledNode(app, server)
    const { revision } = (await before.peers(0)).body
    assert.equal((await before.status(revision)).status, 204)
    assert.equal((await get(server.id)).appliedRevision, revision)
    const after = await enrolledNode(app, server)
    assert.equal((await before.peers(0)).body.code, 'NODE_TOKEN_INVALID')
    assert.equal((await get(server.id)).appliedRevision, 0)
    // Its clock may be behind that of the machine before it.
    assert.equal((await after.peers(0, { epoch: 1 })).status, 200)
  })

  test('refuses a key that WireGuard would refuse, and keeps the token good', async () => {
    const token = await enrollmentToken(app, server.id)
    const bad = [
      { publicKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
      { publicKey: 'x' },
      { endpointHost: 'a b' },
      { endpointPort: 0 },
      { agentVersion: 'a\nb' },
    ]
    for (const fault of bad) {
      const reply = await enroll(app, token, fault)
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], JSON.stringify(fault))
    }
    assert.equal((await enroll(app, token)).status, 200)
  })

  test('leaves tokens in the database as hashes alone', async () => {
    const node = await enrolledNode(app, server)
    const kept = await one(
      app.platform,
      sql<{ row: string }>`select to_jsonb(v)::text as row from vpn_servers v where id = ${server.id}`,
    )
    assert.ok(!kept.row.includes(node.token))
    assert.ok(!JSON.stringify(await get(server.id)).includes(node.token))
  })

  test('a node that an administrator dismissed is refused from then on, and so is a token that was made before', async () => {
    const node = await enrolledNode(app, server)
    const token = await enrollmentToken(app, server.id)
    assert.equal((await dismiss(server.id)).status, 204)
    assert.equal((await node.peers(0)).body.code, 'NODE_TOKEN_INVALID')
    assert.equal((await node.report([])).body.code, 'NODE_TOKEN_INVALID')
    assert.equal((await enroll(app, token)).body.code, 'NODE_TOKEN_INVALID')
    assert.equal((await dismiss(server.id)).status, 204)
    const entries = await many(
      app.platform,
      sql`select from audit_log where target_id = ${server.id} and action = 'server.node-token.revoke'`,
    )
    assert.equal(entries.length, 1)
  })
})

describe('the resolvers of devices', () => {
  before(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
  })
  afterEach(() => vpn.silence())

  const dnsOf = (config: string) => /^DNS = (.+)$/m.exec(config)?.[1]

  test('are public ones until the agent serves DNS, and the server then; the configuration counts as changed', async () => {
    const made = await vpn.server()
    const node = await enrolledNode(app, made)
    const user = await vpn.someone()
    const { body } = await vpn.register(user, { region: made.region })
    assert.equal(dnsOf(body.config), '9.9.9.9, 149.112.112.112, 2620:fe::fe')
    const seen: [unknown, number][] = []
    for (const more of [{ servesDns: true }, { servesDns: true }, {}]) {
      assert.equal((await node.status(1, more)).status, 204)
      const { device } = (await vpn.get(user, `/devices/${body.device.id}`)).body
      const config = await vpn.get(user, `/devices/${body.device.id}/config`)
      seen.push([dnsOf(config.body), device.configVersion - body.device.configVersion])
    }
    const own = made.subnet4.replace('0/24', '1')
    const others = '9.9.9.9, 149.112.112.112, 2620:fe::fe'
    assert.deepEqual(seen, [
      [own, 1],
      [own, 1],
      [others, 2],
    ])
  })

  test('are those that the operator sets, or none, whatever the agent does', async () => {
    const made = await vpn.server({ dns: ['10.1.2.3'] })
    const node = await enrolledNode(app, made)
    await node.status(1, { servesDns: true })
    const user = await vpn.someone()
    const { body } = await vpn.register(user, { region: made.region })
    assert.equal(dnsOf(body.config), '10.1.2.3')
    await vpn.changeServer(made.id, { dns: [] })
    const config = await vpn.get(user, `/devices/${body.device.id}/config`)
    assert.equal(dnsOf(config.body), undefined)
  })
})
