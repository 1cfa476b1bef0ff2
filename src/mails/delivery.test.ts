import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, type TestTenant, testApp, testSecrets, unique } from '../../test/harness/app.ts'
import { mailsTo } from '../../test/harness/mail.ts'
import { type MailServer, startMailServer } from '../../test/harness/mail-server.ts'
import type { JobRun } from '../jobs/jobs.ts'
import { eventBus } from '../storage/events.ts'
import { type DeliveryDeps, deliveryService } from './delivery.service.ts'
import { smtpTransport } from './smtp.ts'

let app: TestApp
let server: MailServer
before(async () => {
  app = await testApp()
  server = await startMailServer()
})
after(() => server.close())

const from = 'no-reply@mail.example'
const deliverTo = ({ url }: Pick<MailServer, 'url'>, overrides: Partial<DeliveryDeps> = {}) =>
  deliveryService({
    clock: app.clock,
    secrets: testSecrets,
    transport: smtpTransport({ url, from }),
    publicUrl: null,
    isSubscribed: () => assert.fail('no mail with a subscription is sent here'),
    events: eventBus(),
    findSuppression: async () => null,
    ...overrides,
  })

const runOf = (mailId: string, tenantId: string, isLastAttempt = false): JobRun<{ mailId: string }> => ({
  id: mailId,
  data: { mailId },
  scope: app.scopeOf(tenantId),
  attempt: 1,
  isLastAttempt,
  signal: AbortSignal.timeout(60_000),
})

/** A registration leaves one mail in the outbox. */
async function waitingMail(overrides: Record<string, unknown> = {}, tenant?: TestTenant) {
  const owner = tenant ?? (await app.tenant(overrides))
  const { email } = await app.user(await app.apiKey(owner), { email: `${unique('u')}@example.com` })
  const look = async () => (await mailsTo(app.platform, email))[0] ?? assert.fail('no mail')
  const { id } = await look()
  return { email, look, tenantId: owner.id, run: (isLast?: boolean) => runOf(id, owner.id, isLast) }
}

test('a mail has the name, the reply address and the link of its tenant, and its content is erased after sending', async () => {
  const whitelabelConfig = {
    displayName: 'Größe & Co',
    supportEmail: 'help@acme.example',
    customDomain: 'vpn.acme.example',
  }
  const mail = await waitingMail({ whitelabelConfig })
  await deliverTo(server)(mail.run())
  const { from: sender, to, headers, text, html } = await server.mailTo(mail.email)
  assert.deepEqual([sender, to], [from, [mail.email]])
  assert.equal(headers['from'], `Größe & Co <${from}>`)
  assert.equal(headers['to'], mail.email)
  assert.equal(headers['reply-to'], 'help@acme.example')
  assert.equal(headers['subject'], 'Confirm your address for Größe & Co')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  const row = await mail.look()
  assert.equal(headers['message-id'], `<${row.id}@mail.example>`)
  assert.match(text, /^https:\/\/vpn\.acme\.example\/verify-email\?token=(atrv_\w{49})$/m)
  assert.ok(html.includes('Größe &amp; Co'))
  assert.deepEqual(
    [row.status, row.attempts, row.contentSealed, row.lastError, row.sentAt],
    ['SENT', 1, null, null, app.clock.now()],
  )
})

test('a mail that is sent is not sent again, however often its job runs, and is told of once', async () => {
  const mail = await waitingMail()
  const events = eventBus()
  const told: string[] = []
  events.on('mail.sent', async (_, { tenantId }) => void told.push(tenantId))
  const deliver = deliverTo(server, { events })
  await Promise.allSettled(Array.from({ length: 8 }, () => deliver(mail.run())))
  await deliver(mail.run())
  assert.deepEqual(told, [mail.tenantId])
  assert.equal(server.received.filter(({ to }) => to.includes(mail.email)).length, 1)
})

test('a mail that the server refuses for good has failed at once, and its job is done', async () => {
  const mail = await waitingMail()
  server.refuse([550, '5.1.1 No such mailbox'])
  await deliverTo(server)(mail.run())
  const { status, lastError, contentSealed } = await mail.look()
  assert.equal(status, 'FAILED')
  assert.match(lastError ?? '', /550 5\.1\.1 No such mailbox/)
  assert.notEqual(contentSealed, null)
})

test('a mail that the server refuses for now is tried again, and sent once', async () => {
  const mail = await waitingMail()
  server.refuse([451, '4.3.0 Try again later'])
  await assert.rejects(deliverTo(server)(mail.run()), /451 4\.3\.0/)
  assert.equal((await mail.look()).status, 'PENDING')
  await deliverTo(server)(mail.run())
  const { status, attempts } = await mail.look()
  assert.deepEqual([status, attempts], ['SENT', 2])
  assert.equal(server.received.filter(({ to }) => to.includes(mail.email)).length, 1)
})

