import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { createConnection, deliver, type TestConnection } from '../../../test/harness/inbound.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { testZone } from '../../../test/harness/zone.ts'

const domain = 'mail.example.org'
const zone = testZone()
let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let admin: TestUser
let owner: TestUser
let orgId: string
let address: string
let connection: TestConnection

before(async () => {
  zone.set('TXT', '_dmarc.strict.example', 'v=DMARC1; p=reject')
  app = await testApp({ email: { domain, resolve: zone.resolve } })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  admin = await orgs.person(key)
  await app.promote(admin)
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  address = await addressOf(orgId)
  connection = await createConnection(app, admin, { scheme: 'postmark', name: 'Mail' })
})

const addressOf = async (of: string) =>
  (await orgs.call(owner, 'GET', `/email/config?orgId=${of}`)).body.config.address as string
const threadsOf = async (of: string) => (await orgs.call(owner, 'GET', `/email/threads?orgId=${of}`)).body.threads

/** As Postmark delivers a mail. */
async function post(to: string, change: Record<string, unknown> = {}, { path, secret } = connection) {
  const MessageID = unique('m')
  const payload = { MessageID, From: 'ana@example.com', To: to, OriginalRecipient: to, Subject: 'Slides', ...change }
  const authorization = `Basic ${Buffer.from(`postmark:${secret}`).toString('base64')}`
  const headers = { 'content-type': 'application/json', authorization }
  const body = Buffer.from(JSON.stringify(payload))
  const reply = await deliver(app, path, { body, headers, contentType: 'application/json', query: {} })
  assert.equal(reply.status, 200)
  await app.settled()
}
const rawMail = (headers: string[]) => [...headers, '', 'Where are the slides?', ''].join('\r\n')
const raw = (id: string, ...more: string[]) =>
  rawMail([
    'From: Ana <ana@example.com>',
    `To: ${address}`,
    'Subject: Slides',
    `Message-ID: <${id}@example.com>`,
    ...more,
  ])

describe('a mail that a webhook delivers', () => {
  test('to an address of ours is in a thread with its trace, and once if it is delivered twice', async () => {
    const id = unique('first')
    await post(address, { RawEmail: raw(id) })
    await post(address, { RawEmail: raw(id) }) // delivered twice
    const [thread, ...others] = await threadsOf(orgId)
    assert.deepEqual([others.length, thread.messageCount, thread.correspondents], [0, 1, ['ana@example.com']])
    const { messages } = (await orgs.call(owner, 'GET', `/email/threads/${thread.id}`)).body.thread
    const { message } = (await orgs.call(owner, 'GET', `/email/messages/${messages[0].id}`)).body
    assert.deepEqual(
      [message.text, message.authenticity, message.connectionId, message.status],
      ['Where are the slides?', 'none', connection.id, 'ignored'],
    )
    const { trace } = (await orgs.call(owner, 'GET', `/email/messages/${message.id}/trace`)).body
    assert.ok(trace.steps?.length > 0 || trace.length > 0, JSON.stringify(trace))
  })

  test('to two organizations is in a thread of each, and to none it is the tenant’s', async () => {
    const second = (await orgs.create(owner)).id
    const third = (await orgs.create(owner)).id
    const to = `${await addressOf(second)}, ${await addressOf(third)}`
    await post(to, { RawEmail: raw(unique('two')) })
    assert.deepEqual([(await threadsOf(second)).length, (await threadsOf(third)).length], [1, 1])
    await post(`nobody@${domain}`, { RawEmail: raw(unique('none')) })
    const list = await app.call({ url: '/assistant/v1/email/messages', headers: admin.headers })
    assert.equal(list.body.messages.filter(({ threadId }: { threadId: null }) => threadId === null).length, 1)
  })

  test('to an address of another tenant does not reach it', async () => {
    const foreignKey = await app.apiKey(await app.tenant())
    const foreigner = await orgs.person(foreignKey)
    const { id } = await orgs.create(foreigner)
    const foreign = (await orgs.call(foreigner, 'GET', `/email/config?orgId=${id}`)).body.config.address
    await post(foreign, { RawEmail: raw(unique('foreign')) })
    assert.deepEqual((await orgs.call(foreigner, 'GET', `/email/threads?orgId=${id}`)).body.threads, [])
  })

  test('belongs to the organization that named its connection, whatever its address', async () => {
    const { id } = await orgs.create(owner)
    const own = await createConnection(app, admin, { scheme: 'postmark', name: 'Own' })
    const set = await orgs.call(owner, 'PUT', `/email/config?orgId=${id}`, {
      body: { inbound: { kind: 'webhook', connectionId: own.id } },
    })
    assert.equal(set.status, 200)
    await post('team@acme.example', { RawEmail: raw(unique('own')) }, own)
    assert.equal((await threadsOf(id)).length, 1)
  })

  test('that the provider took apart is in a thread, and is never answered', async () => {
    const { id } = await orgs.create(owner)
    await post(await addressOf(id), {
      TextBody: 'Hello.',
      Headers: [{ Name: 'Message-ID', Value: `<${unique('p')}@example.com>` }],
    })
    const [thread] = await threadsOf(id)
    const { messages } = (await orgs.call(owner, 'GET', `/email/threads/${thread.id}`)).body.thread
    assert.deepEqual(
      messages.map((it: Record<string, string>) => [it['direction'], it['status'], it['cause'], it['authenticity']]),
      [['in', 'ignored', 'NOT_WHOLE', 'none']],
    )
  })

  test('of a domain that it only claims fails', async () => {
    const { id } = await orgs.create(owner)
    const bytes = raw(unique('spoofed')).replace('ana@example.com', 'ceo@strict.example')
    await post(await addressOf(id), { RawEmail: bytes })
    const [thread] = await threadsOf(id)
    const { messages } = (await orgs.call(owner, 'GET', `/email/threads/${thread.id}`)).body.thread
    assert.deepEqual([messages.length, messages[0].authenticity], [1, 'fail'])
  })
})
