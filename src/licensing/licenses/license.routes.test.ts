import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { eventBus } from '../../storage/events.ts'
import { many, one, sql } from '../../storage/query.ts'
import { licenseService } from './license.service.ts'
import { licenseIssuer } from './license-issuing.ts'

const address = '/vault/v1/licenses'

async function setup() {
  const app = await testApp()
  const tenant = await app.tenant()
  const send = (method: string, path: string, body?: unknown) =>
    app.call({ method, url: `${address}${path}`, headers: app.admin, ...(body === undefined ? {} : { body }) })
  const create = (body: object) =>
    send('POST', '', { tenantId: tenant.id, product: 'vault-vpn', plan: 'STARTER', ...body })
  const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()
  return { app, tenant, send, create, inMs }
}

/** The audit entries of one target: action and changes, oldest first. */
function auditOf(app: TestApp, id: string) {
  return many(
    app.platform,
    sql<{
      action: string
      actor: string
      tenantId: string
      changes: Record<string, unknown>
    }>`select action, actor_type as actor,
      tenant_id as "tenantId", changes from audit_log where target_id = ${id} order by at, id`,
  )
}

test('a new license is returned completely, with its address in Location, and is not cacheable', async () => {
  const { app, tenant, create } = await setup()
  const expiresAt = '2999-12-31T23:59:59.000Z'
  const { status, headers, body } = await create({
    maxUses: 7,
    expiresAt: '2999-12-31t23:59:59+00:00',
    label: ' Order 1 ',
  })
  assert.equal(status, 201)
  const { id, key, ...rest } = body.license
  assert.match(key, /^ATR(-[0-9A-HJKMNP-TV-Z]{5}){5}$/)
  const now = app.clock.now().toISOString()
  assert.deepEqual(rest, {
    keyHint: key.slice(-5),
    tenantId: tenant.id,
    product: 'vault-vpn',
    plan: 'STARTER',
    status: 'ACTIVE',
    maxUses: 7,
    usesCount: 0,
    usesRemaining: 7,
    expiresAt,
    label: 'Order 1',
    createdAt: now,
    updatedAt: now,
    revokedAt: null,
    lastUsedAt: null,
    lastValidatedAt: null,
  })
  assert.equal(headers['location'], `${address}/${id}`)
  assert.equal(headers['cache-control'], 'no-store')
  const read = await app.call({ url: String(headers['location']), headers: app.admin })
  assert.equal(read.status, 200)
  assert.deepEqual(read.body, { license: { id, key, ...rest } })
  assert.equal(read.headers['cache-control'], 'no-store')
})

test('a plan includes its uses, and an unlimited plan stays unlimited whatever is sent', async () => {
  const { create } = await setup()
  const cases: [object, number | null][] = [
    [{ plan: 'TRIAL' }, 5],
    [{ plan: 'TRIAL', maxUses: 9 }, 9],
    [{ plan: 'STARTER' }, 100],
    [{ plan: 'STARTER', maxUses: null }, 100],
    [{ plan: 'STARTER', maxUses: 0 }, 0],
    [{ plan: 'PRO' }, null],
    [{ plan: 'PRO', maxUses: 10 }, null],
    [{ plan: 'ENTERPRISE', maxUses: 10 }, null],
  ]
  for (const [body, maxUses] of cases) {
    const { license } = (await create(body)).body
    assert.deepEqual([license.maxUses, license.usesRemaining, license.expiresAt], [maxUses, maxUses, null])
  }
})