test('a mail waits while the server is down, and fails only with the last attempt of its job', async () => {
  const away = await startMailServer()
  await away.close()
  const mail = await waitingMail()
  await assert.rejects(deliverTo(away)(mail.run()), /ECONNREFUSED/)
  assert.equal((await mail.look()).status, 'PENDING')
  await deliverTo(away)(mail.run(true))
  assert.equal((await mail.look()).status, 'FAILED')
})

test('a mail whose attempt died with its process is tried again when the claim has expired', async () => {
  const mail = await waitingMail()
  const stuck = deliverTo(server, { transport: { send: () => new Promise(() => undefined) } })
  void stuck(mail.run())
  while ((await mail.look()).attempts === 0) await new Promise(setImmediate)
  await assert.rejects(deliverTo(server)(mail.run()), /Another attempt/)
  assert.equal((await mail.look()).status, 'PENDING')
  app.clock.advance({ seconds: 121 })
  await deliverTo(server)(mail.run())
  assert.equal((await mail.look()).status, 'SENT')
})

test('an administrator cannot retry a mail while an attempt runs, and can when its claim has expired', async () => {
  const mail = await waitingMail()
  const sending = Promise.withResolvers<void>()
  const first = deliverTo(server, { transport: { send: () => sending.promise } })(mail.run())
  while ((await mail.look()).attempts === 0) await new Promise(setImmediate)
  const { id } = await mail.look()
  const retry = () => app.call({ method: 'POST', url: `/v1/platform/admin/mails/${id}/retry`, headers: app.admin })
  const beside = await retry()
  assert.deepEqual([beside.status, beside.body.code], [409, 'STATE_CONFLICT'])
  await assert.rejects(deliverTo(server)(mail.run()), /Another attempt/)
  app.clock.advance({ seconds: 121 })
  assert.deepEqual([(await retry()).status, (await mail.look()).status], [200, 'PENDING'])
  sending.resolve()
  await first
  assert.equal((await mail.look()).status, 'SENT')
  assert.equal(server.received.filter(({ to }) => to.includes(mail.email)).length, 0)
})

test('a mail is not sent after its token has expired, nor for a suspended tenant', async () => {
  const late = await waitingMail()
  const suspended = await waitingMail()
  const body = { status: 'SUSPENDED' }
  await app.call({ method: 'PATCH', url: `/admin/tenants/${suspended.tenantId}`, headers: app.admin, body })
  await deliverTo(server)(suspended.run())
  app.clock.advance({ seconds: 24 * 3600 })
  await deliverTo(server)(late.run())
  for (const mail of [late, suspended]) {
    const { status, contentSealed } = await mail.look()
    assert.deepEqual([status, contentSealed], ['DISCARDED', null])
    assert.ok(!server.received.some(({ to }) => to.includes(mail.email)))
  }
})

test('the password is sent to the mail server, and with a wrong password the mail stays pending', async () => {
  const guarded = await startMailServer({ login: 'post:s3cret%40x' })
  const opened = await startMailServer({ login: 'post:s3cret@x' })
  const mail = await waitingMail()
  await assert.rejects(deliverTo(guarded)({ ...mail.run() }), /535|Invalid login/)
  const { status, lastError } = await mail.look()
  assert.equal(status, 'PENDING')
  assert.doesNotMatch(lastError ?? '', /s3cret/)
  await deliverTo({ url: `smtp://post:s3cret%40x@127.0.0.1:${opened.port}` })(mail.run())
  assert.equal((await mail.look()).status, 'SENT')
  await Promise.all([guarded.close(), opened.close()])
})

test('a server with an untrusted certificate gets neither password nor mail', async () => {
  const pretender = await startMailServer({ secure: true })
  const mail = await waitingMail()
  await assert.rejects(
    deliverTo({ url: `smtps://127.0.0.1:${pretender.port}` })(mail.run()),
    /certificate|self-signed/i,
  )
  assert.equal(pretender.received.length, 0)
  assert.equal((await mail.look()).status, 'PENDING')
  await pretender.close()
})

test('the answer of a mail server is stored without the token', async () => {
  const mail = await waitingMail()
  let token = ''
  const transport = {
    send: async ({ text }: { text: string }) => {
      token = /atrv_\w{49}/.exec(text)?.[0] ?? ''
      throw new Error(`554 looks like spam:\r\n${token}`)
    },
  }
  await assert.rejects(deliverTo(server, { transport })(mail.run()), (error: Error) => !error.message.includes(token))
  assert.ok(token !== '')
  assert.equal((await mail.look()).lastError, '554 looks like spam: [withheld]')
})

test('an address that is held back gets no mail; who only wants no more mails gets those to log in', async () => {
  const [gone, unsubscribed] = [await waitingMail(), await waitingMail()]
  await deliverTo(server, { findSuppression: async () => ({ reason: 'bounce' }) })(gone.run())
  const { status, lastError, contentSealed } = await gone.look()
  assert.deepEqual([status, lastError, contentSealed], ['DISCARDED', 'its address gets no mail (bounce)', null])
  await deliverTo(server, { findSuppression: async () => ({ reason: 'unsubscribed' }) })(unsubscribed.run())
  assert.equal((await unsubscribed.look()).status, 'SENT')
})
