import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type TestApp, type TestTenant, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { many, run, sql } from '../../storage/query.ts'
import { openTempFile } from './temp-file.ts'
import { tenantFileService } from './tenant-file.service.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const suspend = ({ id }: TestTenant) =>
  app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body: { status: 'SUSPENDED' } })
const remove = ({ id, slug }: TestTenant) =>
  app.call({ method: 'DELETE', url: `/admin/tenants/${id}?confirm=${slug}`, headers: app.admin })

/** A tenant with data of every kind, under unique names, which are returned as `marks`. */
async function busyTenant() {
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

describe('the export of a tenant', () => {
  test('contains every row between header and end, and no secret that is not the tenant’s', async () => {
    const { mark, tenant, key, user, device, license, sdk } = await busyTenant()
    const reply = await exportTenant(app, tenant.id)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'application/gzip')
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['content-length'], String(reply.bytes.length))
    assert.match(reply.headers['content-disposition'] ?? '', new RegExp(`filename="tenant-${tenant.slug}.ndjson.gz"`))
    const { head, rows, end } = readTenantFile(reply.bytes)
    assert.deepEqual([head.format, head.version, head.createdAt], ['atrium-tenant', 1, app.clock.now().toISOString()])
    assert.deepEqual([head.tenant.id, head.tenant.slug, head.tenant.name], [tenant.id, tenant.slug, `${mark}-tenant`])
    const of = (table: string) => rows.filter((line) => line.table === table).map(({ row }) => row)
    assert.equal(of('users')[0].email, `${mark}-user@example.com`)
    assert.equal(of('users')[0].name, `${mark}-renamed`)
    assert.equal(of('apiKeys')[0].name, `${mark}-key`)
    assert.equal(of('devices')[0].deviceName, `${mark}-device`)
    assert.deepEqual(
      new Map(of('licenses').map((row) => [row.key, row.label])),
      new Map([
        [license.key, `${mark}-label`],
        [sdk.key, `${mark}-sdk`],
      ]),
    )
    const idOf = (one: { key: string }) => of('licenses').find((row) => row.key === one.key).id
    const [session, validation] = [of('licenseUses'), of('licenseUseBatches')]
    assert.deepEqual(
      session.map(({ licenseId, source }) => [licenseId, source]),
      [[idOf(license), 'SESSION']],
    )
    assert.deepEqual(
      validation.map(({ licenseId, usesCount }) => [licenseId, usesCount]),
      [[idOf(sdk), 1]],
    )
    assert.equal(of('vpnSessions')[0].deviceId, device.id)
    assert.ok(of('auditLog').some(({ action }) => action === 'user.register'))
    assert.ok(end.counts.users === 1 && end.counts.userSessions === 1)
    assert.ok(head.leftOut['users.passwordHash'] && head.leftOut['refreshTokens.*'])

    const text = gunzipSync(reply.bytes).toString('utf8')
    const [, privateKey = ''] = /PrivateKey = (\S+)/.exec(device.config) ?? []
    for (const secret of [privateKey, user.password, user.refreshToken, key.key, 'argon2id']) {
      assert.ok(secret.length > 5 && !text.includes(secret))
    }
    const exports = (await auditOfTenant(app.platform, tenant.id)).filter(({ action }) => action === 'tenant.export')
    assert.deepEqual(
      exports.map(({ actorType }) => actorType),
      ['ADMIN'],
    )
  })

  test('reveals when it was truncated or changed', async () => {
    const bytes = (await exportTenant(app, (await busyTenant()).tenant.id)).bytes
    const text = gunzipSync(bytes).toString('utf8')
    assert.throws(() => readTenantFile(bytes.subarray(0, -20)), 'cut in the middle')
    const lines = text.split('\n')
    assert.throws(() => readTenantFile(gzipSync(lines.slice(0, -2).join('\n'))), 'cut between two lines')
    assert.throws(() => readTenantFile(gzipSync(lines.toSpliced(2, 1).join('\n'))), 'a line less')
    assert.throws(() => readTenantFile(gzipSync(text.replace('canary', 'kanary'))), 'a letter changed')
  })

  test('contains the rows of one tenant only, also if it is suspended or deleted', async () => {
    const [ours, theirs] = [await busyTenant(), await busyTenant()]
    for (const change of [suspend, remove]) {
      await change(ours.tenant)
      const text = gunzipSync((await exportTenant(app, ours.tenant.id)).bytes).toString('utf8')
      assert.ok(text.includes(ours.mark) && !text.includes(theirs.mark) && !text.includes(theirs.tenant.id))
    }
    assert.deepEqual(codeOf(await exportTenant(app, '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57')), [404, 'NOT_FOUND'])
  })

  test('is a consistent snapshot, over any number of pages and parallel writes', async () => {
    const tenant = await app.tenant()
    const { id } = await app.license(tenant)
    const rows = 2500
    await run(
      app.platform,
      sql`insert into license_uses (tenant_id, license_id, operation_id, source, used_at)
        select ${tenant.id}, ${id}, 'operation-' || n, 'VALIDATE', ${app.clock.now()} from generate_series(1, ${rows}::int) n`,
    )
    await run(
      app.platform,
      sql`insert into audit_log (id, at, tenant_id, actor_type, actor_label, action, target_type, outcome)
        select gen_random_uuid(), ${app.clock.now()}, ${tenant.id}, 'SYSTEM', 'atrium', 'some.thing', 'thing', 'ALLOWED'
        from generate_series(1, ${rows}::int)`,
    )
    // Each change writes rows in two tables, and a snapshot has both or neither. The log is read before the licenses.
    let isOver = false
    const writing = (async () => {
      while (!isOver) await app.license(tenant)
    })()
    const files = await Promise.all(Array.from({ length: 4 }, () => exportTenant(app, tenant.id)))
    isOver = true
    await writing
    for (const { bytes } of files) {
      const { rows: lines } = readTenantFile(bytes)
      const uses = lines.filter(({ table }) => table === 'licenseUses')
      assert.equal(new Set(uses.map(({ row }) => row.operationId)).size, rows)
      const licenses = lines.filter(({ table }) => table === 'licenses').length
      assert.equal(licenses, lines.filter(({ row }) => row.action === 'license.create').length)
    }
  })

  test('is aborted if it takes too long, and its source is stopped', { timeout: 5000 }, async () => {
    const file = await openTempFile({ timeoutMs: 20 })
    let isOver = false
    const endless = (async function* () {
      try {
        for (;;) {
          yield 'a line'
          await new Promise(setImmediate)
        }
      } finally {
        isOver = true
      }
    })()
    await assert.rejects(file.writeGzip(endless), (fault) => fault instanceof Refusal && fault.code === 'UNAVAILABLE')
    assert.equal(isOver, true)
    await file.close()
  })

  test('is given up if nobody reads it', { timeout: 5000 }, async () => {
    const file = await openTempFile({ readTimeoutMs: () => 20 })
    await file.writeGzip(Readable.from(['a line']))
    const { content } = await file.read()
    await once(content, 'close')
    assert.equal(content.readableEnded, false)
  })

  test('leaves no file descriptor open, whether it is read or fails', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length
    const tenant = await app.tenant()
    await exportTenant(app, tenant.id)
    const earlier = descriptors()
    for (let round = 0; round < 10; round++) await exportTenant(app, tenant.id)
    const file = await openTempFile()
    const failing = (async function* () {
      yield 'a line'
      throw new Error('the database has gone')
    })()
    await assert.rejects(file.writeGzip(failing), /the database has gone/)
    await file.close()
    await new Promise(setImmediate)
    assert.ok(descriptors() < earlier + 8, `${earlier} before, ${descriptors()} after`)
  })
})

