import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { jsonPayload, mailBytes, snsMail } from '../../../test/harness/payloads.ts'
import { erase } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'

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
  const deliver = async (change: Record<string, unknown> = {}, connectionId = newId(app.clock.now())) => {
    app.clock.advance({ seconds: 1 })
    const payload = { ...jsonPayload('postmark-inbound'), MessageID: unique('m'), Headers: [], ...change }
    const outcome = await effects.process(tenant, { scheme: 'postmark', channel: 'email', payload, connectionId })
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
    const third = await deliver({}, connectionId)
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
    for (const path of ['', `/${id}`]) {
      const { status, body } = await app.call({ url: `${base}${path}`, headers: colleague.headers })
      assert.deepEqual([status, body.code], [403, 'INSUFFICIENT_ROLE'])
    }
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
