import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { mailLines, smtpConversation } from '../../../test/harness/smtp-conversation.ts'
import { utcDay } from '../../kernel/period.ts'
import { bounceClass } from '../../mime/delivery-report.ts'
import { maybeOne, run, sql } from '../../storage/query.ts'
import { recountStorage } from '../inbox/mail-message.store.ts'
import type { MailListener } from '../listener/listener.ts'
import { countMailsOfDay, takeMail } from './day-count.store.ts'

const domain = 'mail.example.org'
let app: TestApp
let server: MailServer
let listener: MailListener
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser
let orgId: string

before(async () => {
  server = await startMailServer()
  const resolve = async () => Promise.reject(Object.assign(new Error('no record'), { code: 'ENOTFOUND' }))
  app = await testApp({
    email: { domain, lmtpPort: 0, resolve },
    mail: { smtp: { url: server.url, from: 'no-reply@example.org' }, publicUrl: null },
  })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  listener = (await app.app.listenForMail()) as MailListener
})
after(() => Promise.all([server.close(), listener.close()]))

const send = (user: TestUser, to: string[], of = orgId) =>
  orgs.call(user, 'POST', `/email/send?orgId=${of}`, { body: { to, subject: 'Notes', text: 'See you.' } })
const message = async (id: string) => (await orgs.call(owner, 'GET', `/email/messages/${id}`)).body.message

