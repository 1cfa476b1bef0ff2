import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { codeOf, keyCalls } from '../../../test/harness/key-calls.ts'

describe('the limit of API keys', () => {
  let app: TestApp
  let keys: ReturnType<typeof keyCalls>
  before(async () => {
    app = await testApp()
    keys = keyCalls(app)
  })

  const patchTenant = (id: string, body: unknown) =>
    app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body })
  const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()

  test('of twenty parallel creations a limit of five allows five', async () => {
    const tenant = await app.tenant({ limits: { maxApiKeys: 5 } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => keys.create(tenant.id)))
    assert.deepEqual(answers.map(codeOf).sort(), [
      ...Array(5).fill([201, undefined]),
      ...Array(15).fill([403, 'QUOTA_EXCEEDED']),
    ])
    assert.match(answers.find(({ status }) => status === 403)?.body.detail, /maxApiKeys is 5/)
    assert.equal((await keys.list(tenant.id)).body.pagination.total, 5)
  })

  test('the limit counts active keys, and a rotation does not count; without a limit any number is allowed', async () => {
    const tenant = await app.tenant({ limits: { maxApiKeys: 1 } })
    const first = (await keys.create(tenant.id)).body.apiKey
    assert.deepEqual(codeOf(await keys.create(tenant.id)), [403, 'QUOTA_EXCEEDED'])
    await keys.revoke(tenant.id, first.id)
    const second = (await keys.create(tenant.id, { name: 'app', products: ['vault-vpn'], expiresAt: later(60) })).body
      .apiKey
    app.clock.advance({ seconds: 60 })
    const third = await keys.create(tenant.id)
    assert.deepEqual([second.status, third.status], ['ACTIVE', 201])
    assert.equal((await keys.rotate(tenant.id, third.body.apiKey.id)).status, 201)
    assert.deepEqual(codeOf(await keys.create(tenant.id)), [403, 'QUOTA_EXCEEDED'])
    await patchTenant(tenant.id, { limits: { maxApiKeys: null } })
    assert.equal((await keys.create(tenant.id)).status, 201)
    await patchTenant(tenant.id, { limits: { maxApiKeys: 0 } })
    assert.deepEqual(codeOf(await keys.create(tenant.id)), [403, 'QUOTA_EXCEEDED'])
  })
})
