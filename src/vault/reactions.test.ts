import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../test/harness/app.ts'
import { vpnCalls } from '../../test/harness/vpn.ts'
import { one, sql } from '../storage/query.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const setTenant = (tenantId: string, status: string) =>
  app.call({ method: 'PATCH', url: `/admin/tenants/${tenantId}`, headers: app.admin, body: { status } })
const setUser = (userId: string, status: string) =>
  app.call({ method: 'PATCH', url: `/admin/users/${userId}`, headers: app.admin, body: { status } })
const revokeLicense = (key: string) =>
  app.call({ method: 'POST', url: `/vault/v1/licenses/${key}/revoke`, headers: app.admin })

/** What stands in the tables of a user's devices and sessions, whoever may ask for it at the moment. */
const standing = (user: TestUser) =>
  one(
    app.platform,
    sql<{ devices: string[] | null; ends: string[] | null; peers: number }>`select
      (select array_agg(distinct status order by status) from devices where user_id = ${user.id}) as devices,
      (select array_agg(distinct coalesce(end_reason, status) order by coalesce(end_reason, status)) from vpn_sessions where user_id = ${user.id}) as ends,
      (select count(*)::int from devices where user_id = ${user.id} and is_peer_wanted) as peers`,
  )

/** Two users of one tenant, each with a connected device, the first also with one that is not connected. */
async function twoUsers() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const [ada, bob] = [await app.user(key), await app.user(key)]
  const license = await app.license(tenant)
  const server = await vpn.server()
  for (const user of [ada, bob]) await vpn.connect(user, (await app.device(user, { region: server.region })).id)
  await app.device(ada, { region: server.region })
  return { tenant, ada, bob, license, server }
}

const open = { devices: ['ACTIVE'], ends: ['PENDING'], peers: 1 }
const suspended = { devices: ['SUSPENDED'], ends: ['ADMIN'], peers: 0 }

describe('revoking a license', () => {
  test('ends the sessions it carries and no other, raising the server once', async () => {
    const { tenant, ada, bob, license, server } = await twoUsers()
    const other = await app.license(tenant, { plan: 'STARTER' })
    const device = await app.device(ada, { region: server.region })
    const { session } = (await vpn.connect(ada, device.id, { licenseKey: other.key })).body
    const before = (await vpn.countsOf(server.id))?.revision ?? 0
    assert.equal((await revokeLicense(license.key)).status, 200)
    assert.deepEqual(await standing(bob), { devices: ['ACTIVE'], ends: ['LICENSE_REVOKED'], peers: 0 })
    assert.deepEqual(await standing(ada), { devices: ['ACTIVE'], ends: ['LICENSE_REVOKED', 'PENDING'], peers: 1 })
    assert.equal((await vpn.get(ada, `/vpn/sessions/${session.id}`)).body.session.status, 'PENDING')
    assert.equal((await vpn.countsOf(server.id))?.revision, before + 1)
    await revokeLicense(license.key)
    assert.equal((await vpn.countsOf(server.id))?.revision, before + 1)
  })

  test('while its devices connect and disconnect leaves none of them in', async () => {
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    const license = await app.license(tenant)
    const { region } = await vpn.server()
    const devices = await Promise.all(Array.from({ length: 10 }, () => app.device(user, { region })))
    const goes = devices.slice(0, 5)
    for (const { id } of goes) await vpn.connect(user, id)
    const [revoked] = await Promise.all([
      revokeLicense(license.key),
      ...devices.slice(5).map(({ id }) => vpn.connect(user, id, { licenseKey: license.key })),
      ...goes.map(({ id }) => vpn.disconnect(user, { deviceId: id })),
    ])
    assert.equal(revoked.status, 200)
    const { ends, peers } = await standing(user)
    assert.equal(peers, 0)
    for (const end of ends ?? []) assert.ok(['LICENSE_REVOKED', 'CLIENT'].includes(end), end)
  })
})

