import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestUser, unique } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { type Dovecot, hasDovecot, startDovecot } from '../../../test/harness/dovecot.ts'
import { connectAccount, type IntegrationLab, integrationLab } from '../../../test/harness/integrations.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { testZone } from '../../../test/harness/zone.ts'
import type { MailServers } from '../../integrations/index.ts'

// A real SMTP server and a real IMAP server that know no passwords, only tokens of the emulated Google.

const skip = hasDovecot ? false : 'Dovecot (dovecot-imapd) is not installed'
const servers: MailServers['google'] = {
  smtp: { host: '127.0.0.1', port: 0, security: 'none' },
  imap: { host: '127.0.0.1', port: 0, security: 'none' },
}
let lab: IntegrationLab
let smtp: MailServer
let dovecot: Dovecot
let orgs: ReturnType<typeof organizationCalls>
let owner: TestUser
/** Tokens that the mail server refuses, as if they had been withdrawn. */
let isRefused = (_token: string) => false
const used: string[] = []

before(async () => {
  if (!hasDovecot) return
  smtp = await startMailServer({
    authOptional: false,
    authMethods: ['XOAUTH2'],
    onAuth: ({ username, accessToken = '' }, _session, done) => {
      used.push(accessToken)
      void addressOf(accessToken).then((address) =>
        address === username && !isRefused(accessToken)
          ? done(null, { user: username })
          : done(null, { data: { status: '401', schemes: 'bearer' } }),
      )
    },
  })
  lab = await integrationLab(
    { database: await freshDatabase(), email: { domain: 'mail.example.org', resolve: testZone().resolve } },
    { mailServers: { google: servers, microsoft: servers } },
  )
  dovecot = await startDovecot(unique('pass-of-nobody'), { userInfoUrl: userInfoUrl() })
  Object.assign(servers.smtp, { port: smtp.port })
  Object.assign(servers.imap, { port: dovecot.port })
  orgs = organizationCalls(lab.app)
  owner = await orgs.person(await lab.app.apiKey(await lab.app.tenant()))
})
after(() => hasDovecot && Promise.all([lab.close(), smtp.close(), dovecot.close()]))

const userInfoUrl = () => `${lab.emulators.origin}/openidconnect.googleapis.com/v1/userinfo`
async function addressOf(token: string): Promise<string | null> {
  const answer = await fetch(userInfoUrl(), { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? ((await answer.json()) as { email: string }).email : null
}

async function organization() {
  const { id } = await orgs.create(owner)
  const call = async (method: string, path: string, body?: unknown) =>
    orgs.call(owner, method, `/email${path}?orgId=${id}`, body === undefined ? {} : { body })
  return { id, call, put: (body: object) => call('PUT', '/config', body) }
}
const connect = (orgId: string) =>
  connectAccount(lab.app.call, owner, { provider: 'google', features: ['mail'], orgId })

test('an organization sends by its account at Google, with a token that is renewed when it is refused', {
  skip,
}, async () => {
  const { id, call, put } = await organization()
  const early = await put({ transport: { kind: 'integration' } })
  assert.deepEqual([early.status, early.body.code], [409, 'STATE_CONFLICT'])
  const account = await connect(id)
  assert.equal((await put({ transport: { kind: 'integration' } })).status, 200)
  const send = async (to: string) => {
    const sent = await call('POST', '/send', { to: [to], subject: 'Notes', text: 'See you.' })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    await lab.app.settled()
    return (await orgs.call(owner, 'GET', `/email/messages/${sent.body.message.id}`)).body.message
  }
  const { status, from } = await send('ben@example.com')
  assert.deepEqual([status, from], ['sent', account.account.name])
  const mail = await smtp.mailTo('ben@example.com')
  assert.deepEqual([mail.from, mail.headers['from']], [from, from])
  const [withdrawn = ''] = used
  isRefused = (token) => token === withdrawn
  assert.equal((await send('cleo@example.com')).status, 'sent')
  assert.notEqual(used.at(-1), withdrawn)
  isRefused = () => true
  assert.equal((await send('dora@example.com')).status, 'deferred')
  isRefused = () => false
})

test('an organization reads the mailbox of its account at Google without a password', { skip }, async () => {
  const { id, call, put } = await organization()
  assert.deepEqual((await put({ inbound: { kind: 'imap' } })).body.code, 'STATE_CONFLICT')
  const account = await connect(id)
  const set = await put({ inbound: { kind: 'imap', folder: 'Read' }, transport: { kind: 'integration' } })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  const begun = await call('POST', '/config/verify')
  await lab.app.settled()
  const address = account.account.name
  await dovecot.deliver(address, (await smtp.mailTo(address)).raw)
  await dovecot.deliver(
    address,
    'From: ana@example.com\r\nSubject: Slides\r\nMessage-ID: <s@example.com>\r\n\r\nWhere?\r\n',
  )
  await lab.app.app.mailboxes.readDue()
  const { threads } = (await call('GET', '/threads')).body
  assert.deepEqual(
    threads.map(({ subject }: { subject: string }) => subject),
    ['Slides'],
  )
  assert.equal((await dovecot.mails(address, 'Read')).length, 2)
  const { verification } = (await call('GET', `/config/verifications/${begun.body.verification.id}`)).body
  assert.equal(verification.status, 'passed', JSON.stringify(verification.steps))
  await orgs.call(owner, 'DELETE', `/integrations/${account.id}`)
  lab.advance(60)
  await lab.app.app.mailboxes.readDue()
  const { receiving, mailbox } = (await call('GET', '/config')).body.config.status
  assert.deepEqual([receiving, mailbox.cause], ['failing', 'NOT_CONNECTED'])
})
