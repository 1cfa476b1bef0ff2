import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { jsonPayload, mailBytes, snsMail } from '../../../test/harness/payloads.ts'
import { erase } from '../../../test/harness/tenant-files.ts'
import type { ReceivedDelivery } from '../../inbound/processing.ts'
import { newId } from '../../kernel/ids.ts'
import { one, run, sql } from '../../storage/query.ts'
import { deleteMessagesBefore } from '../inbox/mail-message.store.ts'

const base = '/assistant/v1/email/messages'
let app: TestApp
let effects: ReturnType<typeof effectsOver>

before(async () => {
  app = await testApp()
  effects = effectsOver(app)
})

async function mailTenant() {
  const tenant = await app.tenant()
  const user = await app.user(await app.apiKey(tenant))
  await app.promote(user)
  const deliver = async (change: Record<string, unknown> = {}, sent: Partial<ReceivedDelivery> = {}) => {
    app.clock.advance({ seconds: 1 })
    const payload = { ...jsonPayload('postmark-inbound'), MessageID: unique('m'), Headers: [], ...change }
    const outcome = await effects.process(tenant, { scheme: 'postmark', channel: 'email', payload, ...sent })
    assert.ok(outcome.kind === 'processed')
    return outcome.effects[0]?.targetId ?? ''
  }
  const read = (path = '', headers: Record<string, string> = user.headers): Promise<Reply> =>
    app.call({ url: `${base}${path}`, headers })
  return { tenant, user, deliver, read }
}

const idsIn = ({ body }: Reply) => body.messages.map(({ id }: { id: string }) => id)

