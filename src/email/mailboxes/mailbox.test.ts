import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { type Dovecot, hasDovecot, startDovecot } from '../../../test/harness/dovecot.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { openMailbox } from '../../outgoing/imap-mailbox.ts'
import { run, sql } from '../../storage/query.ts'
import { claimDue, renewLeases } from './mailbox.store.ts'

const domain = 'mail.example.org'
const password = unique('pass-of-the-mailbox')
let app: TestApp
let dovecot: Dovecot
let server: MailServer
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser

const skip = hasDovecot ? false : 'Dovecot (dovecot-imapd) is not installed'

before(async () => {
  if (!hasDovecot) return
  const noRecords = async () => {
    throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
  }
  dovecot = await startDovecot(password)
  server = await startMailServer()
  app = await testApp({
    // Reading what is due must not read the mailboxes of other tests.
    database: await freshDatabase(),
    email: { domain, resolve: noRecords },
    mail: { smtp: { url: server.url, from: `no-reply@${domain}` }, publicUrl: null },
  })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
})
after(() => hasDovecot && Promise.all([dovecot.close(), server.close()]))

// Mails arrive by the clock of the machine.
beforeEach(() => app?.clock.advance({ ms: Date.now() - app.clock.now().getTime() }))

const mail = (subject: string, ...headers: string[]) =>
  [
    'Return-Path: <ana@example.com>',
    'From: Ana <ana@example.com>',
    'To: team@acme.example',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    ...headers,
    '',
    'Where are the slides?',
    '',
  ].join('\r\n')

/** An organization with a mailbox of its own. */
async function mailbox(change: Record<string, unknown> = {}) {
  const { id } = await orgs.create(owner)
  const account = `${unique('team').toLowerCase()}@acme.example`
  const call = async (method: string, path: string, body?: unknown) =>
    orgs.call(owner, method, `/email${path}?orgId=${id}`, body === undefined ? {} : { body })
  const put = (more: object) => call('PUT', '/config', { inbound: more })
  const server = { host: '127.0.0.1', port: dovecot.port, security: 'none', userName: account, password }
  const set = await put({ kind: 'imap', ...server, ...change })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  return {
    id,
    account,
    call,
    put,
    deliver: (text: string | Buffer, arrivedAt?: Date) => dovecot.deliver(account, text, arrivedAt),
    subjects: async () =>
      ((await call('GET', '/threads')).body.threads as { subject: string }[]).map(({ subject }) => subject).toSorted(),
    status: async () => (await call('GET', '/config')).body.config.status,
  }
}

const readDue = () => app.app.mailboxes.readDue()
const later = (seconds: number) => app.clock.advance({ seconds })

