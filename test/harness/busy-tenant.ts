import assert from 'node:assert/strict'
import { run, sql } from '../../src/storage/query.ts'
import { type TestApp, type TestUser, unique } from './app.ts'
import { vpnCalls } from './vpn.ts'

/** A tenant with data of every kind, under unique names, which are returned as `marks`. */
export async function busyTenant(app: TestApp) {
  const mark = unique('canary')
  const tenant = await app.tenant({
    name: `${mark}-tenant`,
    slug: `${mark}-slug`,
    contactEmail: `${mark}-contact@example.com`,
    whitelabelConfig: { displayName: `${mark}-white`, supportEmail: `${mark}-support@example.com` },
  })
  const key = await app.apiKey(tenant, { name: `${mark}-key` })
  const user = await app.user(key, { email: `${mark}-user@example.com`, name: `${mark}-person` })
  await run(
    app.platform,
    sql`update users set google_id = ${`${mark}-google`}, email_verified = true where id = ${user.id}`,
  )
  const headers: Record<string, string> = { ...user.headers, 'x-request-id': `${mark}-request` }
  const own: TestUser = { ...user, headers }
  const device = await app.device(own, { deviceName: `${mark}-device`, deviceType: 'LINUX' })
  const license = await app.license(tenant, { label: `${mark}-label` })
  const { connect, get } = vpnCalls(app)
  assert.equal((await connect(own, device.id, { licenseKey: license.key })).status, 201)
  const call = (method: string, url: string, body: unknown) => app.call({ method, url, headers: own.headers, body })
  await call('PATCH', '/vault/v1/auth/me', { name: `${mark}-renamed` })
  const transcript = [{ speaker: `${mark}-speaker`, text: `${mark} said`, timestamp: '00:00:01' }]
  const meeting = await call('POST', '/assistant/v1/meetings', { title: `${mark}-meeting`, transcript })
  await app.call({ url: `/assistant/v1/meetings/${meeting.body.id}/summary`, headers: own.headers })
  const { org } = (await call('POST', '/assistant/v1/orgs', { name: `${mark}-org` })).body
  await run(
    app.platform,
    sql`insert into meeting_shares (tenant_id, meeting_id, user_id, org_id, access, is_listed, meeting_created_at)
      values (${tenant.id}, ${meeting.body.id}, ${user.id}, ${org.id}, 'read', false, ${app.clock.now()})`,
  )
  const invitation = { email: `${mark}-guest@example.com`, role: 'member' }
  assert.equal((await call('POST', `/assistant/v1/orgs/${org.id}/invitations`, invitation)).status, 201)
  const path = `/assistant/v1/orgs/${org.id}/tasks`
  const { task } = (await call('POST', path, { title: `${mark}-task`, labels: [`${mark}-label`] })).body
  assert.equal((await call('PATCH', `${path}/${task.id}`, { title: `${mark}-todo` })).status, 200)
  const sdk = await app.license(tenant, { product: 'editing-sdk', label: `${mark}-sdk` })
  const consume = { licenseKey: sdk.key, consume: true }
  const once = { ...own.headers, 'idempotency-key': `${mark}-operation` }
  await app.call({ method: 'POST', url: '/vault/v1/licenses/validate', headers: once, body: consume })
  for (let failure = 0; failure < 6; failure++)
    await call('POST', '/vault/v1/auth/login', { email: `${mark}-nobody@example.com`, password: 'wrong' })
  assert.equal((await get(own, '/vpn/sessions')).body.pagination.total, 1)
  return { mark, tenant, key, user: own, device, license, sdk }
}