describe('a received mail', () => {
  test('is read with its text, and listed without it', async () => {
    const { tenant, read } = await mailTenant()
    const body = snsMail({ mail: mailBytes() })
    const outcome = await effects.process(tenant, { scheme: 'sns', channel: 'email', body, contentType: 'text/plain' })
    const id = outcome.kind === 'processed' ? outcome.effects[0]?.targetId : ''
    const { status, headers, body: answer } = await read(`/${id}`)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    const [row] = await effects.rows('mail_messages', tenant)
    const { text, ...line } = answer.message
    assert.deepEqual(
      [text, line.subject, line.from, line.to, line.references, line.verdicts, line.messageId],
      [
        row?.['text'],
        row?.['subject'],
        row?.['from_address'],
        row?.['to_addresses'],
        row?.['refs'],
        row?.['verdicts'],
        row?.['message_id'],
      ],
    )
    assert.ok(text.length > 10 && line.rawBytes === mailBytes().length, JSON.stringify(line))
    assert.deepEqual((await read()).body.messages, [line])
    const url = `/admin/tenants/${tenant.id}/email/messages`
    assert.deepEqual((await app.call({ url: `${url}/${id}`, headers: app.admin })).body, answer)
    assert.deepEqual((await app.call({ url, headers: app.admin })).body.messages, [line])
  })

  test('is listed newest first, in pages, and by its connection, sender and time', async () => {
    const { deliver, read } = await mailTenant()
    const connectionId = newId(app.clock.now())
    const first = await deliver()
    const between = new Date(app.clock.now().getTime() + 500).toISOString()
    const second = await deliver({ FromFull: { Email: 'Grace@Example.com', Name: '' }, From: 'Grace@Example.com' })
    const third = await deliver({}, { connectionId })
    assert.deepEqual(idsIn(await read()), [third, second, first])
    const page = await read('?limit=2&page=2')
    assert.deepEqual([idsIn(page), page.body.pagination.total, page.body.pagination.totalPages], [[first], 3, 2])
    const filters: [query: string, ids: string[]][] = [
      ['sender=grace@example.com', [second]],
      ['sender=nobody@example.com', []],
      [`connectionId=${connectionId}`, [third]],
      [`to=${between}`, [first]],
      [`from=${between}`, [third, second]],
    ]
    for (const [query, ids] of filters) assert.deepEqual(idsIn(await read(`?${query}`)), ids, query)
    for (const query of ['connectionId=x', 'from=yesterday', 'subject=a', 'limit=0'])
      assert.equal((await read(`?${query}`)).status, 400, query)
  })

  test('is shown to nobody but administrators of its tenant, and to others like one that never existed', async () => {
    const { tenant, deliver } = await mailTenant()
    const id = await deliver()
    const stranger = await mailTenant()
    const foreign = await stranger.read(`/${id}`)
    const unknown = await stranger.read(`/${newId(app.clock.now())}`)
    assert.deepEqual([foreign.status, { ...foreign.body, requestId: '' }], [404, { ...unknown.body, requestId: '' }])
    assert.deepEqual(idsIn(await stranger.read()), [])
    const elsewhere = `/admin/tenants/${stranger.tenant.id}/email/messages/${id}`
    assert.equal((await app.call({ url: elsewhere, headers: app.admin })).status, 404)
    const colleague: TestUser = await app.user(await app.apiKey(tenant))
    const asked = async (path: string) => {
      const { status, body } = await app.call({ url: `${base}${path}`, headers: colleague.headers })
      return [status, body.code]
    }
    assert.deepEqual(await asked(''), [403, 'INSUFFICIENT_ROLE'])
    assert.deepEqual(await asked(`/${id}`), [404, 'NOT_FOUND'])
  })

  test('shows its text to no administrator of the platform below OWNER, because mails carry links that log in', async () => {
    const { tenant, deliver } = await mailTenant()
    const id = await deliver()
    const made = {
      method: 'POST',
      url: '/v1/platform/admin/keys',
      headers: app.admin,
      body: { name: 'Ana', role: 'VIEWER' },
    }
    const headers = { 'x-admin-key': (await app.call(made)).body.adminKey.key }
    const { message } = (await app.call({ url: `/admin/tenants/${tenant.id}/email/messages/${id}`, headers })).body
    assert.deepEqual([message.id, message.text], [id, null])
  })

  test('ends after 90 days, and goes with its tenant', async () => {
    const { tenant, deliver } = await mailTenant()
    const url = `/admin/tenants/${tenant.id}/email/messages`
    const id = await deliver()
    app.clock.advance({ seconds: 91 * 24 * 3600 })
    await effects.clear()
    assert.equal((await app.call({ url: `${url}/${id}`, headers: app.admin })).status, 404)
    await deliver()
    const suspend = {
      method: 'PATCH',
      url: `/admin/tenants/${tenant.id}`,
      headers: app.admin,
      body: { status: 'SUSPENDED' },
    }
    await app.call(suspend)
    assert.equal((await erase(app, tenant)).status, 200)
    assert.equal((await app.call({ url, headers: app.admin })).status, 404)
  })
})

test('large mails are deleted few at a time, because a statement that takes too long is cancelled', async () => {
  const { tenant, deliver } = await mailTenant()
  for (let n = 0; n < 3; n++) await deliver({}, { receivedAt: new Date('2020-01-01') })
  await run(app.platform, sql`update mail_messages set raw_bytes = ${5 * 1024 * 1024} where tenant_id = ${tenant.id}`)
  const deleted = []
  for (let count = 1; count > 0; deleted.push(count))
    count = await deleteMessagesBefore(app.platform, new Date('2020-01-02'))
  assert.deepEqual(deleted, [2, 1, 0])
})

test('a mail takes storage for its bytes and for its text', async () => {
  const tenant = await app.tenant({ limits: { maxStorageBytes: 300_000 } })
  const deliver = (MessageID: string) => {
    const payload = { ...jsonPayload('postmark-inbound'), MessageID, Headers: [], TextBody: 'é'.repeat(50_000) }
    return effects.process(tenant, { scheme: 'postmark', channel: 'email', payload })
  }
  await deliver('first')
  await assert.rejects(deliver('second'), { code: 'QUOTA_EXCEEDED' })
})