describe('suspending', () => {
  test('a user ends their sessions and suspends their devices alone, and coming back brings exactly those back', async () => {
    const { ada, bob } = await twoUsers()
    const revoked = await app.device(ada)
    await vpn.revoke(ada, revoked.id)
    await setUser(ada.id, 'SUSPENDED')
    assert.deepEqual(await standing(ada), { ...suspended, devices: ['REVOKED', 'SUSPENDED'] })
    assert.deepEqual(await standing(bob), open)
    await setUser(ada.id, 'ACTIVE')
    assert.deepEqual(await standing(ada), { ...suspended, devices: ['ACTIVE', 'REVOKED'] })
  })

  test('a tenant ends all its sessions, and every device connects again afterwards', async () => {
    const { tenant, ada, bob, server } = await twoUsers()
    const before = (await vpn.countsOf(server.id))?.revision ?? 0
    await setTenant(tenant.id, 'SUSPENDED')
    for (const user of [ada, bob]) assert.deepEqual(await standing(user), suspended)
    assert.deepEqual(await vpn.countsOf(server.id), { active: 3, revision: before + 1, freed: 0 })
    await setTenant(tenant.id, 'ACTIVE')
    const again = await vpn.again(ada)
    for (const { id, status } of (await vpn.get(again, '/devices')).body.devices) {
      assert.equal(status, 'ACTIVE')
      assert.equal((await vpn.connect(again, id)).status, 201)
    }
  })

  test('a tenant and one of its users: the user’s devices come back when both have', async () => {
    const { tenant, ada, bob } = await twoUsers()
    await setUser(ada.id, 'SUSPENDED')
    await setTenant(tenant.id, 'SUSPENDED')
    await setTenant(tenant.id, 'ACTIVE')
    assert.deepEqual((await standing(bob)).devices, ['ACTIVE'])
    assert.deepEqual((await standing(ada)).devices, ['SUSPENDED'])
    await setTenant(tenant.id, 'SUSPENDED')
    await setUser(ada.id, 'ACTIVE')
    assert.deepEqual((await standing(ada)).devices, ['SUSPENDED'])
    await setTenant(tenant.id, 'ACTIVE')
    assert.deepEqual((await standing(ada)).devices, ['ACTIVE'])
  })

  test('a tenant while its devices connect leaves no session open', async () => {
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    await app.license(tenant)
    const devices = await Promise.all(Array.from({ length: 10 }, () => app.device(user)))
    const connects = devices.map(({ id }) => vpn.connect(user, id))
    const [reply] = await Promise.all([setTenant(tenant.id, 'SUSPENDED'), ...connects])
    assert.equal(reply.status, 200)
    const { devices: states, ends, peers } = await standing(user)
    assert.deepEqual([states, peers], [['SUSPENDED'], 0])
    assert.ok(ends === null || ends.every((end) => end === 'ADMIN'), String(ends))
  })
})

describe('removing', () => {
  test('a user revokes their devices and gives the addresses back', async () => {
    const { ada, bob, server } = await twoUsers()
    const before = (await vpn.countsOf(server.id))?.revision ?? 0
    await app.call({ method: 'DELETE', url: `/admin/users/${ada.id}`, headers: app.admin })
    assert.deepEqual(await standing(ada), { devices: ['REVOKED'], ends: ['DEVICE_REVOKED'], peers: 0 })
    assert.deepEqual(await standing(bob), open)
    assert.deepEqual(await vpn.countsOf(server.id), { active: 1, revision: before + 1, freed: 2 })
  })

  test('a tenant revokes all its devices', async () => {
    const { tenant, ada, bob, server } = await twoUsers()
    const reply = await app.call({
      method: 'DELETE',
      url: `/admin/tenants/${tenant.id}?confirm=${tenant.slug}`,
      headers: app.admin,
    })
    assert.equal(reply.status, 204)
    for (const user of [ada, bob])
      assert.deepEqual(await standing(user), { devices: ['REVOKED'], ends: ['DEVICE_REVOKED'], peers: 0 })
    assert.deepEqual((await vpn.countsOf(server.id))?.active, 0)
  })
})

describe('in the middle of traffic', () => {
  test('a tenant is suspended at once however much its devices connect, and nothing of it is left open', async () => {
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    await app.license(tenant)
    const devices = await Promise.all(Array.from({ length: 6 }, () => app.device(user)))
    let isSuspended = false
    const loops = devices.map(async ({ id: deviceId }) => {
      while (!isSuspended) {
        await vpn.connect(user, deviceId)
        await vpn.disconnect(user, { deviceId })
      }
    })
    assert.equal((await setTenant(tenant.id, 'SUSPENDED')).status, 200)
    isSuspended = true
    await Promise.all(loops)
    const { devices: states, peers } = await standing(user)
    assert.deepEqual([states, peers], [['SUSPENDED'], 0])
  })

  test('a device that is registered while its user is removed does not outlive the user', async () => {
    const { ada, server } = await twoUsers()
    const remove = app.call({ method: 'DELETE', url: `/admin/users/${ada.id}`, headers: app.admin })
    const registered = await Promise.all([1, 2, 3].map(() => vpn.register(ada, { region: server.region })))
    assert.equal((await remove).status, 204)
    for (const { status } of registered) assert.ok([201, 401].includes(status), String(status))
    assert.deepEqual((await standing(ada)).devices, ['REVOKED'])
  })
})
