import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestTenant, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { busyTenant } from '../../../test/harness/busy-tenant.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { erase, exportTenant } from '../../../test/harness/tenant-files.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { many, sql } from '../../storage/query.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const suspend = ({ id }: TestTenant) =>
  app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body: { status: 'SUSPENDED' } })
const remove = ({ id, slug }: TestTenant) =>
  app.call({ method: 'DELETE', url: `/admin/tenants/${id}?confirm=${slug}`, headers: app.admin })

describe('the erasure of a tenant', () => {
  test('leaves no data of the tenant in any table, and does not touch other tenants', async () => {
    const [ours, theirs] = [await busyTenant(app), await busyTenant(app)]
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
      indexed_vectors: 0,
      asks: 0,
      ask_parts: 0,
      ask_citations: 0,
      drafted_answers: 0,
      drafted_answer_citations: 0,
      drafted_answer_quotes: 0,
      email_configs: 1,
      email_dkim_keys: 0,
      email_verifications: 0,
      email_threads: 0,
      email_correspondents: 0,
      mail_messages: 0,
      mail_invitations: 0,
      mail_invitation_meetings: 0,
      mail_message_parts: 0,
      email_suppressions: 0,
      email_delivery_failures: 0,
      email_citations: 0,
      email_reply_counts: 0,
      email_day_counts: 0,
      email_mailboxes: 0,
      email_digests: 0,
      email_digest_mails: 0,
      tenant_storage: 0,
      webhook_connections: 0,
      webhook_deliveries: 0,
      webhook_delivery_parts: 0,
      integration_apps: 0,
      integration_returns: 0,
      integrations: 0,
      integration_actions: 0,
      integration_authorizations: 0,
      integration_calendars: 0,
      integration_channels: 0,
      integration_containers: 0,
      integration_files: 0,
      integration_issues: 0,
      integration_syncs: 0,
      integration_transcripts: 0,
      integration_events: 0,
      bots: 0,
      bot_events: 0,
      bot_commands: 0,
      bot_artifacts: 0,
      bot_scripts: 0,
      bot_runners: 0,
      bot_settings: 0,
      bot_policies: 0,
      bot_vendors: 0,
      bot_vendor_runs: 0,
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
      usage_limit_revisions: 1,
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
    const { tenant } = await busyTenant(app)
    await suspend(tenant)
    const answers = await Promise.all(Array.from({ length: 8 }, () => erase(app, tenant)))
    assert.deepEqual(answers.map(codeOf).sort(), [[200, undefined], ...Array(7).fill([404, 'NOT_FOUND'])])
  })

  test('makes the keys, tokens and ids of the tenant unknown', async () => {
    const { tenant, key, user, device, license } = await busyTenant(app)
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
