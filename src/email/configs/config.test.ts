import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { maybeOne, sql } from '../../storage/query.ts'
import { changeSettings, effectiveSettings } from './config.rules.ts'
import { defaultLocalPart, isReservedLocalPart } from './local-part.rules.ts'

const domain = 'mail.example.org'
const path = '/email/config'
let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let admin: TestUser
let owner: TestUser
let orgId: string

before(async () => {
  app = await testApp({ email: { domain }, webhooks: { allowPrivate: false } })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  admin = await orgs.person(key)
  await app.promote(admin)
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
})

const get = (user: TestUser, of: string | null) => orgs.call(user, 'GET', of === null ? path : `${path}?orgId=${of}`)
const put = (user: TestUser, of: string | null, body: unknown, headers: object = {}) =>
  orgs.call(user, 'PUT', of === null ? path : `${path}?orgId=${of}`, { body, headers })

describe('the settings of mail', () => {
  test('give a new organization an address, drafts for members, and no commands', async () => {
    const { status, body, headers } = await get(owner, orgId)
    assert.equal(status, 200)
    assert.match(body.config.address, /^research-[a-z0-9]{6}@mail\.example\.org$/)
    const { replies, commands, transport, inbound, own } = body.config
    assert.deepEqual(
      [replies.mode, replies.audience, replies.perSenderHour, replies.perThreadDay, replies.perDay],
      ['draft', 'members', 5, 3, 200],
    )
    assert.deepEqual(commands, { invites: false, transcripts: false, documents: false })
    assert.deepEqual(
      [transport.kind, inbound.kind, own, body.config.status],
      ['platform', 'platform', [], { sending: 'unverified', receiving: 'unverified', mailbox: null }],
    )
    assert.equal(headers['etag'], `"${orgId}-1"`)
  })

  test('of an organization inherit those of its tenant, until they are set, and again after null', async () => {
    const id = (await orgs.create(owner)).id
    const server = {
      kind: 'smtp',
      host: 'smtp.example.com',
      port: 465,
      security: 'tls',
      userName: 'robot',
      password: 'p4ss-of-the-tenant',
    }
    assert.equal(
      (await put(admin, null, { identity: { fromName: 'Tenant' }, transport: server, replies: { perDay: 7 } })).status,
      200,
    )
    const inherited = (await get(owner, id)).body.config
    assert.deepEqual(
      [
        inherited.identity.fromName,
        inherited.transport.host,
        inherited.transport.hasPassword,
        inherited.replies.perDay,
        inherited.own,
      ],
      ['Tenant', 'smtp.example.com', true, 7, []],
    )
    const set = (await put(owner, id, { identity: { fromName: 'Ours' }, transport: { kind: 'none' } })).body.config
    assert.deepEqual([set.identity.fromName, set.transport.host, set.transport.hasPassword], ['Ours', null, false])
    assert.deepEqual(set.own.toSorted(), ['identity.fromName', 'transport.kind'])
    const again = (await put(owner, id, { identity: { fromName: null }, transport: null })).body.config
    assert.deepEqual([again.identity.fromName, again.transport.host, again.own], ['Tenant', 'smtp.example.com', []])
  })

  test('never show a password, and forget it when its server changes', async () => {
    const id = (await orgs.create(owner)).id
    const password = unique('hidden')
    const transport = { kind: 'smtp', host: 'smtp.example.com', port: 587, security: 'starttls', userName: 'robot' }
    const set = await put(owner, id, { transport: { ...transport, password } })
    assert.deepEqual([set.status, set.body.config.transport.hasPassword], [200, true])
    assert.ok(!JSON.stringify((await get(owner, id)).body).includes(password))
    const row = await maybeOne(
      app.platform,
      sql<{ text: string }>`select c::text as text from email_configs c where owner_id = ${id}`,
    )
    assert.ok(row !== null && !row.text.includes(password))
    assert.equal((await put(owner, id, { transport: { port: 587 } })).body.config.transport.hasPassword, true)
    const moved = (await put(owner, id, { transport: { host: 'smtp.example.net' } })).body.config
    assert.deepEqual([moved.transport.host, moved.transport.hasPassword], ['smtp.example.net', false])
  })

  test('take a name at the domain once in the installation, also of two who want it at once', async () => {
    const ids = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const localPart = unique('team')
    const answers = await Promise.all(ids.map((id) => put(owner, id, { inbound: { localPart } })))
    assert.deepEqual(answers.map(({ status, body }) => [status, body.code]).toSorted(), [
      [200, undefined],
      [409, 'SLUG_TAKEN'],
    ])
    const winner = answers.find(({ status }) => status === 200)
    assert.equal(winner?.body.config.address, `${localPart}@${domain}`)
  })

  test('refuse what cannot work, and name each field', async () => {
    const refused: [body: object, path: string][] = [
      [{ inbound: { localPart: 'postmaster' } }, '/body/inbound/localPart'],
      [{ inbound: { localPart: 'Capital' } }, '/body/inbound/localPart'],
      [{ inbound: { localPart: 'x'.repeat(31) } }, '/body/inbound/localPart'],
      [{ inbound: { kind: 'webhook' } }, '/body/inbound/connectionId'],
      [{ inbound: { connectionId: orgId } }, '/body/inbound/connectionId'],
      [{ transport: { kind: 'smtp', port: 587, security: 'tls' } }, '/body/transport/host'],
      [{ transport: { kind: 'smtp', host: '127.0.0.1', port: 25, security: 'none' } }, '/body/transport/host'],
      [{ transport: { kind: 'smtp', host: 'localhost', port: 25, security: 'none' } }, '/body/transport/host'],
      [{ transport: { kind: 'smtp', host: 'smtp.example.com', port: 22, security: 'tls' } }, '/body/transport/port'],
      [
        {
          transport: {
            kind: 'smtp',
            host: 'smtp.example.com',
            port: 25,
            security: 'none',
            userName: 'a',
            password: 'b',
          },
        },
        '/body/transport/security',
      ],
      [{ inbound: { kind: 'imap', host: '[::1]', port: 993, security: 'tls' } }, '/body/inbound/host'],
      [{ identity: { fromAddress: 'nobody' } }, '/body/identity/fromAddress'],
      [{ replies: { approvers: [admin.id] } }, '/body/replies/approvers/0'],
      [{ replies: { perThreadDay: -1 } }, '/body/replies/perThreadDay'],
      [{ replies: { mode: 'always' } }, '/body/replies/mode'],
      [{ reply: {} }, '/body/reply'],
    ]
    for (const [body, at] of refused) {
      const reply = await put(owner, orgId, body)
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, at], JSON.stringify([body, reply.body]))
    }
    assert.equal((await put(owner, orgId, { transport: { kind: 'integration' } })).body.code, 'STATE_CONFLICT')
    assert.equal((await get(owner, orgId)).body.config.revision, 1)
  })

  test('change by who has read them, where If-Match says so', async () => {
    const id = (await orgs.create(owner)).id
    const { headers } = await get(owner, id)
    const ifMatch = { 'if-match': headers['etag'] }
    assert.equal((await put(owner, id, { commands: { invites: true } }, ifMatch)).status, 200)
    const late = await put(owner, id, { commands: { invites: false } }, ifMatch)
    assert.deepEqual([late.status, late.body.code], [412, 'PRECONDITION_FAILED'])
  })

  test('are for admins of the organization and administrators of the tenant, and foreign ones look like missing ones', async () => {
    const member = await orgs.add(key, orgId, 'member')
    const stranger = await orgs.person(await app.apiKey(await app.tenant()))
    for (const call of [get, (user: TestUser, of: string | null) => put(user, of, {})]) {
      assert.equal((await call(member, orgId)).status, 403)
      assert.equal((await call(member, null)).status, 403)
      assert.equal((await call(await orgs.add(key, orgId, 'admin'), orgId)).status, 200)
      const [foreign, unknown] = [await call(stranger, orgId), await call(stranger, stranger.id)]
      assert.deepEqual([foreign.status, { ...foreign.body, requestId: '' }], [404, { ...unknown.body, requestId: '' }])
      assert.equal((await call(admin, orgId)).status, 404, 'an administrator of the tenant who is no member')
    }
  })

  test('go with their organization, and free its address', async () => {
    const { id } = await orgs.create(owner)
    const localPart = unique('gone')
    await put(owner, id, { inbound: { localPart } })
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${id}?confirm=Research`)).status, 204)
    assert.equal((await put(owner, orgId, { inbound: { localPart } })).status, 200)
  })
})

test('a section that is null is inherited again, and a field that is null too', () => {
  const own = changeSettings({}, { replies: { mode: 'send', perDay: 3 }, commands: { invites: true } })
  assert.deepEqual(changeSettings(own, { replies: { mode: null }, commands: null }), { replies: { perDay: 3 } })
  assert.equal(effectiveSettings({}, own).replies.mode, 'send')
  assert.equal(
    effectiveSettings({ transport: { kind: 'none' } }, { transport: { kind: 'smtp', host: 'a.example' } }).transport
      .host,
    null,
  )
})

test('the first address of an organization is a valid name, whatever the organization is called', () => {
  for (const name of ['Research & Développement', '研究', '-', 'x'.repeat(80), 'postmaster', 'A B'])
    assert.match(defaultLocalPart(name, 'abc123'), /^[a-z0-9](?:[a-z0-9._-]{0,28}[a-z0-9])$/)
  for (const name of ['postmaster', 'abuse', 'mailer-daemon', 'no-reply', 'a..b']) assert.ok(isReservedLocalPart(name))
})
