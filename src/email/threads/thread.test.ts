import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { extendThread, insertThread } from './thread.store.ts'

let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser
let orgId: string

before(async () => {
  app = await testApp({ email: { domain: 'mail.example.org' } })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
})

/** A thread with one received mail. */
async function thread({ of = orgId, from, userId = null }: { of?: string; from: string; userId?: string | null }) {
  const ids = { threadId: newId(app.clock.now()), messageId: newId(app.clock.now()) }
  const now = app.clock.now()
  await transaction(app.scopeOf(key.tenantId), async (tx) => {
    await insertThread(tx, { id: ids.threadId, ownerId: of, orgId: of, subject: 'Slides', now })
    await run(
      tx,
      sql`insert into mail_messages (tenant_id, id, effect_key, message_id, refs, from_address, to_addresses, subject, text, verdicts,
          raw, raw_bytes, raw_type, status, received_at, owner_id, org_id, thread_id, sender_user_id)
        values (${tx.tenantId}, ${ids.messageId}, ${ids.messageId}, '<a@example.com>', '{}', ${from}, '{}', 'Slides', 'Where are they?', '{}',
          ${Buffer.from('Subject: Slides\r\n\r\nWhere?')}, 25, 'message/rfc822', 'received', ${now}, ${of}, ${of}, ${ids.threadId}, ${userId})`,
    )
    await extendThread(tx, { threadId: ids.threadId, people: [{ address: from, userId }], now })
  })
  return ids
}

const get = (user: TestUser, path: string) => orgs.call(user, 'GET', `/email${path}`)

describe('mail threads', () => {
  test('are read by admins, and by a member only where that member corresponds', async () => {
    const member = await orgs.add(key, orgId, 'member')
    const admin = await orgs.add(key, orgId, 'admin')
    const own = await thread({ from: member.email, userId: member.id })
    const other = await thread({ from: 'stranger@example.com' })
    const listed = async (user: TestUser) =>
      (await get(user, `/threads?orgId=${orgId}`)).body.threads.map(({ id }: { id: string }) => id)
    assert.deepEqual(await listed(member), [own.threadId])
    assert.ok((await listed(admin)).includes(other.threadId) && (await listed(owner)).includes(own.threadId))
    for (const path of [`/threads/${own.threadId}`, `/messages/${own.messageId}`, `/messages/${own.messageId}/raw`])
      for (const user of [member, admin]) assert.equal((await get(user, path)).status, 200, path)
    const stranger = await orgs.person(await app.apiKey(await app.tenant()))
    const unknown = newId(app.clock.now())
    for (const user of [member, stranger, await orgs.person(key)])
      for (const path of [
        `/threads/${other.threadId}`,
        `/messages/${other.messageId}`,
        `/messages/${other.messageId}/raw`,
      ]) {
        const [hidden, missing] = [await get(user, path), await get(user, path.replace(/[0-9a-f-]{36}/, unknown))]
        assert.deepEqual([hidden.status, { ...hidden.body, requestId: '' }], [404, { ...missing.body, requestId: '' }])
      }
  })

  test('show their mails, and each mail its text and its bytes', async () => {
    const { threadId, messageId } = await thread({ from: 'ana@example.com' })
    const { body } = await get(owner, `/threads/${threadId}`)
    const { subject, correspondents, messageCount, messages } = body.thread
    assert.deepEqual([subject, correspondents, messageCount], ['Slides', ['ana@example.com'], 1])
    assert.deepEqual([messages[0].id, messages[0].direction, messages[0].status], [messageId, 'in', 'received'])
    assert.equal((await get(owner, `/messages/${messageId}`)).body.message.text, 'Where are they?')
    const raw = await get(owner, `/messages/${messageId}/raw`)
    assert.equal(raw.bytes.toString(), 'Subject: Slides\r\n\r\nWhere?')
    assert.match(raw.headers['content-disposition'] ?? '', /^attachment; filename=".+\.eml"$/)
  })

  test('lose the mails of a user who is removed', async () => {
    const member = await orgs.add(key, orgId, 'member')
    const { messageId } = await thread({ from: member.email, userId: member.id })
    assert.equal(
      (await app.call({ method: 'DELETE', url: `/admin/users/${member.id}`, headers: app.admin })).status,
      204,
    )
    assert.equal((await get(owner, `/messages/${messageId}`)).status, 404)
    const left = sql`select from email_correspondents where tenant_id = ${key.tenantId} and address = ${member.email}`
    assert.deepEqual(await many(app.platform, left), [])
  })

  test('go with their organization', async () => {
    const { id } = await orgs.create(owner)
    const { threadId } = await thread({ of: id, from: 'ana@example.com' })
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${id}?confirm=Research`)).status, 204)
    for (const table of ['email_threads', 'mail_messages', 'email_configs'])
      assert.deepEqual(await many(app.platform, sql`select from ${sql.raw(table)} where owner_id = ${id}`), [], table)
    assert.equal((await get(owner, `/threads/${threadId}`)).status, 404)
  })
})
