import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { codeOf, keyCalls } from '../../../test/harness/key-calls.ts'

const unknownId = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

describe('API keys', () => {
  let app: TestApp
  let keys: ReturnType<typeof keyCalls>
  before(async () => {
    app = await testApp()
    keys = keyCalls(app)
  })

  const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()

  test('a new key is shown once, is not cacheable, and works', async () => {
    const tenant = await app.tenant()
    const { status, headers, body } = await keys.create(tenant.id, {
      name: ' Android app ',
      products: ['vault-vpn', 'assistant-ai'],
      expiresAt: later(60),
    })
    const { key, ...rest } = body.apiKey
    assert.equal(status, 201)
    assert.equal(headers.location, `${keys.urlOf(tenant.id)}/${rest.id}`)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(key, /^atr_[0-9A-Za-z]{36}$/)
    assert.deepEqual(rest, {
      id: rest.id,
      tenantId: tenant.id,
      name: 'Android app',
      products: ['vault-vpn', 'assistant-ai'],
      keyPrefix: key.slice(0, 8),
      status: 'ACTIVE',
      expiresAt: later(60),
      lastUsedAt: null,
      createdAt: app.clock.now().toISOString(),
      revokedAt: null,
    })
    assert.deepEqual((await keys.get(tenant.id, rest.id)).body, { apiKey: rest })
    assert.ok(await keys.isLetIn(key))
  })

  test('invalid members are rejected with their path', async () => {
    const { id } = await app.tenant()
    const good = { name: 'app', products: ['vault-vpn'] }
    const wrong: [object, string][] = [
      [{ name: '' }, '/body/name'],
      [{ name: '\t' }, '/body/name'],
      [{ name: 'a\u0007' }, '/body/name'],
      [{ name: 'a'.repeat(121) }, '/body/name'],
      [{ products: [] }, '/body/products'],
      [{ products: ['vault-vpn', 'vault-vpn'] }, '/body/products'],
      [{ products: 'vault-vpn' }, '/body/products'],
      [{ products: [''] }, '/body/products/0'],
      [{ expiresAt: later(0) }, '/body/expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, '/body/expiresAt'],
      [{ expiresAt: 'tomorrow' }, '/body/expiresAt'],
      [{ expiresAt: '2030-02-30T00:00:00Z' }, '/body/expiresAt'],
      [{ expiresAt: '9999-12-31T23:59:59-23:00' }, '/body/expiresAt'],
      [{ key: 'atr_mine' }, '/body/key'],
      [{ status: 'ACTIVE' }, '/body/status'],
      [{ tenantId: unknownId }, '/body/tenantId'],
    ]
    for (const [overrides, path] of wrong) {
      const { status, body } = await keys.create(id, { ...good, ...overrides })
      assert.deepEqual(
        [status, body.code, body.errors[0].path],
        [400, 'VALIDATION_ERROR', path],
        JSON.stringify(overrides),
      )
    }
    assert.equal((await keys.create(id, { ...good, expiresAt: null })).body.apiKey.expiresAt, null)
  })

  test('a product that is not in the catalog is rejected with its name', async () => {
    const { id } = await app.tenant()
    const { status, body } = await keys.create(id, { name: 'app', products: ['vault-vpn', 'vault-vpm', '*'] })
    assert.deepEqual([status, body.code], [400, 'UNKNOWN_PRODUCT'])
    assert.match(body.detail, /vault-vpm, \*/)
    assert.equal((await keys.list(id)).body.pagination.total, 0)
  })

  test('keys of an unknown tenant cannot be listed or created', async () => {
    for (const tenantId of [unknownId, 'x']) {
      const answers = [
        await keys.create(tenantId),
        await keys.list(tenantId),
        await keys.get(tenantId, unknownId),
        await keys.revoke(tenantId, unknownId),
        await keys.rotate(tenantId, unknownId),
      ]
      for (const answer of answers) assert.deepEqual(codeOf(answer), [404, 'NOT_FOUND'])
    }
  })

  test("another tenant's key looks exactly like a key that never existed, and is not changed", async () => {
    const [one, other] = [await app.tenant(), await app.tenant()]
    const { id: keyId, key } = await app.apiKey(one)
    for (const ask of [keys.get, keys.revoke, keys.rotate]) {
      const bytes = new Set<string>()
      for (const id of [keyId, unknownId, 'x']) {
        const { status, body } = await ask(other.id, id)
        bytes.add(JSON.stringify([status, { ...body, requestId: null }]))
      }
      assert.equal(bytes.size, 1)
      assert.match([...bytes][0] ?? '', /^\[404,/)
    }
    assert.equal((await keys.list(other.id)).body.pagination.total, 0)
    assert.equal((await keys.get(one.id, keyId)).body.apiKey.status, 'ACTIVE')
    assert.ok(await keys.isLetIn(key))
  })

  test('without the admin key, or with a wrong one, the answer is 401', async () => {
    const tenant = await app.tenant()
    const { id, key } = await app.apiKey(tenant)
    const requests = [
      { method: 'POST', url: keys.urlOf(tenant.id), body: { name: 'app', products: ['vault-vpn'] } },
      { url: keys.urlOf(tenant.id) },
      { url: `${keys.urlOf(tenant.id)}/${id}` },
      { method: 'DELETE', url: `${keys.urlOf(tenant.id)}/${id}` },
      { method: 'POST', url: `${keys.urlOf(tenant.id)}/${id}/rotate`, body: {} },
    ]
    for (const request of requests) {
      assert.deepEqual(codeOf(await app.call({ ...request, headers: { 'x-api-key': key } })), [
        401,
        'ADMIN_KEY_MISSING',
      ])
      assert.deepEqual(codeOf(await app.call({ ...request, headers: { 'x-admin-key': key } })), [
        401,
        'ADMIN_KEY_INVALID',
      ])
    }
  })

  test('the list is newest first and filtered by current status', async () => {
    const tenant = await app.tenant()
    const ids: string[] = []
    for (const expiresAt of [null, later(60), null]) {
      app.clock.advance({ ms: 1 })
      ids.unshift((await keys.create(tenant.id, { name: 'app', products: ['vault-vpn'], expiresAt })).body.apiKey.id)
    }
    const idsOf = async (query: string) =>
      (await keys.list(tenant.id, query)).body.apiKeys.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsOf(''), ids)
    assert.deepEqual(await idsOf('limit=2&page=2'), ids.slice(2))
    await keys.revoke(tenant.id, ids[0] ?? '')
    assert.deepEqual(await idsOf('status=ACTIVE'), ids.slice(1))
    app.clock.advance({ seconds: 60 })
    assert.deepEqual(await idsOf('status=ACTIVE'), ids.slice(2))
    assert.deepEqual(await idsOf('status=EXPIRED'), ids.slice(1, 2))
    assert.deepEqual(await idsOf('status=REVOKED'), ids.slice(0, 1))
    assert.deepEqual(await idsOf(''), ids)
    assert.deepEqual(codeOf(await keys.list(tenant.id, 'status=GONE')), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await keys.list(tenant.id, 'limit=0')), [400, 'INVALID_PAGINATION'])
  })

  test('a tenant shows the start of its newest active key', async () => {
    const tenant = await app.tenant()
    const hint = async () =>
      (await app.call({ url: `/admin/tenants/${tenant.id}`, headers: app.admin })).body.tenant.apiKey
    const older = await app.apiKey(tenant)
    app.clock.advance({ ms: 1 })
    const newer = await app.apiKey(tenant, { expiresAt: later(60) })
    assert.equal(await hint(), `${newer.key.slice(0, 8)}...`)
    app.clock.advance({ seconds: 60 })
    assert.equal(await hint(), `${older.key.slice(0, 8)}...`)
    await keys.revoke(tenant.id, older.id)
    assert.equal(await hint(), null)
  })

  test('a revoked key is refused from the next request on and stays in the list; revoking it again is 404', async () => {
    const tenant = await app.tenant()
    const { id, key } = await app.apiKey(tenant)
    assert.ok(await keys.isLetIn(key))
    const done = await keys.revoke(tenant.id, id)
    assert.deepEqual([done.status, done.body], [204, ''])
    assert.equal(await keys.isLetIn(key), false)
    assert.deepEqual(codeOf(await keys.revoke(tenant.id, id)), [404, 'NOT_FOUND'])
    const [listed] = (await keys.list(tenant.id)).body.apiKeys
    assert.deepEqual([listed.status, listed.revokedAt], ['REVOKED', app.clock.now().toISOString()])
  })

  test('of ten parallel revocations of one key one succeeds', async () => {
    const tenant = await app.tenant()
    const { id } = await app.apiKey(tenant)
    const answers = await Promise.all(Array.from({ length: 10 }, () => keys.revoke(tenant.id, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
    assert.equal(
      (await auditOfTenant(app.platform, tenant.id)).filter(({ action }) => action === 'apiKey.revoke').length,
      1,
    )
  })

  test('a key is refused from the instant it expires', async () => {
    const tenant = await app.tenant()
    const { id, key } = await app.apiKey(tenant, { expiresAt: later(60) })
    app.clock.advance({ ms: 59_999 })
    assert.ok(await keys.isLetIn(key))
    app.clock.advance({ ms: 1 })
    assert.equal(await keys.isLetIn(key), false)
    assert.equal((await keys.get(tenant.id, id)).body.apiKey.status, 'EXPIRED')
    assert.equal((await keys.revoke(tenant.id, id)).status, 204, 'an expired key can still be revoked')
  })

  test('one Idempotency-Key creates one key, and shows it again', async () => {
    const tenant = await app.tenant()
    const header = { 'idempotency-key': unique('order') }
    const [first, second] = [
      await keys.create(tenant.id, undefined, header),
      await keys.create(tenant.id, undefined, header),
    ]
    assert.deepEqual(second.body, first.body)
    assert.deepEqual([second.headers['idempotent-replayed'], second.headers['cache-control']], ['true', 'no-store'])
    const { id } = first.body.apiKey
    const rotations = [await keys.rotate(tenant.id, id, {}, header), await keys.rotate(tenant.id, id, {}, header)]
    assert.deepEqual(rotations[1]?.body, rotations[0]?.body)
    assert.equal((await keys.list(tenant.id)).body.pagination.total, 2)
  })

  test('the last use is saved after the request, at most once a minute', async () => {
    const tenant = await app.tenant()
    const { id, key } = await app.apiKey(tenant)
    const lastUsedAt = async () => (await keys.get(tenant.id, id)).body.apiKey.lastUsedAt
    assert.equal(await lastUsedAt(), null)
    await keys.isLetIn(key)
    const firstUse = later(0)
    await app.app.flush()
    assert.equal(await lastUsedAt(), firstUse)
    app.clock.advance({ seconds: 59 })
    await keys.isLetIn(key)
    await app.app.flush()
    assert.equal(await lastUsedAt(), firstUse)
    app.clock.advance({ seconds: 1 })
    await keys.isLetIn(key)
    await app.app.flush()
    assert.equal(await lastUsedAt(), later(0))
  })
})
