import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { newId } from '../../kernel/ids.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

/** A user of a new tenant with a device that is connected to a server of its own. */
async function connected() {
  const server = await vpn.server()
  const user = await vpn.someone()
  const device = await app.device(user, { region: server.region })
  const { session } = (await vpn.connect(user, device.id)).body
  return { server, user, device, session }
}

const get = (url: string) => app.call({ url, headers: app.admin })
const end = (id: string) => app.call({ method: 'POST', url: `/admin/vpn/sessions/${id}/end`, headers: app.admin })
const ids = (list: { id: string }[]) => list.map(({ id }) => id)
const open = async (query: string) => ids((await get(`/admin/vpn/sessions?${query}`)).body.sessions)
const ofTenant = async ({ tenantId }: TestUser, query = '') =>
  ids((await get(`/admin/tenants/${tenantId}/vpn/sessions?${query}`)).body.sessions)

describe('administrators of the platform', () => {
  test('see who is connected, with names, and find them by tenant, user, device and server', async () => {
    const { server, user, device, session } = await connected()
    await connected()
    const { body } = await get(`/admin/vpn/sessions?serverId=${server.id}`)
    const [shown] = body.sessions
    assert.deepEqual([body.pagination.total, shown.id], [1, session.id])
    assert.deepEqual([shown.userEmail, shown.deviceName, shown.serverName], [user.email, 'laptop', server.name])
    for (const query of [`tenantId=${user.tenantId}`, `userId=${user.id}`, `deviceId=${device.id}`])
      assert.deepEqual(await open(query), [session.id], query)
    assert.deepEqual(await open(`tenantId=${user.tenantId}&status=ACTIVE`), [])
    assert.deepEqual(await open(`tenantId=${user.tenantId}&status=PENDING`), [session.id])
    assert.deepEqual(await ofTenant(user), [session.id])
  })

  test('end a session once; the history of its device still has it', async () => {
    const { user, device, session } = await connected()
    const ended = await end(session.id)
    assert.deepEqual([ended.status, ended.body.session.status, ended.body.session.endReason], [200, 'ENDED', 'ADMIN'])
    assert.equal((await end(session.id)).status, 404)
    assert.equal((await end(newId(new Date()))).status, 404)
    assert.deepEqual(await ofTenant(user), [])
    assert.deepEqual(await ofTenant(user, `status=ENDED&deviceId=${device.id}`), [session.id])
    const unbounded = await get(`/admin/tenants/${user.tenantId}/vpn/sessions?status=ENDED`)
    assert.deepEqual([unbounded.status, unbounded.body.errors[0].path], [400, '/query/status'])
    const { action, actor } = (await get(`/admin/audit-logs?targetId=${session.id}&action=session.end`)).body
      .auditLogs[0]
    assert.deepEqual([action, actor.type], ['session.end', 'ADMIN'])
  })

  test('of two who end a session at once one does, and the license gets its use back once', async () => {
    const { user, session } = await connected()
    const statuses = (await Promise.all([end(session.id), end(session.id), end(session.id)])).map(
      ({ status }) => status,
    )
    assert.deepEqual(statuses.sort(), [200, 404, 404])
    await app.app.housekeep('vault.')
    const { body } = await get(`/vault/v1/licenses?tenantId=${user.tenantId}`)
    assert.equal(body.licenses[0].usesCount, 0)
  })

  test('see the devices of a tenant and revoke one, which ends its session', async () => {
    const { user, device, session } = await connected()
    const url = `/admin/tenants/${user.tenantId}/devices`
    const list = async (query = '') => ids((await get(`${url}${query}`)).body.devices)
    assert.deepEqual([await list(), await list(`?userId=${user.id}`)], [[device.id], [device.id]])
    assert.deepEqual(await list(`?userId=${newId(new Date())}`), [])
    assert.equal((await get(`${url}/${device.id}`)).body.device.assignedIp, device.assignedIp)
    const revoke = () => app.call({ method: 'DELETE', url: `${url}/${device.id}`, headers: app.admin })
    const revoked = await revoke()
    assert.deepEqual([revoked.status, revoked.body.device.status], [202, 'REVOKED'])
    assert.equal((await revoke()).status, 404)
    assert.deepEqual([await list(), await list('?status=REVOKED')], [[], [device.id]])
    const [ended] = (await get(`/admin/tenants/${user.tenantId}/vpn/sessions?status=ENDED&userId=${user.id}`)).body
      .sessions
    assert.deepEqual([ended.id, ended.endReason], [session.id, 'DEVICE_REVOKED'])
  })

  test('do not find what belongs to another tenant under a tenant', async () => {
    const [own, other] = [await connected(), await connected()]
    const url = `/admin/tenants/${own.user.tenantId}/devices/${other.device.id}`
    for (const method of ['GET', 'DELETE'])
      assert.equal((await app.call({ method, url, headers: app.admin })).status, 404, method)
    assert.deepEqual(await ofTenant(own.user, `deviceId=${other.device.id}`), [])
    for (const path of ['devices', 'vpn/sessions'])
      assert.equal((await get(`/admin/tenants/${newId(new Date())}/${path}`)).status, 404, path)
  })
})
