import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { newId } from '../../kernel/ids.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

type Result = { kind: string; id: string; tenantId: string | null; name: string }
const search = async (q: string): Promise<Result[]> => {
  const reply = await app.call({ method: 'POST', url: '/v1/platform/admin/search', headers: app.admin, body: { q } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.results
}
const named = async (q: string) => (await search(q)).map(({ kind, id }) => `${kind} ${id}`)

describe('the search for everything', () => {
  test('lands on a thing by its id', async () => {
    const vpn = vpnCalls(app)
    const server = await vpn.server()
    const tenant = await app.tenant()
    const key = await app.apiKey(tenant)
    const user = await app.user(key)
    const license = await app.license(tenant)
    const device = await app.device(user, { region: server.region })
    const { session } = (await vpn.connect(user, device.id)).body
    const things = {
      TENANT: tenant,
      USER: user,
      API_KEY: key,
      LICENSE: license,
      DEVICE: device,
      VPN_SESSION: session,
      VPN_SERVER: server,
    }
    for (const [kind, { id }] of Object.entries(things)) assert.deepEqual(await named(id), [`${kind} ${id}`])
    assert.deepEqual(await search(newId(new Date())), [])
  })

  test('finds tenants by slug and name, with the exact slug first, and users by e-mail address', async () => {
    const slug = unique('acme')
    const [longer, exact] = [await app.tenant({ slug: `${slug}-two` }), await app.tenant({ slug })]
    assert.deepEqual(await named(slug), [`TENANT ${exact.id}`, `TENANT ${longer.id}`])
    const { id, email } = await app.user(await app.apiKey(exact))
    assert.deepEqual(await named(email), [`USER ${id}`])
    assert.deepEqual(await named(email.slice(0, email.indexOf('@') + 2).toUpperCase()), [`USER ${id}`])
    assert.deepEqual(await search(`${slug}%@`), [])
  })

  test('finds keys by themselves and by their start, and never says one', async () => {
    const tenant = await app.tenant()
    const [key, license] = [await app.apiKey(tenant), await app.license(tenant)]
    const made = await app.call({
      method: 'POST',
      url: '/v1/platform/admin/keys',
      headers: app.admin,
      body: { name: 'Ana', role: 'VIEWER' },
    })
    const { adminKey } = made.body
    assert.deepEqual(await named(key.key), [`API_KEY ${key.id}`])
    assert.ok((await named(key.key.slice(0, 8))).includes(`API_KEY ${key.id}`))
    assert.deepEqual(await named(adminKey.key), [`ADMIN_KEY ${adminKey.id}`])
    assert.deepEqual(await named(adminKey.keyPrefix), [`ADMIN_KEY ${adminKey.id}`])
    assert.deepEqual(await named(license.key.toLowerCase()), [`LICENSE ${license.id}`])
    const texts = await Promise.all([key.key, adminKey.key, license.key].map(search))
    for (const secret of [key.key, adminKey.key, license.key]) assert.ok(!JSON.stringify(texts).includes(secret))
  })

  test('finds what a request changed', async () => {
    const requestId = unique('request')
    const slug = unique('t')
    const headers = { ...app.admin, 'x-request-id': requestId }
    const body = { name: 'Example Ltd', slug, contactEmail: 'ops@example.com' }
    await app.call({ method: 'POST', url: '/admin/tenants', headers, body })
    assert.deepEqual(await named(requestId), [`AUDIT_ENTRIES ${requestId}`])
    const listed = await app.call({ url: `/admin/audit-logs?requestId=${requestId}`, headers: app.admin })
    assert.deepEqual([listed.body.pagination.total, listed.body.auditLogs[0].action], [1, 'tenant.create'])
  })

  test('does not find a deleted tenant or what belongs to it', async () => {
    const tenant = await app.tenant()
    const key = await app.apiKey(tenant)
    const { id } = await app.user(key)
    const removed = await app.call({
      method: 'DELETE',
      url: `/admin/tenants/${tenant.id}?confirm=${tenant.slug}`,
      headers: app.admin,
    })
    assert.equal(removed.status, 204, JSON.stringify(removed.body))
    for (const text of [tenant.id, tenant.slug, key.id, id]) assert.deepEqual(await search(text), [], text)
  })
})
