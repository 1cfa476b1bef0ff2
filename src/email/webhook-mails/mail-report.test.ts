import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { createConnection, deliver, type TestConnection } from '../../../test/harness/inbound.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { changedJson, signingProviders, topicArn } from '../../../test/harness/signing-providers.ts'
import { testZone } from '../../../test/harness/zone.ts'
import { parseJsonObject } from '../../inbound/json.ts'
import { parseSnsMessage, signedText } from '../../inbound/schemes/sns-message.ts'

const providers = signingProviders()
let app: TestApp
let server: MailServer
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let admin: TestUser
let owner: TestUser
let orgId: string
let amazon: TestConnection
let postmark: TestConnection

before(async () => {
  server = await startMailServer()
  app = await testApp({
    clock: providers.clock,
    inbound: { schemes: providers.schemes },
    email: { domain: 'mail.example.org', resolve: testZone().resolve },
    mail: { smtp: { url: server.url, from: 'no-reply@example.org' }, publicUrl: null },
  })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  admin = await orgs.person(key)
  await app.promote(admin)
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  amazon = await createConnection(app, admin, { scheme: 'sns', name: 'Reports', settings: { topicArns: [topicArn] } })
  postmark = await createConnection(app, admin, { scheme: 'postmark', name: 'Reports' })
})
after(() => server.close())

/** As Amazon SES reports by SNS, signed. */
async function report(notice: object, id = unique('n'), forge = (message: object): object => message) {
  const signed = changedJson(providers.sampleOf('sns', id), (sample) => {
    const message = { ...sample, Message: JSON.stringify(notice) }
    const text =
      signedText(parseSnsMessage(parseJsonObject(Buffer.from(JSON.stringify(message)))) ?? assert.fail()) ?? ''
    const signature = sign('RSA-SHA256', Buffer.from(text), providers.keys.rsa.privateKey)
    return forge({ ...message, Signature: signature.toString('base64') })
  })
  const { status } = await deliver(app, amazon.path, signed)
  await app.settled()
  return status
}
const bounce = (bounceType: string, address: string, mail: object = {}) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: address, status: '5.1.1' }] },
  mail,
})

async function reportByPostmark(payload: Record<string, unknown>) {
  const authorization = `Basic ${Buffer.from(`postmark:${postmark.secret}`).toString('base64')}`
  const body = Buffer.from(JSON.stringify({ MessageID: unique('m'), ID: 4323372, ...payload }))
  const headers = { 'content-type': 'application/json', authorization }
  const reply = await deliver(app, postmark.path, { body, headers, contentType: 'application/json', query: {} })
  assert.equal(reply.status, 200)
  await app.settled()
}

const reasonsOf = async (address: string) => {
  const lists = await Promise.all(
    [`?orgId=${orgId}&address=${address}`, `?address=${address}`].map(
      async (query, index) =>
        (await orgs.call(index === 0 ? owner : admin, 'GET', `/email/suppressions${query}`)).body.suppressions,
    ),
  )
  return lists.map((list) => list.map(({ reason }: { reason: string }) => reason))
}

async function sent(to: string) {
  const body = { to: [to], subject: 'Notes', text: 'See you.' }
  const { id } = (await orgs.call(owner, 'POST', `/email/send?orgId=${orgId}`, { body })).body.message
  await app.settled()
  const mail = await server.mailTo(to)
  const status = async () => (await orgs.call(owner, 'GET', `/email/messages/${id}`)).body.message.status
  return { mail, status }
}

describe('a mail service', () => {
  test('that reports a bounce of a mail of ours makes it bounced, and its address a suppression of the organization', async () => {
    const { mail, status } = await sent('gone@example.com')
    assert.equal(await report(bounce('Permanent', 'Gone <Gone@example.com>', { source: mail.from })), 200)
    assert.deepEqual([await status(), await reasonsOf('gone@example.com')], ['bounced', [['bounce'], []]])
  })

  test('finds the mail by its Message-ID as well, where it keeps it', async () => {
    const { mail, status } = await sent('left@example.com')
    const headers = [{ name: 'Message-ID', value: mail.headers['message-id'] }]
    await report({
      ...bounce('Permanent', 'left@example.com', { headers }),
      notificationType: undefined,
      eventType: 'Bounce',
    })
    assert.deepEqual([await status(), await reasonsOf('left@example.com')], ['bounced', [['bounce'], []]])
  })

  test('is believed of other mails of the tenant, and changes no mail with a forged token', async () => {
    const { mail, status } = await sent('here@example.com')
    await report(bounce('Permanent', 'other@example.com', { source: mail.from.replace(/\+.{4}/, '+aaaa') }))
    assert.deepEqual([await status(), await reasonsOf('other@example.com')], ['sent', [[], ['bounce']]])
    assert.deepEqual(await reasonsOf('here@example.com'), [[], []])
  })

  test('that reports a bounce for now five times has the address wait, and the same report counts once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map(unique)
    for (const id of ids.slice(0, 4)) {
      app.clock.advance({ seconds: 1 })
      await report(bounce('Transient', 'busy@example.com'), id)
      await report(bounce('Transient', 'busy@example.com'), id)
    }
    assert.deepEqual(await reasonsOf('busy@example.com'), [[], []])
    app.clock.advance({ seconds: 1 })
    await report(bounce('Transient', 'busy@example.com'), ids[4])
    assert.deepEqual(await reasonsOf('busy@example.com'), [[], ['delivery_failures']])
  })

  test('that reports a complaint makes its address a suppression, unless it is no spam', async () => {
    const complaint = (complaintFeedbackType: string, emailAddress: string) =>
      report({
        notificationType: 'Complaint',
        complaint: { complaintFeedbackType, complainedRecipients: [{ emailAddress }] },
        mail: {},
      })
    await complaint('not-spam', 'happy@example.com')
    await complaint('abuse', 'angry@example.com')
    assert.deepEqual(
      [await reasonsOf('happy@example.com'), await reasonsOf('angry@example.com')],
      [
        [[], []],
        [[], ['complaint']],
      ],
    )
  })

  test('is not believed without its signature, or about what is no address', async () => {
    const changed = (message: object) => ({
      ...message,
      Message: JSON.stringify(bounce('Permanent', 'safe@example.com')),
    })
    assert.equal(await report(bounce('Permanent', 'x@example.com'), unique('n'), changed), 401)
    assert.equal(await report(bounce('Permanent', `${'x'.repeat(300)}@example`)), 200)
    assert.equal(await report({ notificationType: 'Bounce', bounce: { bouncedRecipients: 'all' }, mail: null }), 200)
    assert.deepEqual(await reasonsOf('safe@example.com'), [[], []])
  })

  test('can be Postmark: one report for each person', async () => {
    await reportByPostmark({
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: 'p1@example.com',
      MessageID: 'one',
      ID: 1,
    })
    await reportByPostmark({
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: 'p2@example.com',
      MessageID: 'one',
      ID: 2,
    })
    await reportByPostmark({ RecordType: 'Bounce', Type: 'AutoResponder', Email: 'p3@example.com' })
    await reportByPostmark({ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: 'p4@example.com' })
    const reasons = await Promise.all([1, 2, 3, 4].map((each) => reasonsOf(`p${each}@example.com`)))
    assert.deepEqual(
      reasons.map(([, [reason = null] = []]) => reason),
      ['bounce', 'bounce', null, 'complaint'],
    )
  })
})
