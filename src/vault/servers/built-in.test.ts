import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import type { Database } from '../../storage/database.ts'
import { generateKeyPair, publicKeyProblem } from '../wireguard/keys.ts'

const stated = {
  name: 'here',
  region: 'home',
  publicIp: '203.0.113.9',
  endpointHost: 'vpn.example.org',
  endpointPort: 51_820,
  publicKey: null,
  subnet4: '10.99.0.0/16',
  subnet6: 'FD42:0:0::/64',
  dns: [],
  mtu: 1420,
  capacity: 100,
}

let database: Database

const serversOf = async (app: TestApp) =>
  (await app.call({ url: '/admin/vpn/servers', headers: app.admin })).body.servers
const patch = (app: TestApp, id: string, body: unknown) =>
  app.call({ method: 'PATCH', url: `/admin/vpn/servers/${id}`, headers: app.admin, body })

describe('the built-in server', () => {
  before(async () => {
    database = await freshDatabase()
  })
  after(() => database.close())

  test('is made once, whoever starts first, with a key that WireGuard takes', async () => {
    const apps = await Promise.all(Array.from({ length: 5 }, () => testApp({ database, builtInServer: stated })))
    const servers = await serversOf(apps[0] as TestApp)
    assert.equal(servers.length, 1)
    const [{ publicKey, subnet6, health, status, activeCount }] = servers
    assert.equal(publicKeyProblem(publicKey), null)
    assert.deepEqual(
      { subnet6, health, status, activeCount },
      { subnet6: 'fd42::/64', health: 'ONLINE', status: 'ACTIVE', activeCount: 0 },
    )
  })

  test('keeps its key and what an administrator set, and follows the environment in the rest', async () => {
    const app = await testApp({ database, builtInServer: stated })
    const [server] = await serversOf(app)
    assert.equal((await patch(app, server.id, { name: 'renamed', capacity: 50 })).status, 200)
    assert.deepEqual(codeOf(await patch(app, server.id, { endpointHost: 'other.example.org' })), [
      409,
      'STATE_CONFLICT',
    ])
    const next = await testApp({
      database,
      builtInServer: { ...stated, endpointHost: '2001:db8::5', dns: ['9.9.9.9'], capacity: 70 },
    })
    assert.deepEqual(await serversOf(next), [
      { ...server, name: 'renamed', capacity: 50, endpointHost: '2001:db8::5', dns: ['9.9.9.9'] },
    ])
    const { publicKey } = generateKeyPair()
    const keyed = await testApp({ database, builtInServer: { ...stated, publicKey } })
    assert.equal((await serversOf(keyed))[0].publicKey, publicKey)
  })

  test('takes devices as long as there is no other, and as a mere example none beside a real one', async (t) => {
    const own = await freshDatabase()
    t.after(() => own.close())
    const app = await testApp({ database: own, builtInServer: stated })
    const vpn = vpnCalls(app)
    const user = await vpn.someone()
    const placeOf = async (of: typeof vpn) => (await of.register(user)).body.device.server.id
    const [example] = await serversOf(app)
    assert.equal(await placeOf(vpn), example.id)
    const real = await vpn.server()
    for (const _ of [1, 2, 3]) assert.equal(await placeOf(vpn), real.id)
    const { publicKey } = generateKeyPair()
    const keyed = vpnCalls(await testApp({ database: own, builtInServer: { ...stated, publicKey } }))
    assert.equal(await placeOf(keyed), example.id, 'which is a server of somebody now, and the emptier one')
  })

  test('stays deleted', async () => {
    const app = await testApp({ database, builtInServer: stated })
    const [server] = await serversOf(app)
    await app.call({ method: 'DELETE', url: `/admin/vpn/servers/${server.id}`, headers: app.admin })
    assert.deepEqual(await serversOf(await testApp({ database, builtInServer: stated })), [])
  })

  test('that cannot be stops the start and says why', async () => {
    const impossible = { ...stated, subnet4: '10.99.0.1/16', capacity: 70_000 }
    await assert.rejects(testApp({ database, builtInServer: impossible }), /subnet4 has bits set after the prefix/)
  })
})