describe('a mail', () => {
  test('is sent in the background, and its answer finds its thread', async () => {
    const { status, body } = await send(owner, ['ana@example.com'])
    assert.deepEqual([status, body.message.status], [202, 'queued'])
    await app.settled()
    const mail = await server.mailTo('ana@example.com')
    const replyTo = mail.headers['reply-to'] ?? ''
    assert.match(replyTo, /^[a-z0-9-]+\+[a-z2-7]{26}@mail\.example\.org$/)
    assert.ok(mail.from.endsWith(`@${domain}`) && mail.from !== replyTo)
    const sent = await message(body.message.id)
    assert.deepEqual([sent.status, sent.messageId], ['sent', mail.headers['message-id']])
    const log = JSON.stringify(await auditOfTenant(app.platform, key.tenantId))
    assert.ok(log.includes('email_message.send') && !log.includes('ana@example.com'))
    const mails = sql`select from usage_by_day where tenant_id = ${key.tenantId} and meter = 'mails' and org_id = ${orgId}`
    await app.app.flush()
    assert.notEqual(await maybeOne(app.platform, mails), null)
    app.clock.advance({ seconds: 1 })
    const answer = mailLines(['From: ana@example.com', 'Subject: Other', 'Message-ID: <answer@example.com>'])
    await smtpConversation(listener.lmtpPort, [
      'LHLO mta',
      'MAIL FROM:<ana@example.com>',
      `RCPT TO:<${replyTo}>`,
      'DATA',
      answer,
    ])
    const { thread } = (await orgs.call(owner, 'GET', `/email/threads/${sent.threadId}`)).body
    assert.deepEqual(
      thread.messages.map(({ direction, isStranger }: Record<string, unknown>) => [direction, isStranger]),
      [
        ['out', false],
        ['in', false],
      ],
    )
  })

  test('that comes back for good is bounced, and its address gets no more', async () => {
    const { body } = await send(owner, ['gone@example.com'])
    await app.settled()
    const { from } = await server.mailTo('gone@example.com')
    const report = mailLines(
      [
        'From: mailer-daemon@example.com',
        'Subject: Failed',
        'Message-ID: <report@example.com>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
      ],
      '--r\r\n\r\nSorry.\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; someone-else@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n--r--',
    )
    await smtpConversation(listener.lmtpPort, ['LHLO mta', 'MAIL FROM:<>', `RCPT TO:<${from}>`, 'DATA', report])
    assert.equal((await message(body.message.id)).status, 'bounced')
    const again = await send(owner, ['gone@example.com'])
    await app.settled()
    assert.equal((await message(again.body.message.id)).status, 'suppressed')
  })

  test('that a server does not take now is deferred, and one that it never takes is bounced', async () => {
    server.refuse([550, '5.7.1 No'])
    const rejected = await send(owner, ['never@example.com'])
    await app.settled()
    assert.equal((await message(rejected.body.message.id)).status, 'bounced')
    server.refuse([450, '4.2.1 Busy'])
    const busy = await send(owner, ['later@example.com'])
    await app.settled()
    assert.equal((await message(busy.body.message.id)).status, 'deferred')
  })

  test('that failed is sent again by one of several who ask at once, and no other is', async () => {
    const { id } = (await send(owner, ['failed@example.com'])).body.message
    await app.settled()
    const { headers } = await server.mailTo('failed@example.com')
    const retry = (user: TestUser) => orgs.call(user, 'POST', `/email/messages/${id}/retry`)
    assert.equal((await retry(owner)).status, 409)
    await run(app.platform, sql`update mail_messages set status = 'failed', attempts = 10 where id = ${id}`)
    const member = await orgs.add(key, orgId, 'member')
    assert.deepEqual([(await retry(member)).status, (await retry(await orgs.person(key))).status], [404, 404])
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await retry(owner)).status))
    assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409])
    await app.settled()
    assert.equal((await server.mailTo('failed@example.com')).headers['message-id'], headers['message-id'])
    assert.deepEqual(
      [(await message(id)).status, server.received.filter(({ to }) => to.includes('failed@example.com')).length],
      ['sent', 2],
    )
  })

  /** As a process leaves it that dies while it sends. */
  const cutOff = async (to: string, minutes: number) => {
    const { id } = (await send(owner, [to])).body.message
    const claimedUntil = new Date(app.clock.now().getTime() + minutes * 60_000)
    await run(
      app.platform,
      sql`update mail_messages set status = 'sending', claimed_until = ${claimedUntil} where id = ${id}`,
    )
    await app.settled()
    assert.equal((await message(id)).status, 'sending')
    return id
  }

  test('whose process died while it was sent is tried again when its claim is over', async () => {
    const id = await cutOff('cut-off@example.com', 2)
    app.clock.advance({ seconds: 180 })
    await app.settled()
    assert.equal((await message(id)).status, 'sent')
    assert.equal((await server.mailTo('cut-off@example.com')).text.trim(), 'See you.')
  })

  test('whose attempts all end so has failed, and can be sent again', async () => {
    const day = 24 * 60
    const id = await cutOff('never-done@example.com', 30 * day)
    for (let attempt = 1; attempt < 10; attempt++) {
      app.clock.advance({ seconds: 3 * 3600 })
      await app.settled()
    }
    const again = await meetingCalls(app).again(owner)
    const call = (method: string, path = '') => orgs.call(again, method, `/email/messages/${id}${path}`)
    assert.equal((await call('GET')).body.message.status, 'failed')
    assert.equal((await call('POST', '/retry')).status, 200)
    await app.settled()
    assert.equal((await call('GET')).body.message.status, 'sent')
    owner = again
  })

  test('that somebody reports as spam is the last one to that address', async () => {
    const complain = async (report: string, id: string) =>
      smtpConversation(listener.lmtpPort, [
        'LHLO mta',
        'MAIL FROM:<fbl@example.com>',
        `RCPT TO:<${(await orgs.call(owner, 'GET', `/email/config?orgId=${orgId}`)).body.config.address}>`,
        'DATA',
        mailLines(
          [
            'From: fbl@example.com',
            `Message-ID: <${id}@example.com>`,
            'MIME-Version: 1.0',
            'Content-Type: multipart/report; report-type=feedback-report; boundary=r',
          ],
          `--r\r\n\r\nA complaint.\r\n--r\r\nContent-Type: message/feedback-report\r\n\r\n${report}\r\n--r--`,
        ),
      ])
    const { id } = (await send(owner, ['angry@example.com'])).body.message
    await app.settled()
    const { from } = await server.mailTo('angry@example.com')
    const forged = from.replace(/\+.{4}/, '+aaaa')
    await complain(`Feedback-Type: abuse\r\nOriginal-Mail-From: <${forged}>`, 'c1')
    await complain(`Feedback-Type: not-spam\r\nOriginal-Mail-From: <${from}>`, 'c2')
    const list = () => orgs.call(owner, 'GET', `/email/suppressions?orgId=${orgId}&address=angry@example.com`)
    assert.deepEqual((await list()).body.suppressions, [])
    await complain(`Feedback-Type: abuse\r\nOriginal-Mail-From: <${from}>`, 'c3')
    assert.deepEqual(
      (await list()).body.suppressions.map(({ reason }: { reason: string }) => reason),
      ['complaint'],
    )
    assert.equal((await message(id)).status, 'sent')
  })

  test('goes to the participants of a meeting that its writer may read', async () => {
    const member = await orgs.add(key, orgId, 'member')
    const meet = async (visibility: string) => {
      const participants = [{ name: 'Guest', email: 'Guest@example.com' }]
      const body = { title: 'Review', orgId, visibility, participants }
      const made = await orgs.call(owner, 'POST', '/meetings', { body })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body.id
    }
    const write = async (to: string, meetingId?: string) =>
      (
        await orgs.call(member, 'POST', `/email/send?orgId=${orgId}`, {
          body: { to: [to], subject: 'Notes', text: 'See you.', ...(meetingId === undefined ? {} : { meetingId }) },
        })
      ).status
    const open = await meet('org')
    assert.equal(await write('guest@example.com', open), 202)
    assert.equal(await write('guest@example.com'), 403)
    assert.equal(await write('other@example.com', open), 403)
    assert.equal(await write('guest@example.com', await meet('private')), 404)
    assert.equal(await write('guest@example.com', orgId), 404)
  })

  test('is one of those that the tenant may send in a day, also of many at once', async () => {
    const small = await app.apiKey(await app.tenant({ limits: { maxMailsPerDay: 3 } }))
    const writer = await orgs.person(small)
    const of = (await orgs.create(writer)).id
    const statuses = async () =>
      (await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(writer, ['ana@example.com'], of)))).map(
        ({ status, body }) => body.code ?? status,
      )
    assert.deepEqual((await statuses()).toSorted(), [202, 202, 202, ...Array(3).fill('QUOTA_EXCEEDED')])
    assert.equal((await orgs.call(writer, 'GET', `/email/threads?orgId=${of}`)).body.threads.length, 3)
    const counted = (day: Date) => countMailsOfDay(app.scopeOf(small.tenantId), utcDay(day))
    const tomorrow = new Date(app.clock.now().getTime() + 24 * 3600_000)
    assert.deepEqual([await counted(app.clock.now()), await counted(tomorrow)], [3, 0])
    const day = utcDay(tomorrow)
    const taken = await Promise.all([1, 2, 3].map(() => takeMail(app.scopeOf(small.tenantId), { day, max: 2 })))
    assert.deepEqual(taken.toSorted(), [false, true, true])
  })

  test('takes no storage, and gives none back', async () => {
    const other = (await orgs.create(owner)).id
    const counted = async () =>
      (
        await maybeOne(
          app.platform,
          sql<{ bytes: number }>`select mail_bytes as bytes from tenant_storage where tenant_id = ${key.tenantId}`,
        )
      )?.bytes
    const before = await counted()
    assert.equal((await send(owner, ['ana@example.com'], other)).status, 202)
    await app.settled()
    assert.equal(await counted(), before)
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${other}?confirm=Research`)).status, 204)
    assert.equal(await counted(), before)
    assert.deepEqual(await recountStorage(app.scopeOf(key.tenantId)), { counted: before, expected: before })
  })

  test('of a member goes to members alone, and of a viewer to nobody', async () => {
    const member = await orgs.add(key, orgId, 'member')
    assert.equal((await send(member, [owner.email])).status, 202)
    assert.equal((await send(member, ['ana@example.com'])).status, 403)
    assert.equal((await send(await orgs.add(key, orgId, 'viewer'), [owner.email])).status, 403)
    const stranger = await orgs.person(await app.apiKey(await app.tenant()))
    assert.equal((await send(stranger, [owner.email])).status, 404)
    assert.equal((await send(owner, ['nobody'])).status, 400)
  })
})

test('only a status of a delivery report tells of a bounce', () => {
  const report = (content: string) => ({
    text: '',
    attachments: [{ filename: null, type: 'message/delivery-status', method: null, content: Buffer.from(content) }],
  })
  assert.equal(bounceClass(report('Action: failed\nStatus: 5.1.1')), 5)
  assert.equal(bounceClass(report('Status: 4.2.2')), 4)
  assert.equal(bounceClass(report('Status: 2.0.0')), null)
  assert.equal(bounceClass({ text: 'My status: 5 of 6', attachments: [] }), null)
})
