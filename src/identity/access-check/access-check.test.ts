import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { accessChecks } from '../../kernel/access-check.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'

type Check = { check: string; passed: boolean | null; code: string | null; detail: string }

describe('access check', () => {
  let app: TestApp
  let tenant: { id: string }
  let key: TestKey
  let user: TestUser
  let license: { id: string; key: string }

  before(async () => {
    app = await testApp()
    tenant = await app.tenant()
    key = await app.apiKey(tenant, { products: ['vault-vpn', 'editing-sdk'] })
    user = await app.user(key)
    license = await app.license(tenant, { plan: 'TRIAL', maxUses: 1 })
  })

  const all = () => ({ keyId: key.id, product: 'vault-vpn', licenseKey: license.key, userId: user.id })

  async function ask(body: object): Promise<{ allowed: boolean; checks: Check[] }> {
    const reply = await app.call({ method: 'POST', url: '/admin/access-check', headers: app.admin, body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    assert.deepEqual(
      reply.body.checks.map(({ check }: Check) => check),
      [...accessChecks],
    )
    return reply.body
  }

  /** The failed checks with their codes, and the skipped checks. */
  async function findings(body: object) {
    const { allowed, checks } = await ask(body)
    const failed = checks.filter(({ passed }) => passed === false)
    assert.equal(allowed, failed.length === 0)
    for (const { passed, code } of checks) assert.equal(code !== null, passed === false)
    return {
      failed: Object.fromEntries(failed.map(({ check, code }) => [check, code])),
      skipped: checks.filter(({ passed }) => passed === null).map(({ check }) => check),
    }
  }
  const nothing = { failed: {}, skipped: [] }
  const ofKey = ['KEY_ACTIVE', 'TENANT_ACTIVE', 'PRODUCT_ON_KEY']
  const ofUser = accessChecks.filter((check) => check.startsWith('USER_'))
  const ofLicense = accessChecks.filter((check) => check.startsWith('LICENSE_'))

  test('a valid request passes every check, by key id or by the key itself', async () => {
    assert.deepEqual(await findings(all()), nothing)
    const { keyId: _, ...rest } = all()
    assert.deepEqual(await findings({ ...rest, apiKey: key.key }), nothing)
    assert.deepEqual(await findings({ ...all(), licenseKey: license.key.toLowerCase().replaceAll('-', ' ') }), nothing)
  })

  test('checks that were not requested are skipped', async () => {
    const { skipped, failed } = await findings({ keyId: key.id })
    assert.deepEqual([failed, skipped], [{}, ['PRODUCT_ON_KEY', ...ofUser, ...ofLicense]])
  })

  test('unknown, mistyped, revoked and expired keys give different details', async () => {
    const unknown = {
      failed: { KEY_KNOWN: 'API_KEY_INVALID' },
      skipped: [...ofKey, ...ofUser, 'LICENSE_OF_TENANT'],
    }
    const { keyId: _, ...rest } = all()
    for (const wrong of [
      { keyId: newId(app.clock.now()) },
      { keyId: 'x' },
      { apiKey: `${key.key}x` },
      { apiKey: '' },
    ]) {
      assert.deepEqual(await findings({ ...rest, ...wrong }), unknown)
    }
    const detailOf = async (body: object) => (await ask(body)).checks[0]?.detail
    assert.match((await detailOf({ apiKey: `${key.key}x` })) ?? '', /^This is not a valid API key/)
    assert.equal(await detailOf({ keyId: newId(app.clock.now()) }), 'No tenant has this key.')
    const expiresAt = new Date(app.clock.now().getTime() + 1000).toISOString()
    const other = await app.apiKey(tenant, { expiresAt })
    app.clock.advance({ seconds: 1 })
    const inactive = { failed: { KEY_ACTIVE: 'API_KEY_INVALID' }, skipped: [] }
    assert.deepEqual(await findings({ ...all(), keyId: other.id }), inactive)
    const third = await app.apiKey(tenant)
    await app.call({ method: 'DELETE', url: `/admin/tenants/${tenant.id}/api-keys/${third.id}`, headers: app.admin })
    assert.deepEqual(await findings({ ...all(), keyId: third.id }), inactive)
  })

  test('a product that the key or the license does not list is named', async () => {
    assert.deepEqual((await findings({ ...all(), product: 'assistant-ai' })).failed, {
      PRODUCT_ON_KEY: 'PRODUCT_NOT_ALLOWED',
      LICENSE_PRODUCT: 'LICENSE_REQUIRED',
    })
    assert.deepEqual((await findings({ ...all(), product: 'editing-sdk' })).failed, {
      LICENSE_PRODUCT: 'LICENSE_REQUIRED',
    })
  })

  test('a product that the users of the tenant may not use is named, although the key lists it', async () => {
    const place = await app.tenant({ products: ['assistant-ai'] })
    const ownKey = await app.apiKey(place)
    const { id: userId } = await app.user(ownKey)
    const question = { keyId: ownKey.id, userId, product: 'vault-vpn' }
    assert.deepEqual((await findings(question)).failed, { USER_PRODUCT: 'PRODUCT_NOT_ALLOWED' })
    const { checks } = await ask(question)
    const found = checks.find(({ check }) => check === 'USER_PRODUCT')
    assert.equal(found?.detail, 'The users of the tenant may use assistant-ai.')
  })

  test('users and licenses of another tenant or that do not exist fail their checks', async () => {
    const other = await app.tenant()
    const stranger = await app.user(await app.apiKey(other))
    for (const userId of [stranger.id, newId(app.clock.now()), 'nobody']) {
      assert.deepEqual(await findings({ ...all(), userId }), {
        failed: { USER_KNOWN: 'TOKEN_INVALID' },
        skipped: ofUser.slice(1),
      })
    }
    const foreign = await app.license(other)
    assert.deepEqual((await findings({ ...all(), licenseKey: foreign.key })).failed, {
      LICENSE_OF_TENANT: 'LICENSE_REQUIRED',
    })
    for (const licenseKey of ['', 'ATR-00000-00000-00000-00000-00000', 'x'.repeat(128)]) {
      assert.deepEqual(await findings({ ...all(), licenseKey }), {
        failed: { LICENSE_KNOWN: 'LICENSE_REQUIRED' },
        skipped: ofLicense.slice(1),
      })
    }
  })

  test('all failures are reported at once: tenant, user, and each problem of the license', async () => {
    const place = await app.tenant()
    const ownKey = await app.apiKey(place)
    const ownUser = await app.user(ownKey)
    const expiresAt = new Date(app.clock.now().getTime() + 1000).toISOString()
    const own = await app.license(place, { plan: 'TRIAL', maxUses: 0, expiresAt })
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${own.key}/revoke`, headers: app.admin, body: {} })
    const patch = (url: string) => app.call({ method: 'PATCH', url, headers: app.admin, body: { status: 'SUSPENDED' } })
    assert.equal((await patch(`/admin/users/${ownUser.id}`)).status, 200)
    assert.equal((await patch(`/admin/tenants/${place.id}`)).status, 200)
    app.clock.advance({ seconds: 1 })
    const question = { apiKey: ownKey.key, product: 'vault-vpn', licenseKey: own.key, userId: ownUser.id }
    assert.deepEqual(await findings(question), {
      failed: {
        TENANT_ACTIVE: 'TENANT_SUSPENDED',
        USER_ACTIVE: 'USER_SUSPENDED',
        LICENSE_NOT_REVOKED: 'LICENSE_REVOKED',
        LICENSE_NOT_EXPIRED: 'LICENSE_EXPIRED',
        LICENSE_USES_LEFT: 'LICENSE_EXHAUSTED',
      },
      skipped: [],
    })
  })

  test('a check takes no use, updates no times, writes no audit entry and repeats no secret', async () => {
    const rows = async () => {
      await app.app.flush()
      const tables = [
        'api_keys',
        'licenses',
        'license_uses',
        'license_use_batches',
        'users',
        'user_sessions',
        'audit_log',
      ]
      return Promise.all(
        tables.map((table) =>
          many(
            app.platform,
            sql`select to_jsonb(x)::text from ${sql.raw(table)} x where tenant_id = ${tenant.id} order by 1`,
          ),
        ),
      )
    }
    const before = await rows()
    const { keyId: _, ...rest } = all()
    for (let count = 0; count < 3; count++) {
      const answer = JSON.stringify(await ask({ ...rest, apiKey: key.key }))
      for (const secret of [key.key, license.key]) assert.ok(!answer.includes(secret))
    }
    assert.deepEqual(await rows(), before)
  })

  test('exactly one of keyId and apiKey is required', async () => {
    for (const body of [{}, { product: 'vault-vpn' }, { keyId: key.id, apiKey: key.key }]) {
      const reply = await app.call({ method: 'POST', url: '/admin/access-check', headers: app.admin, body })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'])
    }
  })

  test('a VIEWER may use it', async () => {
    const url = '/v1/platform/admin/keys'
    const body = { name: 'V', role: 'VIEWER' }
    const made = await app.call({ method: 'POST', url, headers: app.admin, body })
    const headers = { 'x-admin-key': made.body.adminKey.key }
    const reply = await app.call({ method: 'POST', url: '/admin/access-check', headers, body: { keyId: key.id } })
    assert.equal(reply.status, 200)
  })
})
