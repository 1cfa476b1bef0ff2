import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { keyCalls } from '../../../test/harness/key-calls.ts'
import { many, sql } from '../../storage/query.ts'

describe('the secrecy of API keys', () => {
  let app: TestApp
  let keys: ReturnType<typeof keyCalls>
  before(async () => {
    app = await testApp()
    keys = keyCalls(app)
  })

  test('no key is in a list, in the audit log or in the table of keys, and no hash outside its column', async () => {
    const tenant = await app.tenant()
    const made: { key: string; id: string }[] = [await app.apiKey(tenant), await app.apiKey(tenant)]
    made.push((await keys.rotate(tenant.id, made[0]?.id ?? '')).body.apiKey)
    await keys.revoke(tenant.id, made[1]?.id ?? '')
    const rows = await many(
      app.platform,
      sql<{ row: string; hash: string }>`select (to_jsonb(k) - 'key_hash')::text as row, encode(key_hash, 'hex') as hash
      from api_keys k where tenant_id = ${tenant.id}`,
    )
    const audit = await many(
      app.platform,
      sql<{ row: string }>`select to_jsonb(a)::text as row from audit_log a where tenant_id = ${tenant.id}`,
    )
    const answers: Reply[] = [
      await keys.list(tenant.id),
      ...(await Promise.all(made.map(({ id }) => keys.get(tenant.id, id)))),
      await app.call({ url: '/admin/tenants', headers: app.admin }),
    ]
    const text = [
      ...rows.map(({ row }) => row),
      ...audit.map(({ row }) => row),
      ...answers.map(({ bytes }) => bytes.toString()),
    ].join('\n')
    assert.equal(rows.length, 3)
    for (const { key } of made) assert.ok(!text.includes(key.slice(8)), 'a key')
    for (const { hash } of rows)
      assert.ok(
        !text.includes(hash) && !text.includes(Buffer.from(hash, 'hex').toString('base64').slice(0, 20)),
        'a hash',
      )
    for (const { bytes } of answers) assert.ok(!/keyHash|key_hash/.test(bytes.toString()))
  })

  test('each change is audited once, with its actor and request', async () => {
    const tenant = await app.tenant()
    const requestId = unique('request')
    app.clock.advance({ ms: 1 })
    const { apiKey } = (await keys.create(tenant.id, undefined, { 'x-request-id': requestId })).body
    app.clock.advance({ ms: 1 })
    const successor = (await keys.rotate(tenant.id, apiKey.id, { overlapSeconds: 60 })).body.apiKey
    app.clock.advance({ ms: 1 })
    await keys.revoke(tenant.id, successor.id)
    await keys.revoke(tenant.id, successor.id)
    await keys.create(tenant.id, { name: 'app', products: ['nothing'] })
    await keys.rotate(tenant.id, successor.id)
    const entries = await auditOfTenant(app.platform, tenant.id)
    assert.deepEqual(
      entries.map(({ action, targetId }) => [action, targetId]),
      [
        ['tenant.create', tenant.id],
        ['apiKey.create', apiKey.id],
        ['apiKey.rotate', apiKey.id],
        ['apiKey.revoke', successor.id],
      ],
    )
    const { at, ip, ...created } = entries[1] ?? {}
    assert.ok(at instanceof Date && typeof ip === 'string')
    assert.deepEqual(created, {
      tenantId: tenant.id,
      actorType: 'ADMIN',
      actorLabel: 'admin key',
      action: 'apiKey.create',
      targetType: 'apiKey',
      targetId: apiKey.id,
      outcome: 'ALLOWED',
      changes: { name: 'app', products: ['vault-vpn'], keyPrefix: apiKey.keyPrefix, expiresAt: null },
      requestId,
    })
    assert.equal(entries[2]?.changes?.successorId, successor.id)
  })
})