describe('a mailbox', { skip }, () => {
  test('is read each minute: a mail is in a thread once, and in the folder when it is stored', async () => {
    const { account, deliver, subjects, status } = await mailbox({ folder: 'Read' })
    await deliver(mail('first'))
    await readDue()
    assert.deepEqual(await subjects(), ['first'])
    assert.equal((await dovecot.mails(account)).length, 0)
    assert.equal((await dovecot.mails(account, 'Read')).length, 1)
    const { mailbox: health } = await status()
    assert.deepEqual([health.cause, health.readAt], [null, app.clock.now().toISOString()])
    await deliver(mail('second'))
    await readDue()
    assert.deepEqual(await subjects(), ['first'], 'before the minute is over')
    later(60)
    await readDue()
    assert.deepEqual(await subjects(), ['first', 'second'])
  })

  test('gives what arrives since it was set up, and leaves alone what is older', async () => {
    const { account, deliver, subjects } = await mailbox({ folder: 'Read' })
    await deliver(mail('older'), new Date(Date.now() - 3600_000))
    await deliver(mail('newer'))
    await readDue()
    assert.deepEqual([await subjects(), (await dovecot.mails(account)).length], [['newer'], 1])
  })

  test('that numbers its mails anew loses none and doubles none', async () => {
    const { id, account, deliver, subjects } = await mailbox()
    await deliver(mail('one'))
    await deliver(mail('two'))
    await readDue()
    // As after many mails that were deleted since: the new numbers are lower.
    await run(app.platform, sql`update email_mailboxes set last_uid = 50 where owner_id = ${id}`)
    await dovecot.renumber(account)
    await deliver(mail('three'))
    later(60)
    await readDue()
    assert.deepEqual(await subjects(), ['one', 'three', 'two'])
    assert.equal((await dovecot.mails(account)).length, 3)
  })

  test('whose reader died after a mail was stored, and before it was moved, gives it once', async () => {
    const { id, account, deliver, subjects } = await mailbox({ folder: 'Read' })
    await deliver(mail('once'))
    await readDue()
    // As it was before the move.
    await run(app.platform, sql`update email_mailboxes set last_uid = 0 where owner_id = ${id}`)
    for (const text of await dovecot.mails(account, 'Read')) await deliver(text)
    later(60)
    await readDue()
    assert.deepEqual(await subjects(), ['once'])
    assert.deepEqual([(await dovecot.mails(account)).length, (await dovecot.mails(account, 'Read')).length], [0, 2])
  })

  test('is read by one process, until its lease ends', async () => {
    await mailbox()
    const [now, until] = [app.clock.now(), new Date(app.clock.now().getTime() + 30_000)]
    const holders = Array.from({ length: 8 }, () => crypto.randomUUID())
    const claims = await Promise.all(
      holders.map((holder) => claimDue(app.platform, { holder, now, until, limit: 100 })),
    )
    const all = claims.flat().map(({ ownerId }) => ownerId)
    assert.equal(new Set(all).size, all.length, 'two processes read a mailbox')
    const winner = holders[claims.findIndex((claimed) => claimed.length > 0)] ?? ''
    assert.ok((await renewLeases(app.platform, { holder: winner, now, until })).length > 0)
    later(31)
    assert.deepEqual(await renewLeases(app.platform, { holder: winner, now: app.clock.now(), until }), [])
    await readDue()
  })

  test('with a wrong password is failing, is tried rarely, and is read at once when it is put right', async () => {
    const wrong = unique('wrong-pass-of-the-mailbox')
    const { deliver, subjects, put, status } = await mailbox({ password: wrong })
    await deliver(mail('waits'))
    await readDue()
    const { receiving, mailbox: health } = await status()
    assert.deepEqual([receiving, health.cause, health.readAt], ['failing', 'LOGIN_FAILED', null])
    assert.match(health.detail, /Authentication failed/)
    const waitMs = Date.parse(health.nextReadAt) - app.clock.now().getTime()
    assert.ok(waitMs >= 5 * 60_000, `tried again after ${waitMs} ms`)
    assert.equal((await put({ password })).status, 200)
    await readDue()
    assert.deepEqual([await subjects(), (await status()).mailbox.cause], [['waits'], null])
  })

  test('of a server that is away is failing after the third attempt', async () => {
    const { status } = await mailbox({ port: 9 })
    const seen = []
    for (const wait of [30, 60, 120]) {
      await readDue()
      seen.push((await status()).receiving)
      later(wait)
    }
    assert.deepEqual(seen, ['unverified', 'unverified', 'failing'])
    assert.equal((await status()).mailbox.cause, 'NOT_REACHABLE')
  })

  test('goes with its settings and its organization', async () => {
    const { id, put, status, call } = await mailbox()
    const rows = () => run(app.platform, sql`update email_mailboxes set failures = failures where owner_id = ${id}`)
    assert.equal(await rows(), 1)
    assert.equal((await put({ kind: 'platform' })).status, 200)
    assert.deepEqual([await rows(), (await status()).mailbox], [0, null])
    assert.equal((await put({ kind: 'imap', password })).status, 200)
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${id}?confirm=Research`)).status, 204)
    assert.equal(await rows(), 0)
    assert.equal((await call('GET', '/config')).status, 404)
  })

  test('has mails of programs, and mails that are too complex, which are not answered', async () => {
    const { deliver, subjects, call } = await mailbox()
    await deliver(mail('bounced').replace('<ana@example.com>', '<>'))
    await deliver(mail('large', `X-Large: ${'x'.repeat(300 * 1024)}`))
    await readDue()
    await app.settled()
    assert.deepEqual((await subjects()).length, 2)
    const { threads } = (await call('GET', '/threads')).body
    const messages = await Promise.all(
      threads.map(
        async (thread: { id: string }) =>
          (await orgs.call(owner, 'GET', `/email/threads/${thread.id}`)).body.thread.messages[0],
      ),
    )
    assert.deepEqual(messages.map(({ status }) => status).toSorted(), ['ignored', 'quarantined'])
  })

  test('is verified by a login and a mail that arrives there', async () => {
    const { call, account, status, put } = await mailbox()
    const verify = async () => {
      const begun = await call('POST', '/config/verify')
      assert.equal(begun.status, 202, JSON.stringify(begun.body))
      await app.settled()
      return begun.body.verification.id
    }
    const steps = async (id: string) => {
      const { verification } = (await call('GET', `/config/verifications/${id}`)).body
      return Object.fromEntries(
        verification.steps.map(({ name, result, cause }: Record<string, string>) => [name, cause ?? result]),
      )
    }
    const id = await verify()
    const sent = await server.mailTo(account)
    await dovecot.deliver(account, sent.raw)
    later(60)
    await readDue()
    assert.deepEqual(await steps(id), { login: 'passed', roundTrip: 'passed' })
    assert.equal((await status()).receiving, 'verified')
    await put({ password: unique('wrong-pass') })
    assert.deepEqual(await steps(await verify()), { login: 'MAILBOX_FAILED', roundTrip: 'NOT_SENT' })
  })

  test('tells of a mail at once while it is open (IDLE), and is let go when the service ends', async () => {
    await readDue()
    const { id, deliver, subjects } = await mailbox()
    const reader = await app.app.mailboxes.start()
    const until = async (isDone: () => Promise<boolean>) => {
      while (!(await isDone())) await delay(20)
    }
    await until(async () => (await held(id)) === 1)
    await deliver(mail('pushed'))
    await until(async () => (await subjects()).length === 1)
    await reader.close()
    assert.equal(await held(id), 0)
  })
})

const held = (id: string) =>
  run(app.platform, sql`update email_mailboxes set holder = holder where owner_id = ${id} and holder is not null`)

test('a mailbox on a private network is not connected to', async () => {
  const secret = { password: unique('pass-of-nobody') }
  for (const host of ['127.0.0.1', '10.0.0.1', 'localhost'])
    await assert.rejects(
      openMailbox({ host, port: 143, security: 'none', user: 'ana', secret }, 'public'),
      (error: { reason?: string }) => error.reason === 'HOST_NOT_ALLOWED' || error.reason === 'NOT_REACHABLE',
    )
})