describe('the storage of mails', () => {
  /** What is counted, and what the mails take. */
  const storage = (tenant: { id: string }) =>
    one(
      app.platform,
      sql<{ counted: number; taken: number }>`select mail_bytes as counted, (
          select coalesce(sum(octet_length(text) + octet_length(raw)), 0)::bigint from mail_messages where tenant_id = ${tenant.id}) as taken
        from tenant_storage where tenant_id = ${tenant.id}`,
    )

  test('is counted exactly while mails are stored and deleted at once, and given back by those that end', async () => {
    const { tenant, deliver } = await mailTenant()
    const old = { receivedAt: new Date('2020-01-03') }
    for (let n = 0; n < 4; n++) await deliver({}, old)
    const before = new Date('2020-01-04')
    const deletions = [1, 2].map(() => deleteMessagesBefore(app.platform, before))
    await Promise.all([...deletions, deliver(), deliver({}, old), deliver()])
    const { counted, taken } = await storage(tenant)
    assert.ok(taken > 0)
    assert.equal(counted, taken)
    app.clock.advance({ seconds: 91 * 24 * 3600 })
    await effects.clear()
    assert.deepEqual(await storage(tenant), { counted: 0, taken: 0 })
  })

  test('is taken without waiting for whoever changes the tenant, because storing a large mail takes long', {
    skip: process.env['ATRIUM_TEST_DATABASE'] !== 'postgres' && 'PGlite runs one transaction at a time',
  }, async () => {
    const { tenant, deliver } = await mailTenant()
    const held = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const holding = app.platform.handle.transaction(async (handle) => {
      await handle.execute(sql`select from tenants where id = ${tenant.id} for no key update`)
      held.resolve()
      await mayEnd.promise
    })
    await held.promise
    await deliver().finally(mayEnd.resolve)
    await holding
  })
})

test("mails of any number at once do not take more than the tenant's storage", async () => {
  const tenant = await app.tenant({ limits: { maxStorageBytes: 2_500_000 } })
  const sent = (id: number) => ({
    scheme: 'postmark' as const,
    channel: 'email' as const,
    payload: { ...jsonPayload('postmark-inbound'), MessageID: `m${id}`, Headers: [], TextBody: 'x'.repeat(1_000_000) },
    connectionId,
  })
  const connectionId = newId(app.clock.now())
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((id) => effects.process(tenant, sent(id))))
  const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.deepEqual(
    refused.map(({ reason }) => reason.code),
    Array(4).fill('QUOTA_EXCEEDED'),
  )
  assert.equal((await effects.rows('mail_messages', tenant)).length, 2)
  // What is stored already needs no room.
  const known = outcomes.findIndex(({ status }) => status === 'fulfilled') + 1
  assert.equal((await effects.process(tenant, sent(known))).kind, 'processed')
})

test('of the limit of the tenant and the limit of its plan the lower one refuses, and says which it is', async () => {
  const tenant = await app.tenant({ limits: { maxStorageBytes: 2_000 } })
  await app.license(tenant, { product: 'assistant-ai', plan: 'TRIAL' })
  const connectionId = newId(app.clock.now())
  const send = (id: string) =>
    effects
      .process(tenant, {
        scheme: 'postmark',
        channel: 'email',
        payload: { ...jsonPayload('postmark-inbound'), MessageID: id, Headers: [], TextBody: 'x'.repeat(3_000) },
        connectionId,
      })
      .then(
        () => 'stored',
        ({ code, message }) => `${code} ${message}`,
      )
  const limitPlan = (bytes: number) =>
    run(
      app.platform,
      sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
        values (${tenant.id}, 'storageBytes', ${bytes}, 'test', ${app.clock.now()})
        on conflict (tenant_id, meter) do update set hard = excluded.hard`,
    )
  assert.match(await send('1'), /^QUOTA_EXCEEDED .*maxStorageBytes is 2000,/)
  await limitPlan(1_000)
  assert.match(await send('2'), /^QUOTA_EXCEEDED .*storageBytes that the platform has set is 1000,/)
  await run(app.platform, sql`update tenants set limits = '{}' where id = ${tenant.id}`)
  assert.match(await send('3'), /^QUOTA_EXCEEDED .*storageBytes that the platform has set is 1000,/)
  await limitPlan(1_000_000)
  assert.equal(await send('4'), 'stored')
})
