import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { freePort } from '../../../test/harness/free-port.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { smtpConversation } from '../../../test/harness/smtp-conversation.ts'
import { testZone } from '../../../test/harness/zone.ts'
import type { MailListener } from '../listener/listener.ts'

const domain = 'mail.example.org'
const zone = testZone()
let app: TestApp
let server: MailServer
let listener: MailListener
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser

before(async () => {
  server = await startMailServer()
  const smtpPort = await freePort()
  app = await testApp({
    // The mails of other tests, which wait in the shared one, would reach the listener's limit of a minute.
    database: await freshDatabase(),
    email: { domain, smtpPort, resolve: zone.resolve },
    // What the installation sends to its own addresses comes back to it.
    mail: { smtp: { url: `smtp://127.0.0.1:${smtpPort}`, from: `no-reply@${domain}` }, publicUrl: null },
  })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  listener = (await app.app.listenForMail()) as MailListener
})
after(() => Promise.all([server.close(), listener.close()]))

type Step = {
  name: string
  result: string
  cause: string | null
  record: { type: string; name: string; value: string }
}

/** An organization that sends from a domain of its own, by a server of its own. */
async function ownDomain(own: string) {
  const { id } = await orgs.create(owner)
  const call = async (method: string, path: string, body?: unknown) =>
    orgs.call(owner, method, `/email${path}?orgId=${id}`, body === undefined ? {} : { body })
  const transport = { kind: 'smtp', host: '127.0.0.1', port: server.port, security: 'none' }
  const set = await call('PUT', '/config', { identity: { fromAddress: `robot@${own}` }, transport })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  const { address } = set.body.config
  const read = async (verificationId: string) =>
    (await call('GET', `/config/verifications/${verificationId}`)).body.verification
  return {
    id,
    call,
    read,
    status: async () => (await call('GET', '/config')).body.config.status,
    verify: async () => {
      const { status, headers, body } = await call('POST', '/config/verify')
      assert.equal(status, 202)
      assert.match(
        headers['location'] ?? '',
        new RegExp(`/config/verifications/${body.verification.id}\\?orgId=${id}$`),
      )
      await app.settled()
      return read(body.verification.id)
    },
    /** What a mail server on the way does with the mail of the round trip. */
    relay: async () => {
      const { raw } = await server.mailTo(address)
      const lines = ['EHLO relay', `MAIL FROM:<robot@${own}>`, `RCPT TO:<${address}>`, 'DATA', `${raw.toString()}\r\n.`]
      const answers = await smtpConversation(listener.smtpPort, lines)
      assert.match(answers.at(-1) ?? '', /^250/, answers.join(', '))
    },
    send: async (to: string) => {
      const { body } = await call('POST', '/send', { to: [to], subject: 'Notes', text: 'See you.' })
      await app.settled()
      return body.message.id as string
    },
    statusOf: async (messageId: string) => {
      const { message } = (await orgs.call(owner, 'GET', `/email/messages/${messageId}`)).body
      return [message.status, message.cause]
    },
    /** Publishes what the steps ask for. */
    publish: (steps: Step[]) => {
      for (const { record } of steps) if (record?.type === 'TXT') zone.set('TXT', record.name, record.value)
    },
  }
}

const results = ({ steps }: { steps: Step[] }) =>
  Object.fromEntries(steps.map(({ name, result, cause }) => [name, cause ?? result]))

