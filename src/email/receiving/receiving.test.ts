import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { mailLines, smtpConversation } from '../../../test/harness/smtp-conversation.ts'
import { newId } from '../../kernel/ids.ts'
import { tokensWith } from '../../mime/mail-token.ts'
import { many, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import type { MailListener } from '../listener/listener.ts'
import { extendThread, insertThread } from '../threads/thread.store.ts'
import { loadReceived } from './load-received.service.ts'

const domain = 'mail.example.org'
const tokens = tokensWith(testSecrets.derive('email/token'))
let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser
let orgId: string
let address: string
let listener: MailListener

before(async () => {
  const resolve = async () => Promise.reject(Object.assign(new Error('no record'), { code: 'ENOTFOUND' }))
  app = await testApp({ email: { domain, lmtpPort: 0, resolve } })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  address = await addressOf(orgId)
  listener = (await app.app.listenForMail()) as MailListener
})
after(() => listener.close())

const addressOf = async (id: string): Promise<string> =>
  (await orgs.call(owner, 'GET', `/email/config?orgId=${id}`)).body.config.address

/** A mail of ours that was sent, in a thread of its own. */
async function sentMail(to = 'ana@example.com', of = orgId) {
  const now = app.clock.now()
  const [threadId, id, random] = [newId(now), newId(now), randomBytes(10)]
  const token = tokens.write('reply', random)
  const messageId = `<${token}@${domain}>`
  await transaction(app.scopeOf(key.tenantId), async (tx) => {
    await insertThread(tx, { id: threadId, ownerId: of, orgId: of, subject: 'Slides', now })
    await run(
      tx,
      sql`insert into mail_messages (tenant_id, id, effect_key, message_id, refs, from_address, to_addresses, subject, text, verdicts,
          status, direction, received_at, owner_id, org_id, thread_id, token)
        values (${tx.tenantId}, ${id}, ${id}, ${messageId}, '{}', ${address}, ${[to]}::text[], 'Slides', 'Here.', '{}',
          'sent', 'out', ${now}, ${of}, ${of}, ${threadId}, ${random})`,
    )
    await extendThread(tx, { threadId, people: [{ address: to, userId: null }], now })
  })
  return { threadId, messageId, token, replyTo: address.replace('@', `+${token}@`) }
}

type Sent = Awaited<ReturnType<typeof sentMail>>
type Reply = {
  envelope?: string
  from?: string
  to?: string
  headers?: string[]
  subject?: string
  text?: string
}

/** Delivers mails in one conversation, and tells in which thread each is. */
async function deliver(replies: Reply[]) {
  const marks = replies.map(() => unique('mark'))
  const lines = replies.flatMap(
    (
      {
        from = 'ana@example.com',
        envelope = from,
        to = address,
        headers = [],
        subject = 'Re: Slides',
        text = 'Thanks.',
      },
      index,
    ) => [
      `MAIL FROM:<${envelope}>`,
      `RCPT TO:<${to}>`,
      'DATA',
      mailLines(
        [`From: ${from}`, `Subject: ${subject}`, `Message-ID: <${marks[index]}@example.com>`, ...headers],
        text,
      ),
    ],
  )
  const answers = await smtpConversation(listener.lmtpPort, ['LHLO mta.example.com', ...lines])
  for (const answer of answers) assert.match(answer, /^[23]/)
  const rows = await many(
    app.platform,
    sql<{
      id: string
      mark: string
      threadId: string
      isStranger: boolean
      status: string
      cause: string | null
    }>`select id, message_id as mark, thread_id as "threadId", is_stranger as "isStranger", status, cause
      from mail_messages where tenant_id = ${key.tenantId} and direction = 'in'`,
  )
  return marks.map((mark) => {
    const row = rows.find((one) => one.mark === `<${mark}@example.com>`)
    assert.ok(row)
    return row
  })
}

/** How programs answer, and people with them: none of it may lose the thread. */
const answers: Record<string, (sent: Sent, other: Sent) => Reply> = {
  'all headers': (sent) => ({
    to: sent.replyTo,
    headers: [`In-Reply-To: ${sent.messageId}`, `References: ${sent.messageId}`],
  }),
  'the address alone': (sent) => ({ to: sent.replyTo }),
  'the address in capitals': (sent) => ({ to: sent.replyTo.toUpperCase() }),
  'the name in capitals': (sent) => ({ to: sent.replyTo.replace(/^[^+]+/, (name) => name.toUpperCase()) }),
  'In-Reply-To alone': (sent) => ({ headers: [`In-Reply-To: ${sent.messageId}`] }),
  'References alone': (sent) => ({ headers: [`References: ${sent.messageId}`] }),
  'In-Reply-To without brackets': (sent) => ({ headers: [`In-Reply-To: ${sent.messageId.slice(1, -1)}`] }),
  'In-Reply-To with a comment': (sent) => ({ headers: [`In-Reply-To: ${sent.messageId} (Ana's mail)`] }),
  'In-Reply-To folded': (sent) => ({ headers: [`In-Reply-To:\r\n ${sent.messageId}`] }),
  'In-Reply-To in capitals': (sent) => ({ headers: [`In-Reply-To: ${sent.messageId.toUpperCase()}`] }),
  'In-Reply-To null': (sent) => ({ to: sent.replyTo, headers: ['In-Reply-To: null'] }),
  'In-Reply-To empty': (sent) => ({ to: sent.replyTo, headers: ['In-Reply-To:', 'References:'] }),
  'In-Reply-To of another mail': (sent) => ({
    headers: ['In-Reply-To: <x@example.net>', `References: ${sent.messageId} <x@example.net>`],
  }),
  'References null and address': (sent) => ({ to: sent.replyTo, headers: ['References: null'] }),
  'References with others around': (sent) => ({
    headers: [`References: <a@b.example> ${sent.messageId} <c@d.example>`],
  }),
  'References on many lines': (sent) => ({
    headers: [`References: <a@b.example>\r\n\t${sent.messageId}\r\n <c@d.example>`],
  }),
  'References with commas': (sent) => ({ headers: [`References: <a@b.example>,${sent.messageId}`] }),
  'References of two threads, newest last': (sent, other) => ({
    headers: [`References: ${other.messageId} ${sent.messageId}`],
  }),
  'the address of one thread and In-Reply-To of another': (sent, other) => ({
    to: sent.replyTo,
    headers: [`In-Reply-To: ${other.messageId}`],
  }),
  'In-Reply-To of one thread and References of another': (sent, other) => ({
    headers: [`In-Reply-To: ${sent.messageId}`, `References: ${other.messageId}`],
  }),
  'a new subject': (sent) => ({ to: sent.replyTo, subject: 'Lunch?' }),
  'a translated subject': (sent) => ({
    headers: [`In-Reply-To: ${sent.messageId}`],
    subject: 'AW: WG: Antwort: Slides',
  }),
  'no subject': (sent) => ({ headers: [`In-Reply-To: ${sent.messageId}`], subject: '' }),
  'an encoded subject': (sent) => ({ to: sent.replyTo, subject: '=?utf-8?B?UsOpcDogU2xpZGVz?=' }),
  'no text': (sent) => ({ to: sent.replyTo, text: '' }),
  'HTML alone': (sent) => ({
    to: sent.replyTo,
    headers: ['MIME-Version: 1.0', 'Content-Type: text/html'],
    text: '<p>Thanks</p>',
  }),
  'an attachment alone': (sent) => ({
    to: sent.replyTo,
    headers: ['MIME-Version: 1.0', 'Content-Type: application/pdf', 'Content-Disposition: attachment; filename=a.pdf'],
  }),
  'latin-1 without saying so': (sent) => ({ to: sent.replyTo, text: 'Gr\u00fc\u00dfe' }),
  'the sender in capitals': (sent) => ({ from: 'Ana@Example.COM', headers: [`References: ${sent.messageId}`] }),
  'a name with a comma': (sent) => ({ to: sent.replyTo, headers: ['Reply-To: "Ray, Ana" <ana@example.com>'] }),
  'old headers of a forwarder': (sent) => ({
    to: sent.replyTo,
    headers: ['Resent-From: x@example.net', 'Resent-Message-ID: <r@example.net>'],
  }),
  'bounce-like headers': (sent) => ({
    to: sent.replyTo,
    headers: ['Return-Path: <>', 'X-Failed-Recipients: a@b.example'],
  }),
  'the address twice': (sent) => ({ to: sent.replyTo, headers: [`To: ${sent.replyTo}, ${sent.replyTo}`] }),
  'an answer to all': (sent) => ({
    to: sent.replyTo,
    headers: [`To: ${sent.replyTo}`, 'Cc: b@example.com, c@example.com'],
  }),
  'our id in X-headers too': (sent) => ({ to: sent.replyTo, headers: [`X-Original-Message-ID: ${sent.messageId}`] }),
  'a quoted mail below': (sent) => ({ to: sent.replyTo, text: 'Thanks.\r\n\r\n> Here.' }),
}
/** From addresses that are not of the thread: kept in it, as a stranger's. */
const strangers: Record<string, (sent: Sent) => Reply> = {
  'an alias': (sent) => ({ from: 'ana.ray@example.com', to: sent.replyTo }),
  'somebody to whom it was forwarded': (sent) => ({
    from: 'bob@example.net',
    headers: [`In-Reply-To: ${sent.messageId}`],
  }),
}
/** What looks like an answer and is none of ours. */
const others: Record<string, (sent: Sent) => Reply> = {
  'the same subject alone': () => ({ subject: 'Re: Slides' }),
  'a stranger with References alone': (sent) => ({
    from: 'bob@example.net',
    headers: [`References: ${sent.messageId}`],
  }),
  'a forged id': (sent) => ({
    headers: [`In-Reply-To: <${'a'.repeat(26)}@${domain}>`, `References: ${sent.messageId.replace(/<..../, '<aaaa')}`],
  }),
}

describe('an answer', () => {
  test('finds its thread however programs write it, and no other', async () => {
    const cases = Object.entries({ ...answers, ...strangers, ...others })
    assert.ok(cases.length >= 40)
    const sent: (readonly [Sent, Sent])[] = []
    for (const _ of cases) sent.push([await sentMail(), await sentMail()] as const)
    const rows = await deliver(cases.map(([, write], index) => write(...(sent[index] as [Sent, Sent]))))
    for (const [index, [name]] of cases.entries()) {
      const isOther = name in others
      assert.equal(rows[index]?.threadId === sent[index]?.[0].threadId, !isOther, name)
      assert.equal(rows[index]?.isStranger, name in strangers, name)
      assert.notEqual(rows[index]?.threadId, sent[index]?.[1].threadId, name)
    }
  })

  test('by the token of another organization begins a thread of its own', async () => {
    const elsewhere = await orgs.create(owner)
    const sent = await sentMail()
    const to = (await addressOf(elsewhere.id)).replace('@', `+${sent.token}@`)
    const [row] = await deliver([{ to }])
    assert.notEqual(row?.threadId, sent.threadId)
  })
})

test('a mail that names no sender is kept and ignored: nobody could be answered', async () => {
  const [row] = await deliver([{ from: 'nobody', envelope: 'ana@example.com' }])
  assert.deepEqual([row?.status, row?.cause], ['ignored', 'NO_SENDER'])
})

test('a mail with bytes that no database keeps is stored', async () => {
  const headers = [
    'In-Reply-To: <a\0b@example.com>',
    'References: <c\0d@example.com> <e@example.com>',
    'Cc: x\0y@example.com',
  ]
  const [row] = await deliver([{ from: 'an\0a@example.com', envelope: 'ana@example.com', headers, text: 'A\0B' }])
  assert.equal(row?.status, 'received')
})

test('a mail that cannot be read again ends as ignored', async () => {
  const [row] = await deliver([{}])
  const id = row?.id ?? ''
  await run(app.platform, sql`update mail_messages set raw_type = 'text/plain' where id = ${id}`)
  await app.settled()
  const found = sql`select status, cause from mail_messages where id = ${id}`
  assert.deepEqual(await many(app.platform, found), [{ status: 'ignored', cause: 'QUARANTINED' }])
})

test('a mail that all attempts fail to look at is dead, and is looked at again when somebody asks', async () => {
  const [row] = await deliver([{}])
  const id = row?.id ?? ''
  const settings = (value: string) =>
    run(app.platform, sql`update email_configs set settings = ${value}::jsonb where owner_id = ${orgId}`)
  await settings('{"replies": {"audience": "domains", "domains": null}}')
  for (let attempt = 1; attempt <= 8; attempt++) {
    await app.settled()
    app.clock.advance({ seconds: 3600 })
  }
  owner = await meetingCalls(app).again(owner)
  const call = async (method: string, path = '') =>
    (await orgs.call(owner, method, `/email/messages/${id}${path}`)).body
  assert.equal((await call('GET')).message.status, 'dead')
  const { outcome, cause } = (await call('GET', '/trace')).trace
  assert.deepEqual([outcome, cause], ['ignored', 'UNAVAILABLE'])
  await settings('{}')
  assert.equal((await call('POST', '/retry')).message.status, 'received')
  await app.settled()
  const { message } = await call('GET')
  assert.deepEqual([message.status, message.cause], ['ignored', 'SENDER_NOT_ALLOWED'])
  assert.equal((await call('POST', '/retry')).code, 'STATE_CONFLICT')
})

test('a received mail is loaded with its files and headers, and the user who claims to have sent it', async () => {
  const member = await orgs.add(key, orgId, 'member')
  const headers = ['MIME-Version: 1.0', 'Reply-To: team@example.com', 'Content-Type: multipart/mixed; boundary=b']
  const text =
    '--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: text/vtt\r\nContent-Disposition: attachment; filename="a.vtt"\r\n\r\nWEBVTT\r\n--b--'
  const [row] = await deliver([{ from: member.email, to: address.replace('@', '+docs@'), headers, text }])
  const findVerifiedUser = async (_: unknown, email: string) => (email === member.email ? member.id : null)
  const loaded = await loadReceived(app.scopeOf(key.tenantId), row?.id ?? '', { findVerifiedUser })
  assert.ok(loaded)
  assert.deepEqual(
    [
      loaded.tag,
      loaded.text,
      loaded.claimedUserId,
      loaded.senderUserId,
      loaded.authenticity,
      loaded.replyTo[0]?.address,
    ],
    ['docs', 'See the file.', member.id, null, 'none', 'team@example.com'],
  )
  assert.deepEqual(
    loaded.attachments.map(({ filename, type }) => [filename, type]),
    [['a.vtt', 'text/vtt']],
  )
  assert.equal(
    Buffer.from(loaded.attachments[0]?.content ?? [])
      .toString()
      .trim(),
    'WEBVTT',
  )
  assert.ok(loaded.headers.some(([name]) => name === 'content-type'))
})
