import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp, testSecrets } from '../test/harness/app.ts'
import { createConnection, inboundApp, tenantAdministrator, webhooks } from '../test/harness/inbound.ts'
import { sealGrants } from '../test/harness/integrations.ts'
import { sealInvitation } from '../test/harness/mailed-invitation.ts'
import { webhookCalls } from '../test/harness/webhooks.ts'
import { sealedColumns } from './sealed-columns.ts'
import { many, sql } from './storage/query.ts'

let app: TestApp

test('every sealed column of the database is declared for the check of a backup', async () => {
  app = await testApp()
  const found = await many(
    app.platform,
    sql<{ place: string }>`select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = current_schema() and column_name like '%sealed%' order by 1`,
  )
  assert.deepEqual(
    sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    found.map(({ place }) => place),
  )
})

test('what is declared opens what the service seals', async () => {
  app = await testApp()
  const apiKey = await app.apiKey(await app.tenant())
  const user = await app.user(apiKey)
  await app.license({ id: user.tenantId })
  const headers = { ...user.headers, 'idempotency-key': 'sealed' }
  const body = { deviceName: 'laptop', deviceType: 'LINUX' }
  await app.call({ method: 'POST', url: '/vault/v1/devices', headers, body })
  const meeting = { title: 'Sealed', joinUrl: 'https://meet.jit.si/sealed?jwt=hidden' }
  const { body: made } = await app.call({
    method: 'POST',
    url: '/assistant/v1/meetings',
    headers: user.headers,
    body: meeting,
  })
  const push = { meetingId: made.id, provider: 'push' }
  await app.call({ method: 'POST', url: '/assistant/v1/bot', headers: user.headers, body: push })
  const receiving = await inboundApp()
  const owner = await tenantAdministrator(receiving)
  const { id } = await createConnection(receiving, owner)
  const url = `${webhooks}/connections/${id}/rotate-secret`
  await receiving.call({ method: 'POST', url, headers: owner.headers, body: {} })
  const hooks = webhookCalls(app)
  const whose = await hooks.subscriber()
  const endpoint = await hooks.endpoint(whose, 'https://hooks.example.com/')
  await hooks.call(whose, 'POST', `/endpoints/${endpoint.id}/rotate-secret`)
  await sealGrants()
  await sealInvitation()
  await app.promote(user)
  const mailServer = {
    host: 'mail.example.com',
    port: 993,
    security: 'tls',
    userName: 'robot',
    password: 'p4ss-of-a-mailbox',
  }
  const identity = { fromAddress: 'robot@example.com' }
  const servers = { identity, transport: { kind: 'smtp', ...mailServer }, inbound: { kind: 'imap', ...mailServer } }
  await app.call({ method: 'PUT', url: '/assistant/v1/email/config', headers: user.headers, body: servers })
  await app.call({ method: 'POST', url: '/assistant/v1/email/config/dkim', headers: user.headers })
  const account = { apiKey: 'a-key-of-an-account' }
  await app.call({ method: 'PUT', url: '/assistant/v1/bot/vendors/attendee', headers: user.headers, body: account })
  const planned = { title: 'Planning', joinUrl: 'https://meet.jit.si/PlanningOfMonday' }
  await app.call({ method: 'POST', url: '/assistant/v1/meetings', headers: user.headers, body: planned })
  for (const { table, column, owner, context: boundTo } of sealedColumns) {
    const texts = sql.raw(owner.map((name) => `${name}::text`).join(', '))
    const rows = await many(
      app.platform,
      sql<{ sealed: Buffer; owner: string[] }>`select ${sql.raw(column)} as sealed, array[${texts}] as owner
        from ${sql.raw(table)} where ${sql.raw(column)} is not null`,
    )
    assert.ok(rows.length > 0, table)
    for (const row of rows) assert.ok(testSecrets.open(row.sealed, boundTo(row.owner)).length > 0)
  }
})