describe('a domain of one’s own', () => {
  test('sends nothing before it was shown to be one’s own, then what waited, signed by a key whose record was found', async () => {
    const org = await ownDomain('acme.example')
    const waiting = await org.send('ana@example.com')
    assert.deepEqual(await org.statusOf(waiting), ['queued', 'SENDER_NOT_VERIFIED'])
    const made = await org.call('POST', '/config/dkim')
    assert.deepEqual([made.status, made.body.key.domain, made.body.key.seenAt], [201, 'acme.example', null])
    const first = await org.verify()
    assert.equal(first.status, 'failed')
    assert.deepEqual(results(first), {
      ...{ login: 'passed', ownership: 'NO_RECORD', spf: 'NO_RECORD', dkim: 'NO_RECORD', dmarc: 'NO_RECORD' },
      ...{ mx: 'NO_RECORD', roundTrip: 'NOT_SENT' },
    })
    assert.deepEqual(first.steps.find(({ name }: Step) => name === 'dkim').record, made.body.key.record)
    org.publish(first.steps)
    const second = await org.verify()
    assert.deepEqual([second.status, results(second)['roundTrip']], ['running', 'waiting'])
    assert.deepEqual(await org.status(), { sending: 'unverified', receiving: 'unverified', mailbox: null })
    await org.relay()
    const third = await org.read(second.id)
    assert.deepEqual(
      [third.status, results(third)],
      [
        'passed',
        {
          ...{ login: 'passed', ownership: 'passed', spf: 'passed', dkim: 'passed', dmarc: 'passed' },
          ...{ mx: 'NO_RECORD', roundTrip: 'passed' },
        },
      ],
    )
    assert.match(JSON.stringify(third.steps), /Its sender counts as pass/)
    assert.deepEqual(await org.status(), { sending: 'verified', receiving: 'verified', mailbox: null })
    await app.settled()
    assert.deepEqual(await org.statusOf(waiting), ['sent', null])
    const { raw } = await server.mailTo('ana@example.com')
    assert.deepEqual(await signatures(raw), [['acme.example', made.body.key.selector, 'pass']])
    assert.deepEqual(await signatures(Buffer.from(raw.toString().replace('See you', 'Pay me'))), [
      ['acme.example', made.body.key.selector, 'neutral'],
    ])
    // The mail of the round trip is no mail of a conversation.
    const { threads } = (await org.call('GET', '/threads')).body
    assert.deepEqual(
      threads.map(({ subject }: { subject: string }) => subject),
      ['Notes'],
    )
  })

  test('changes its key without a mail that nobody can check', async () => {
    const org = await ownDomain('rotate.example')
    const old = (await org.call('POST', '/config/dkim')).body.key
    org.publish((await org.verify()).steps)
    await org.verify()
    await org.relay()
    app.clock.advance({ seconds: 1 })
    await org.call('POST', '/config/dkim') // never published, and replaced
    const next = (await org.call('POST', '/config/dkim')).body.key
    await org.send('before@example.com')
    assert.deepEqual(await signatures((await server.mailTo('before@example.com')).raw), [
      ['rotate.example', old.selector, 'pass'],
    ])
    zone.set('TXT', next.record.name, next.record.value)
    await app.app.housekeep('email.ownership')
    await app.settled()
    await org.send('after@example.com')
    assert.deepEqual(await signatures((await server.mailTo('after@example.com')).raw), [
      ['rotate.example', next.selector, 'pass'],
    ])
  })

  test('that is lost sends nothing until it is found again, and name servers that are away change nothing', async () => {
    const org = await ownDomain('lost.example')
    const { steps } = await org.verify()
    org.publish(steps)
    await org.verify()
    await org.relay()
    const { record } = steps.find(({ name }: Step) => name === 'ownership')
    const look = async () => {
      await app.app.housekeep('email.ownership')
      await app.settled()
      return (await org.status()).sending
    }
    assert.equal(await look(), 'verified')
    zone.set('TXT', record.name, 'something else')
    assert.equal(await look(), 'failing')
    const id = await org.send('ana@lost.example')
    assert.deepEqual(await org.statusOf(id), ['queued', 'SENDER_NOT_VERIFIED'])
    zone.set('TXT', record.name, record.value)
    assert.equal(await look(), 'verified')
    await app.settled()
    assert.deepEqual(await org.statusOf(id), ['sent', null])
    await org.call('PUT', '/config', { identity: { fromAddress: 'robot@other.example' } })
    assert.equal((await org.status()).sending, 'unverified')
  })

  test('of which the mail does not come back within 120 seconds is not verified', async () => {
    const org = await ownDomain('slow.example')
    org.publish((await org.verify()).steps)
    const { id } = await org.verify()
    app.clock.advance({ seconds: 119 })
    assert.equal((await org.read(id)).status, 'running')
    app.clock.advance({ seconds: 2 })
    const ended = await org.read(id)
    assert.deepEqual([ended.status, results(ended)['roundTrip']], ['failed', 'NOT_ARRIVED'])
    await org.relay()
    assert.equal((await org.read(id)).status, 'failed')
    assert.equal((await org.status()).sending, 'unverified')
  })
})

describe('a verification', () => {
  test('is one, of several that are asked for at once, and says nothing of settings that changed meanwhile', async () => {
    const org = await ownDomain('race.example')
    org.publish((await org.verify()).steps)
    const asked = await Promise.all([1, 2, 3, 4].map(() => org.call('POST', '/config/verify')))
    assert.equal(new Set(asked.map(({ body }) => body.verification.id)).size, 1)
    await app.settled()
    await org.call('PUT', '/config', { identity: { fromAddress: 'other@race.example' } })
    await org.relay()
    const ended = await org.read(asked[0]?.body.verification.id)
    assert.deepEqual([ended.status, results(ended)['roundTrip']], ['failed', 'SETTINGS_CHANGED'])
    assert.equal((await org.status()).sending, 'unverified')
  })

  test('of an address of the installation needs no domain, and a server that does not let us in fails it', async () => {
    const { id } = await orgs.create(owner)
    const call = (method: string, path: string, body?: unknown) =>
      orgs.call(owner, method, `/email/config${path}?orgId=${id}`, body === undefined ? {} : { body })
    const verify = async () => {
      const { verification } = (await call('POST', '/verify')).body
      await app.settled()
      return (await call('GET', `/verifications/${verification.id}`)).body.verification
    }
    assert.deepEqual(results(await verify()), { login: 'passed', roundTrip: 'passed' })
    assert.equal((await call('POST', '/dkim')).status, 409)
    const port = await freePort()
    await call('PUT', '', { transport: { kind: 'smtp', host: '127.0.0.1', port, security: 'none' } })
    assert.deepEqual(results(await verify()), { login: 'LOGIN_FAILED', roundTrip: 'NOT_SENT' })
    await call('PUT', '', { transport: { kind: 'none' } })
    assert.deepEqual(results(await verify()), { login: 'NO_TRANSPORT', roundTrip: 'NOT_SENT' })
  })

  test('is for admins, and a foreign one looks like a missing one', async () => {
    const org = await ownDomain('access.example')
    const { id } = await org.verify()
    const member = await orgs.add(key, org.id, 'member')
    const stranger = await orgs.person(await app.apiKey(await app.tenant()))
    for (const [method, path] of [
      ['POST', '/config/verify'],
      ['POST', '/config/dkim'],
      ['GET', `/config/verifications/${id}`],
    ] as const) {
      assert.equal((await orgs.call(member, method, `/email${path}?orgId=${org.id}`)).status, 403)
      assert.equal((await orgs.call(stranger, method, `/email${path}?orgId=${org.id}`)).status, 404)
    }
    const other = await ownDomain('other-access.example')
    assert.equal((await other.call('GET', `/config/verifications/${id}`)).status, 404)
    assert.equal((await other.call('GET', '/config/verifications/x')).status, 404)
  })
})

async function signatures(raw: Buffer) {
  const { results } = await dkimVerify(raw, { resolver: zone.resolve })
  return results.map(({ signingDomain, selector, status }) => [signingDomain, selector, status.result])
}
