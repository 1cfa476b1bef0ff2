import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'

describe('suspending and deleting a tenant', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  const get = (id: string) => app.call({ url: `/admin/tenants/${id}`, headers: app.admin })
  const patch = (id: string, body: unknown) =>
    app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body })
  const remove = (id: string, confirm?: string) => {
    const query = confirm === undefined ? '' : `?confirm=${encodeURIComponent(confirm)}`
    return app.call({ method: 'DELETE', url: `/admin/tenants/${id}${query}`, headers: app.admin })
  }

  test('keys and users of a suspended tenant are refused from the next request on, and accepted again after activation', async () => {
    const tenant = await app.tenant()
    const apiKey = await app.apiKey(tenant)
    const user = await app.user(apiKey)
    const me = () => app.call({ url: '/vault/v1/auth/me', headers: user.headers })
    const withTokenAlone = () =>
      app.call({ url: '/v1/auth/me', headers: { authorization: user.headers.authorization ?? '' } })
    assert.equal((await me()).status, 200)

    app.clock.advance({ ms: 1 })
    assert.equal((await patch(tenant.id, { status: 'SUSPENDED' })).body.tenant.status, 'SUSPENDED')
    assert.deepEqual(codeOf(await me()), [403, 'TENANT_SUSPENDED'])
    assert.deepEqual(codeOf(await withTokenAlone()), [403, 'TENANT_SUSPENDED'])
    assert.equal((await get(tenant.id)).status, 200, 'administrators still see it')

    app.clock.advance({ ms: 1 })
    await patch(tenant.id, { status: 'ACTIVE' })
    assert.equal((await me()).status, 200)
    assert.equal((await withTokenAlone()).status, 200)
    assert.deepEqual(
      (await auditOfTenant(app.platform, tenant.id))
        .map(({ action }) => action)
        .filter((action) => action.startsWith('tenant.')),
      ['tenant.create', 'tenant.suspend', 'tenant.activate'],
    )
  })

  test('a tenant is deleted only by repeating its slug', async () => {
    const { id, slug } = await app.tenant()
    for (const confirm of [undefined, '', 'other', slug.toUpperCase()]) {
      assert.deepEqual(codeOf(await remove(id, confirm)), [400, 'VALIDATION_ERROR'], String(confirm))
    }
    assert.equal((await get(id)).status, 200)
    const done = await remove(id, slug)
    assert.deepEqual([done.status, done.body], [204, ''])
    assert.equal((await remove(id, slug)).status, 404)
  })

  test('a deleted tenant looks as if it never existed, and its keys and tokens are not valid', async () => {
    const tenant = await app.tenant()
    const apiKey = await app.apiKey(tenant)
    const user = await app.user(apiKey)
    const keysUrl = `/admin/tenants/${tenant.id}/api-keys`
    app.clock.advance({ ms: 1 })
    await remove(tenant.id, tenant.slug)

    const gone = [
      await get(tenant.id),
      await patch(tenant.id, { name: 'Again' }),
      await app.call({ url: keysUrl, headers: app.admin }),
      await app.call({
        method: 'POST',
        url: keysUrl,
        headers: app.admin,
        body: { name: 'x', products: ['vault-vpn'] },
      }),
      await app.call({ url: `${keysUrl}/${apiKey.id}`, headers: app.admin }),
      await app.call({ method: 'DELETE', url: `${keysUrl}/${apiKey.id}`, headers: app.admin }),
      await app.call({ method: 'POST', url: `${keysUrl}/${apiKey.id}/rotate`, headers: app.admin, body: {} }),
    ]
    for (const answer of gone) assert.deepEqual(codeOf(answer), [404, 'NOT_FOUND'])
    assert.equal(
      (await app.call({ url: `/admin/tenants?q=${tenant.slug}`, headers: app.admin })).body.pagination.total,
      0,
    )
    assert.deepEqual(codeOf(await app.call({ url: '/vault/v1/auth/me', headers: user.headers })), [
      401,
      'API_KEY_INVALID',
    ])
    const { authorization = '' } = user.headers
    assert.deepEqual(codeOf(await app.call({ url: '/v1/auth/me', headers: { authorization } })), [401, 'TOKEN_INVALID'])
    assert.equal((await auditOfTenant(app.platform, tenant.id)).at(-1)?.action, 'tenant.delete')

    const again = await app.call({
      method: 'POST',
      url: '/admin/tenants',
      headers: app.admin,
      body: { name: 'Acme Networks', slug: tenant.slug, contactEmail: 'ops@acme.example' },
    })
    assert.equal(again.status, 201)
    assert.notEqual(again.body.tenant.id, tenant.id)
  })
})
