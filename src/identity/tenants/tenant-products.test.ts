import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestTenant, type TestUser, testApp, testLimits, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { upgradedFrom } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'

describe('the products of a tenant', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  const products = async ({ id }: TestTenant): Promise<string[]> =>
    (await app.call({ url: `/admin/tenants/${id}`, headers: app.admin })).body.tenant.products
  const patch = ({ id }: TestTenant, body: object) =>
    app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body })
  /** What a user does who leaves out the API key. */
  const listMeetings = async ({ accessToken }: TestUser) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const { status, body } = await app.call({ url: '/assistant/v1/meetings', headers })
    return body.code ?? status
  }

  test('are those of its keys, and leaving out the key opens no other', async () => {
    const tenant = await app.tenant()
    assert.deepEqual(await products(tenant), [])
    const user = await app.user(await app.apiKey(tenant, { products: ['vault-vpn'] }))
    assert.deepEqual(await products(tenant), ['vault-vpn'])
    assert.equal(await listMeetings(user), 'PRODUCT_NOT_ALLOWED')
    const second = await app.apiKey(tenant, { products: ['vault-vpn', 'assistant-ai'] })
    assert.deepEqual(await products(tenant), ['assistant-ai', 'vault-vpn'])
    assert.equal(await listMeetings(user), 200)
    // A key ends when it is rotated or leaks. That must not lock out the people.
    const url = `/admin/tenants/${tenant.id}/api-keys/${second.id}`
    assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 204)
    assert.equal(await listMeetings(user), 200)
  })

  test('that two administrators add at once with keys are all kept', async () => {
    const tenant = await app.tenant()
    const slugs = ['vault-vpn', 'assistant-ai', 'editing-sdk']
    await Promise.all(slugs.map((slug) => app.apiKey(tenant, { products: [slug] })))
    assert.deepEqual(await products(tenant), slugs.toSorted())
  })

  test('that an administrator chose hold for the next request, and no key adds to them', async () => {
    const tenant = await app.tenant({ products: ['vault-vpn', 'assistant-ai'] })
    const user = await app.user(await app.apiKey(tenant))
    assert.deepEqual(await products(tenant), ['assistant-ai', 'vault-vpn'])
    assert.equal(await listMeetings(user), 200)
    assert.deepEqual((await patch(tenant, { products: [] })).body.tenant.products, [])
    assert.equal(await listMeetings(user), 'PRODUCT_NOT_ALLOWED')
    await app.apiKey(tenant)
    assert.deepEqual(await products(tenant), [])
    assert.deepEqual((await patch(tenant, { products: null })).body.tenant.products, [
      'assistant-ai',
      'editing-sdk',
      'vault-vpn',
    ])
    assert.equal(await listMeetings(user), 200)
    const changed = (await auditOfTenant(app.platform, tenant.id)).filter(({ action }) => action === 'tenant.update')
    assert.equal(changed.length, 2)
  })

  test('must be in the catalog, each once', async () => {
    const tenant = await app.tenant()
    const refused = await patch(tenant, { products: ['vault-vpn', 'no-such-product'] })
    assert.deepEqual([refused.status, refused.body.code], [400, 'UNKNOWN_PRODUCT'])
    assert.match(refused.body.detail, /no-such-product/)
    assert.equal((await patch(tenant, { products: ['vault-vpn', 'vault-vpn'] })).body.code, 'VALIDATION_ERROR')
    assert.deepEqual(await products(tenant), [])
  })

  test('of a version before are those of its keys, and limits that nobody had set are the defaults', async () => {
    const now = new Date()
    const [withKeys, without] = [newId(now), newId(now)]
    const database = await upgradedFrom('0030', async (client) => {
      for (const [id, limits] of [
        [withKeys, { maxUsers: null, maxDevices: 5 }],
        [without, {}],
      ] as const) {
        await client.query(
          "insert into tenants (id, name, slug, contact_email, status, limits, created_at, updated_at) values ($1, 'a', 't-' || $1::uuid, 'a@b.example', 'ACTIVE', $2, $3, $3)",
          [id, limits, now],
        )
      }
      for (const [index, listed] of [['vault-vpn'], ['vault-vpn', 'assistant-ai']].entries()) {
        await client.query(
          "insert into api_keys (tenant_id, id, name, products, key_hash, key_prefix, created_at) values ($1, $2, 'a', $3, $4, 'atr_', $5)",
          [withKeys, newId(now), listed, Buffer.of(index), now],
        )
      }
    })
    const upgraded = await testApp({ database })
    const get = async (id: string) =>
      (await upgraded.call({ url: `/admin/tenants/${id}`, headers: upgraded.admin })).body.tenant
    const tenant = await get(withKeys)
    assert.deepEqual(tenant.products, ['assistant-ai', 'vault-vpn'])
    assert.deepEqual(tenant.limits, { ...testLimits, maxDevices: 5, requestsPerWindow: null })
    assert.deepEqual((await get(without)).products, [])
    await database.close()
  })

  test('keep a product from being deleted', async () => {
    const slug = unique('product')
    const body = { slug, name: 'Chosen', type: 'APP', status: 'DRAFT', description: 'x' }
    const { product } = (await app.call({ method: 'POST', url: '/admin/products', headers: app.admin, body })).body
    const tenant = await app.tenant({ products: [slug] })
    const remove = () => app.call({ method: 'DELETE', url: `/admin/products/${product.id}`, headers: app.admin })
    assert.equal((await remove()).status, 409)
    await patch(tenant, { products: [] })
    assert.equal((await remove()).status, 204)
  })
})
