import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { run, sql } from '../../storage/query.ts'

let app: TestApp
before(async () => {
  // Of its own: it counts what there is.
  app = await testApp({ database: await freshDatabase() })
})

const overview = async () => {
  const { status, body } = await app.call({ url: '/v1/platform/admin/overview', headers: app.admin })
  assert.equal(status, 200)
  return body.overview
}
const day = (days: number) => ({ seconds: days * 24 * 3600 })

describe('the overview of the platform', () => {
  test('counts what there is, and what happened today and in the week before', async () => {
    const before = await overview()
    const user = await app.user(await app.apiKey(await app.tenant()))
    const device = await app.device(user)
    await vpnCalls(app).connect(user, device.id)
    await app.app.flush()
    const now = await overview()
    const grown = (name: string) => now.counts[name] - before.counts[name]
    assert.deepEqual(['tenants', 'users', 'licenses', 'devices', 'openVpnSessions'].map(grown), [1, 1, 1, 1, 1])
    const names = ['newTenants', 'newUsers', 'newLicenses', 'vpnConnections']
    const times = (activity: typeof now.activity) =>
      names.map((name) => [activity[name].today, activity[name].lastWeek])
    // The built-in tenant is as new.
    assert.deepEqual(times(now.activity), [
      [2, 0],
      [1, 0],
      [1, 0],
      [1, 0],
    ])
    assert.ok(now.activity.apiCalls.today >= 2)
    app.clock.advance(day(7))
    const inAWeek = (await overview()).activity
    assert.deepEqual(
      times(inAWeek),
      times(now.activity).map(([today]) => [0, today]),
    )
    app.clock.advance(day(1))
    assert.deepEqual(times((await overview()).activity), Array(4).fill([0, 0]))
  })

  test('names the licenses that end within two weeks, and no others', async () => {
    const tenant = await app.tenant()
    const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 24 * 3600_000).toISOString()
    const soon = await app.license(tenant, { expiresAt: inDays(13) })
    const revoked = await app.license(tenant, { expiresAt: inDays(13) })
    await app.license(tenant, { expiresAt: inDays(15) })
    await app.license(tenant)
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${revoked.id}/revoke`, headers: app.admin, body: {} })
    const { endingLicenses } = await overview()
    assert.equal(endingLicenses.total, 1)
    assert.deepEqual([endingLicenses.licenses[0].id, endingLicenses.licenses[0].tenantName], [soon.id, 'Example Ltd'])
  })

  test('names failing webhook endpoints by a hint of their address', async () => {
    const tenant = await app.tenant()
    const url = `https://hooks.example.com/${unique('a-secret-of-the-tenant')}`
    const made = await app.call({
      method: 'POST',
      url: `/admin/tenants/${tenant.id}/webhooks/endpoints`,
      headers: app.admin,
      body: { url, eventTypes: ['license.issued'] },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.equal((await overview()).failingEndpoints.total, 0)
    await run(
      app.platform,
      sql`update webhook_endpoints set failing_since = ${app.clock.now()} where tenant_id = ${tenant.id}`,
    )
    const { total, endpoints } = (await overview()).failingEndpoints
    assert.deepEqual([total, endpoints[0].tenantId], [1, tenant.id])
    assert.ok(!JSON.stringify(endpoints).includes('a-secret-of-the-tenant'))
  })

  test('shows the last audit entries and the health of the service', async () => {
    const { id } = await app.tenant()
    const { lastAuditEntries, health, deadJobs } = await overview()
    assert.ok(lastAuditEntries.some((entry: { targetId: string }) => entry.targetId === id))
    assert.deepEqual([health, deadJobs], [{ status: 'ok', version: '0.0.0-test' }, 0])
  })
})