test('the export of an organization leaves the embedded database to others meanwhile', async () => {
  const { id: tenantId } = await app.tenant()
  const deps = { clock: app.clock, isEmbedded: true, tables: () => [] }
  const files = tenantFileService(deps as unknown as Parameters<typeof tenantFileService>[0])
  let asked = 0
  const { content } = await files.exportOrganization(app.scopeOf(tenantId), async () => {
    asked++
    await many(app.platform, sql`select 1`)
    return { id: tenantId, tenantId, name: 'Research' }
  })
  content.destroy()
  assert.equal(asked, 2, 'who may export is asked again after the last page')
})

describe('the erasure of a tenant', () => {
  test('leaves no data of the tenant in any table, and does not touch other tenants', async () => {
    const [ours, theirs] = [await busyTenant(), await busyTenant()]
    const body = { email: ours.user.email }
    await app.call({ method: 'POST', url: '/vault/v1/auth/password/forgot', headers: ours.user.headers, body })
    await app.app.flush() // times of last use are written late
    const before = await rowsWith(app.platform, theirs.mark)
    assert.ok((await rowsWith(app.platform, ours.mark)).length >= 12, 'there is something to erase')
    const isOfJobs = (row: string) => row.startsWith('jobs.')
    assert.ok((await rowsWith(app.platform, ours.tenant.id)).some(isOfJobs), 'also in the queue')
    await suspend(ours.tenant)
    app.clock.advance({ seconds: 1 })
    const reply = await erase(app, ours.tenant)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body.erased, {
      api_keys: 1,
      users: 1,
      user_sessions: 1,
      refresh_tokens: 1,
      login_failures: 1,
      login_sources: 1,
      licenses: 2,
      license_uses: 1,
      license_use_batches: 1,
      license_exhaustions: 0,
      tasks: 1,
      task_comments: 0,
      task_changes: 1,
      task_proposals: 0,
      task_calendars: 0,
      task_reminders: 0,
      task_counters: 1,
      task_labels: 1,
      labelled_tasks: 1,
      collections: 1,
      collection_members: 0,
      collection_changes: 0,
      documents: 0,
      document_versions: 0,
      document_chunks: 0,
      erased_documents: 0,
      indexed_items: 0,
      indexed_chunks: 0,
      indexed_sources: 0,
      indexed_terms: 0,
      asks: 0,
      ask_parts: 0,
      ask_citations: 0,
      drafted_answers: 0,
      drafted_answer_quotes: 0,
      mail_messages: 0,
      mail_message_parts: 0,
      tenant_storage: 0,
      webhook_connections: 0,
      webhook_deliveries: 0,
      webhook_delivery_parts: 0,
      devices: 1,
      vpn_sessions: 1,
      meetings: 1,
      meeting_shares: 1,
      meeting_counts: 1,
      transcript_entries: 1,
      summaries: 1,
      model_tokens: 0,
      organizations: 1,
      organization_members: 1,
      organization_invitations: 1,
      mail_outbox: 2,
      account_tokens: 1,
      usage_metrics: 3,
      usage_actives: 3,
      usage_overrides: 0,
      usage_grants: 0,
      usage_own_limits: 0,
      usage_thresholds: 0,
      usage_counters: 18,
      usage_by_day: 7,
      usage_reservations: 0,
      usage_unsettled: 0,
      usage_recounts: 0,
      usage_reports: 0,
      usage_told: 0,
      webhook_endpoints: 0,
      webhook_messages: 0,
      webhook_sends: 0,
      webhook_attempts: 0,
    })
    assert.deepEqual(await rowsWith(app.platform, ours.mark), [])
    assert.deepEqual((await rowsWith(app.platform, theirs.mark)).toSorted(), before.toSorted())
    const left = (await rowsWith(app.platform, ours.tenant.id)).map((row) => row.split(' ')[0])
    assert.deepEqual([...new Set(left)].sort(), ['public.audit_log', 'public.row_count_changes', 'public.tenants'])
    const entries = await auditOfTenant(app.platform, ours.tenant.id)
    assert.ok(entries.some(({ action, actorLabel }) => action === 'user.register' && actorLabel === '[erased]'))
    const last = entries.find(({ action }) => action === 'tenant.erase')
    assert.deepEqual(last?.changes, { erased: reply.body.erased })
  })

  test('requires a suspended or deleted tenant and its slug, and works once', async () => {
    const [suspended, removed] = [await app.tenant(), await app.tenant()]
    assert.deepEqual(codeOf(await erase(app, { ...suspended, slug: 'other' })), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await erase(app, suspended)), [409, 'STATE_CONFLICT'])
    assert.equal((await app.call({ url: `/admin/tenants/${suspended.id}`, headers: app.admin })).status, 200)
    await suspend(suspended)
    await remove(removed)
    for (const tenant of [suspended, removed]) {
      assert.equal((await erase(app, tenant)).status, 200)
      assert.deepEqual(codeOf(await erase(app, tenant)), [404, 'NOT_FOUND'])
      assert.deepEqual(codeOf(await erase(app, { ...tenant, slug: `erased-${tenant.id}` })), [404, 'NOT_FOUND'])
      assert.deepEqual(codeOf(await exportTenant(app, tenant.id)), [404, 'NOT_FOUND'])
    }
    const list = await app.call({ url: '/admin/tenants?q=platform', headers: app.admin })
    const builtIn = list.body.tenants.find(({ slug }: TestTenant) => slug === 'platform')
    assert.deepEqual(codeOf(await erase(app, builtIn)), [409, 'STATE_CONFLICT'])
    assert.equal((await app.tenant({ slug: suspended.slug })).slug, suspended.slug, 'the slug is free again')
  })

  test('of eight parallel erasures one succeeds', async () => {
    const { tenant } = await busyTenant()
    await suspend(tenant)
    const answers = await Promise.all(Array.from({ length: 8 }, () => erase(app, tenant)))
    assert.deepEqual(answers.map(codeOf).sort(), [[200, undefined], ...Array(7).fill([404, 'NOT_FOUND'])])
  })

  test('makes the keys, tokens and ids of the tenant unknown', async () => {
    const { tenant, key, user, device, license } = await busyTenant()
    await suspend(tenant)
    await erase(app, tenant)
    const me = (headers: Record<string, string>, url: string) => app.call({ url, headers })
    assert.deepEqual(codeOf(await me(user.headers, '/vault/v1/auth/me')), [401, 'API_KEY_INVALID'])
    const { authorization = '' } = user.headers
    assert.deepEqual(codeOf(await me({ authorization }, '/v1/auth/me')), [401, 'TOKEN_INVALID'])
    const refresh = { method: 'POST', url: '/v1/auth/refresh', body: { refreshToken: user.refreshToken } }
    assert.deepEqual(codeOf(await app.call(refresh)), [401, 'REFRESH_INVALID'])
    for (const url of [
      `/admin/tenants/${tenant.id}`,
      `/admin/tenants/${tenant.id}/api-keys`,
      `/admin/tenants/${tenant.id}/api-keys/${key.id}`,
      `/admin/users/${user.id}`,
      `/vault/v1/licenses/${license.key}`,
    ]) {
      assert.deepEqual(codeOf(await app.call({ url, headers: app.admin })), [404, 'NOT_FOUND'], url)
    }
    const ask = { licenseKey: license.key }
    const other: TestUser = await vpnCalls(app).someone()
    const verdict = await app.call({
      method: 'POST',
      url: '/vault/v1/licenses/validate',
      headers: other.headers,
      body: ask,
    })
    assert.equal(verdict.body.code, 'NOT_FOUND')
    const body = { tenantId: tenant.id, product: 'vault-vpn', plan: 'PRO' }
    const created = await app.call({ method: 'POST', url: '/vault/v1/licenses', headers: app.admin, body })
    assert.equal(created.status, 400, 'nothing can be added to what is gone')
    assert.equal((await vpnCalls(app).get(other, `/devices/${device.id}`)).status, 404)
  })

  test('frees the addresses of its devices, and notifies their servers’ nodes of the removed keys', async () => {
    const vpn = vpnCalls(app)
    const server = await vpn.server()
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    const devices = [1, 2].map(() => vpn.register(user, { region: server.region }))
    const [first, second] = (await Promise.all(devices)).map(({ body }) => body.device)
    const keys = [first.publicKey, second.publicKey]
    await vpn.revoke(user, first.id)
    const removedKeys = () =>
      many(
        app.platform,
        sql<{ key: string }>`select public_key as key from vpn_removed_peers where server_id = ${server.id}`,
      )
    const before = await vpn.countsOf(server.id)
    assert.deepEqual([before?.active, await removedKeys()], [1, []])
    await remove(tenant)
    await erase(app, tenant)
    assert.deepEqual(
      (({ active, freed }) => ({ active, freed }))((await vpn.countsOf(server.id)) ?? { active: -1, freed: -1 }),
      { active: 0, freed: 2 },
    )
    assert.ok(((await vpn.countsOf(server.id))?.revision ?? 0) > (before?.revision ?? 0))
    assert.deepEqual((await removedKeys()).map(({ key }) => key).sort(), keys.sort())
  })
})