test('an invalid license is rejected with the path of the wrong member', async () => {
  const { tenant, create, inMs, app } = await setup()
  const gone = await app.tenant()
  await app.call({ method: 'DELETE', url: `/admin/tenants/${gone.id}?confirm=${gone.slug}`, headers: app.admin })
  const cases: [object, string, string][] = [
    [{ product: 'no-such-product' }, 'UNKNOWN_PRODUCT', '/body/product'],
    [{ product: '' }, 'VALIDATION_ERROR', '/body/product'],
    [{ tenantId: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57' }, 'VALIDATION_ERROR', '/body/tenantId'],
    [{ tenantId: gone.id }, 'VALIDATION_ERROR', '/body/tenantId'],
    [{ tenantId: 'x' }, 'VALIDATION_ERROR', '/body/tenantId'],
    [{ tenantId: tenant.id.toUpperCase() }, 'VALIDATION_ERROR', '/body/tenantId'],
    [{ plan: 'starter' }, 'VALIDATION_ERROR', '/body/plan'],
    [{ plan: null }, 'VALIDATION_ERROR', '/body/plan'],
    [{ maxUses: -1 }, 'VALIDATION_ERROR', '/body/maxUses'],
    [{ maxUses: 1.5 }, 'VALIDATION_ERROR', '/body/maxUses'],
    [{ maxUses: '5' }, 'VALIDATION_ERROR', '/body/maxUses'],
    [{ maxUses: 2 ** 31 }, 'VALIDATION_ERROR', '/body/maxUses'],
    [{ expiresAt: inMs(0) }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ expiresAt: inMs(-1) }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ expiresAt: '2030-01-01' }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ expiresAt: '2030-02-30T00:00:00Z' }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ expiresAt: '2030-12-31T23:59:60Z' }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ expiresAt: '9999-12-31T23:59:59-01:00' }, 'VALIDATION_ERROR', '/body/expiresAt'],
    [{ label: 'x'.repeat(201) }, 'VALIDATION_ERROR', '/body/label'],
    [{ usesCount: 0 }, 'VALIDATION_ERROR', '/body/usesCount'],
    [{ status: 'ACTIVE' }, 'VALIDATION_ERROR', '/body/status'],
  ]
  for (const [fault, code, path] of cases) {
    const { status, body } = await create(fault)
    assert.deepEqual([status, body.code, body.errors?.[0]?.path], [400, code, path], JSON.stringify(fault))
  }
  assert.equal((await create({ expiresAt: inMs(1) })).status, 201)
})

test('creating twice with one Idempotency-Key creates one license', async () => {
  const { app, tenant } = await setup()
  const request = {
    method: 'POST',
    url: address,
    headers: { ...app.admin, 'idempotency-key': unique('order') },
    body: { tenantId: tenant.id, product: 'vault-vpn', plan: 'PRO' },
  }
  const first = await app.call(request)
  const second = await app.call(request)
  assert.deepEqual(second.body, first.body)
  assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, 'true'])
  const list = await app.call({ url: `${address}?tenantId=${tenant.id}`, headers: app.admin })
  assert.equal(list.body.pagination.total, 1)
})

test('a key in the path is accepted in every spelling', async () => {
  const { create, send } = await setup()
  const { key } = (await create({})).body.license
  const forms = [
    key,
    key.toLowerCase(),
    key.replaceAll('-', ''),
    key.replaceAll('-', '%20'),
    key.replaceAll('0', 'o').replaceAll('1', 'l'),
  ]
  for (const form of forms) {
    assert.equal((await send('GET', `/${form}`)).body.license?.key, key, form)
    assert.equal((await send('GET', `/${form}/uses`)).status, 200)
    assert.equal((await send('PATCH', `/${form}`, {})).status, 200)
  }
})

test('every route gives the same 404 for an unknown and a malformed key', async () => {
  const { send } = await setup()
  const unknown = 'ATR-00000-00000-00000-00000-8AGH3'
  const requests: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { label: 'x' }],
    ['POST', '/revoke'],
    ['GET', '/uses'],
  ]
  for (const [method, path, body] of requests) {
    const answers = []
    for (const key of [unknown, unknown.replace('8', '9'), 'validate', 'x'.repeat(300), '%F0%9F%98%80']) {
      const { requestId, ...problem } = (await send(method, `/${key}${path}`, body)).body
      answers.push(problem)
    }
    for (const answer of answers) assert.deepEqual(answer, { ...answers[0], status: 404, code: 'NOT_FOUND' })
  }
})

test('a change sets its members, clears with null, and keeps the rest', async () => {
  const { app, create, send, inMs } = await setup()
  const { license } = (await create({ expiresAt: inMs(60_000), label: 'Order 1' })).body
  const change = async (body: object) => (await send('PATCH', `/${license.key}`, body)).body.license
  app.clock.advance({ seconds: 1 })
  assert.deepEqual(await change({}), license)
  assert.deepEqual(await change({ label: 'Order 1', plan: 'STARTER', maxUses: 100 }), license)
  const updatedAt = app.clock.now().toISOString()
  const cleared = { ...license, expiresAt: null, label: null, updatedAt }
  assert.deepEqual(await change({ expiresAt: null, label: null }), cleared)
  assert.deepEqual(await change({ maxUses: 3 }), { ...cleared, maxUses: 3, usesRemaining: 3 })
  assert.deepEqual(await change({ maxUses: null }), { ...cleared, maxUses: null, usesRemaining: null })
  assert.deepEqual(await change({ plan: 'TRIAL' }), { ...cleared, plan: 'TRIAL', maxUses: 5, usesRemaining: 5 })
  assert.deepEqual(await change({ plan: 'PRO', maxUses: 3 }), {
    ...cleared,
    plan: 'PRO',
    maxUses: null,
    usesRemaining: null,
  })
  const refused = [
    { plan: null },
    { maxUses: -1 },
    { expiresAt: inMs(0) },
    { usesCount: 0 },
    { product: 'editing-sdk' },
    { status: 'ACTIVE' },
  ]
  for (const body of refused)
    assert.equal((await send('PATCH', `/${license.key}`, body)).status, 400, JSON.stringify(body))
})

