import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { selfSignedCertificate } from '../../../test/harness/certificate.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import { mailLines, smtpConversation } from '../../../test/harness/smtp-conversation.ts'
import type { MailListener } from './listener.ts'

const domain = 'mail.example.org'
let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser
let orgId: string
let address: string
let listener: MailListener

const noRecords = async () => {
  throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
}

before(async () => {
  const email = { domain, host: '127.0.0.1', smtpPort: 0, lmtpPort: 0, tls: null, resolve: noRecords }
  app = await testApp({ email })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  address = (await orgs.call(owner, 'GET', `/email/config?orgId=${orgId}`)).body.config.address
  listener = (await app.app.listenForMail()) as MailListener
})
after(() => listener.close())

const send = (
  to: string[],
  data: string,
  { from = 'ana@example.com', hello = 'EHLO client.example.com', port = listener.smtpPort } = {},
) => smtpConversation(port, [hello, `MAIL FROM:<${from}>`, ...to.map((one) => `RCPT TO:<${one}>`), 'DATA', data])

const threads = async () => (await orgs.call(owner, 'GET', `/email/threads?orgId=${orgId}&limit=100`)).body.threads
const headers = (subject: string) => [
  'From: Ana <ana@example.com>',
  `To: ${address}`,
  `Subject: ${subject}`,
  `Message-ID: <${subject}@example.com>`,
]

describe('the listener', () => {
  test('stores a mail to an address of ours before it says 250', async () => {
    const subject = unique('Slides')
    const answers = await send([address], mailLines(headers(subject)))
    assert.match(answers.at(-1) ?? '', /^250 /)
    const thread = (await threads()).find((one: { subject: string }) => one.subject === subject)
    assert.deepEqual(thread.correspondents, ['ana@example.com'])
    const { messages } = (await orgs.call(owner, 'GET', `/email/threads/${thread.id}`)).body.thread
    const { message } = (await orgs.call(owner, 'GET', `/email/messages/${messages[0].id}`)).body
    assert.deepEqual(
      [message.text, message.from, message.to, message.authenticity, message.direction, message.status],
      ['Where are the slides?', 'ana@example.com', [address], 'none', 'in', 'received'],
    )
  })

  test('stores a mail that is sent again once, also by the other protocol and in capitals', async () => {
    const subject = unique('Twice')
    const data = mailLines(headers(subject))
    const hello = 'LHLO mta.example.com'
    const again = [
      await send([address], data),
      await send([address.toUpperCase()], `Received: from elsewhere\r\n${data}`),
      await send([address, address.replace('@', '+notes@')], data, { hello, port: listener.lmtpPort }),
    ]
    for (const answers of again) assert.match(answers.at(-1) ?? '', /^250 /)
    assert.equal((await threads()).filter((one: { subject: string }) => one.subject === subject).length, 1)
  })

  test('takes nothing for others: no relaying, no unknown names, no forged tokens', async () => {
    const forged = address.replace('@', `+${'a2'.repeat(13)}@`)
    const refused: [to: string, answer: RegExp][] = [
      ['someone@example.net', /^550 5\.7\.1/],
      [`nobody-here@${domain}`, /^550 5\.1\.1/],
      [forged, /^550 5\.1\.1/],
      [`${'x'.repeat(60)}@${domain}`, /^550 5\.1\.1/],
      [`"a b"@${domain}`, /^50[01] /],
    ]
    for (const [to, answer] of refused) {
      const [, , rcpt] = await send([to], '.')
      assert.match(rcpt ?? '', answer, to)
    }
  })

  test('takes nothing for a name whose owner receives no mail, and again when it does', async () => {
    const path = `/email/config?orgId=${orgId}`
    const change = async (kind: string) =>
      (await orgs.call(owner, 'PUT', path, { body: { inbound: { kind } } })).body.config.address
    const subject = unique('Closed')
    assert.equal(await change('none'), null)
    assert.match((await send([address], mailLines(headers(subject))))[2] ?? '', /^550 5\.1\.1/)
    assert.equal(await change('platform'), address)
    assert.match((await send([address], mailLines(headers(subject)))).at(-1) ?? '', /^250 /)
  })

  test('refuses what is too large before it comes, and logins', async () => {
    const answers = await smtpConversation(listener.smtpPort, [
      'EHLO client.example.com',
      'MAIL FROM:<a@example.com> SIZE=99999999',
      'AUTH PLAIN AGEAYg==',
    ])
    assert.match(answers[1] ?? '', /^552 /)
    assert.match(answers[2] ?? '', /^5\d\d /)
  })

  test('quarantines a mail that is too complex to be read', async () => {
    const subject = unique('Deep')
    app.clock.advance({ seconds: 1 })
    const parts = Array.from({ length: 250 }, () => '--x\r\nContent-Type: text/plain\r\n\r\na').join('\r\n')
    const data = mailLines(
      [...headers(subject), 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'],
      `${parts}\r\n--x--`,
    )
    assert.match((await send([address], data)).at(-1) ?? '', /^250 /)
    const newest = (await threads())[0]
    const { messages } = (await orgs.call(owner, 'GET', `/email/threads/${newest.id}`)).body.thread
    assert.deepEqual([messages[0].status, messages[0].cause], ['quarantined', 'TOO_MANY_PARTS'])
  })

  test('offers STARTTLS where there is a certificate, and takes mail by it', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const year = 365 * 24 * 3600_000
    const [from, to] = [new Date(Date.now() - year), new Date(Date.now() + year)]
    const folder = await temporaryFolder()
    const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    await writeFile(tls.cert, selfSignedCertificate({ privateKey, commonName: domain, from, to }))
    await writeFile(tls.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const email = { domain, host: '127.0.0.1', smtpPort: 0, lmtpPort: null, tls, resolve: noRecords }
    const other = await testApp({ email })
    const secure = (await other.app.listenForMail()) as MailListener
    const subject = unique('Secret')
    const client = createTransport({
      ...{ host: '127.0.0.1', port: secure.smtpPort as number, requireTLS: true },
      tls: { rejectUnauthorized: false },
    })
    try {
      await client.sendMail({ from: 'ana@example.com', to: address, subject, text: 'Where are the slides?' })
    } finally {
      client.close()
      await secure.close()
    }
    assert.ok((await threads()).some((one: { subject: string }) => one.subject === subject))
    const answers = await smtpConversation(listener.smtpPort, ['EHLO client.example.com', 'STARTTLS'])
    assert.match(answers[1] ?? '', /^5\d\d /, 'without a certificate there is none')
  })

  test('takes 30 mails a minute from one address, and then asks for patience', async () => {
    app.clock.advance({ seconds: 120 })
    const lines = Array.from({ length: 31 }, () => ['MAIL FROM:<a@example.com>', 'RSET']).flat()
    const answers = await smtpConversation(listener.smtpPort, ['EHLO client.example.com', ...lines])
    const asked = answers.filter((_, index) => index % 2 === 1)
    assert.equal(asked.filter((answer) => answer.startsWith('250')).length, 30)
    assert.match(asked.at(-1) ?? '', /^450 4\.7\.1/)
    app.clock.advance({ seconds: 60 })
    assert.match((await send([address], mailLines(headers(unique('Later'))))).at(-1) ?? '', /^250 /)
  })
})