test('each change is audited once, with the changed members and without the key', async () => {
  const { app, tenant, create, send } = await setup()
  const { id, key } = (await create({})).body.license
  const requests: [string, string, object?][] = [
    ['PATCH', '', { plan: 'TRIAL', label: 'Order 2' }],
    ['PATCH', '', { plan: 'TRIAL' }],
    ['POST', '/revoke'],
    ['POST', '/revoke'],
  ]
  for (const [method, path, body] of requests) {
    app.clock.advance({ ms: 1 })
    await send(method, `/${key}${path}`, body)
  }
  const entries = await auditOf(app, id)
  assert.deepEqual(
    entries.map(({ action, actor, tenantId }) => [action, actor, tenantId]),
    ['license.create', 'license.update', 'license.revoke'].map((action) => [action, 'ADMIN', tenant.id]),
  )
  assert.deepEqual(entries[1]?.changes, {
    plan: { from: 'STARTER', to: 'TRIAL' },
    maxUses: { from: 100, to: 5 },
    label: { from: null, to: 'Order 2' },
  })
  assert.ok(!JSON.stringify(entries).includes(key))
})

test('revoking works from every state and is final; revoking again gives the same answer', async () => {
  const { app, create, send, inMs } = await setup()
  const active = (await create({})).body.license
  const expired = (await create({ expiresAt: inMs(1) })).body.license
  app.clock.advance({ ms: 1 })
  assert.equal((await send('GET', `/${expired.key}`)).body.license.status, 'EXPIRED')
  for (const { key } of [active, expired]) {
    const first = await send('POST', `/${key}/revoke`)
    assert.deepEqual([first.status, first.body.license.status], [200, 'REVOKED'])
    assert.equal(first.body.license.revokedAt, app.clock.now().toISOString())
    app.clock.advance({ seconds: 1 })
    assert.deepEqual((await send('POST', `/${key}/revoke`)).body, first.body)
    const extended = (await send('PATCH', `/${key}`, { expiresAt: null, maxUses: 500 })).body.license
    assert.deepEqual([extended.status, extended.revokedAt], ['REVOKED', first.body.license.revokedAt])
  }
})

test('20 parallel revocations emit one event, and a failing listener rolls the revocation back', async () => {
  const { app, create, send } = await setup()
  const { id, key, tenantId } = (await create({})).body.license
  const events = eventBus()
  const told: object[] = []
  let isBroken = true
  events.on('license.revoked', async (_tx, event) => {
    if (isBroken) throw new Error('the sessions could not be ended')
    told.push(event)
  })
  const audit = async () => undefined
  const service = licenseService({
    clock: app.clock,
    events,
    audit,
    issue: licenseIssuer({ secrets: testSecrets, audit, events }),
    unknownProducts: async () => [],
    tenantExists: async () => true,
    validated: { mark: () => undefined, flush: async () => undefined },
  })
  await assert.rejects(service.revoke(app.platform, key), /could not be ended/)
  assert.equal((await send('GET', `/${key}`)).body.license.status, 'ACTIVE')
  isBroken = false
  const revoked = await Promise.all(Array.from({ length: 20 }, () => service.revoke(app.platform, key)))
  assert.ok(revoked.every(({ revokedAt }) => revokedAt?.getTime() === app.clock.now().getTime()))
  assert.deepEqual(told, [{ tenantId, licenseId: id }])
})

test('the database contains no readable license key', async () => {
  const { app, create } = await setup()
  const { id, key } = (await create({})).body.license
  const { row } = await one(
    app.platform,
    sql<{ row: string }>`select licenses::text as row from licenses where id = ${id}`,
  )
  assert.ok(!row.includes(key))
  assert.ok(!row.includes(Buffer.from(key).toString('hex')))
})

test('only administrators see or change licenses', async () => {
  const { app, tenant, create } = await setup()
  const { key } = (await create({})).body.license
  const { key: apiKey } = await app.apiKey(tenant)
  const requests: [string, string][] = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${key}`],
    ['PATCH', `/${key}`],
    ['POST', `/${key}/revoke`],
    ['GET', `/${key}/uses`],
  ]
  for (const [method, path] of requests) {
    const { status, body } = await app.call({ method, url: `${address}${path}`, headers: { 'x-api-key': apiKey } })
    assert.deepEqual([status, body.code], [401, 'ADMIN_KEY_MISSING'])
  }
})
