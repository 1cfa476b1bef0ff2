import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { knowledgeCalls, paragraph } from '../../../test/harness/knowledge.ts'
import { mailEngine } from '../../../test/harness/mail-engine.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { many, run, sql } from '../../storage/query.ts'

describe('a draft', () => {
  let app: TestApp
  let server: MailServer
  let key: TestKey
  let orgId: string
  let owner: TestUser
  let member: TestUser
  let engine: ReturnType<typeof mailEngine>
  let orgs: ReturnType<typeof organizationCalls>

  before(async () => {
    server = await startMailServer()
    app = await testApp({
      email: { domain: 'mail.atrium.example' },
      mail: { smtp: { url: server.url, from: 'no-reply@atrium.example' }, publicUrl: null },
    })
    key = await app.apiKey(await app.tenant())
    orgs = organizationCalls(app)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    member = await orgs.add(key, orgId, 'member')
    engine = mailEngine(app, { tenantId: key.tenantId, orgId })
    engine.replies.mode = 'draft'
  })
  after(() => server.close())

  async function drafted() {
    const threadId = await engine.thread([{ address: member.email, userId: member.id }])
    const id = await engine.receive({ from: member.email, threadId, text: 'When does the venue open?' })
    await engine.process(id)
    const { answer } = await engine.read(id)
    assert.ok(answer)
    return { mailId: id, draftId: answer.id }
  }
  const call = (user: TestUser, method: string, path: string, body?: unknown, headers = {}) =>
    orgs.call(user, method, `/email/messages/${path}`, { ...(body === undefined ? {} : { body }), headers })

  test('is changed by admins alone, and by what they have read', async () => {
    const { draftId } = await drafted()
    const text = 'It opens at nine.'
    const changed = await call(owner, 'PATCH', draftId, { text }, { 'if-match': `"${draftId}-1"` })
    assert.deepEqual([changed.status, changed.body.message.text, changed.body.message.revision], [200, text, 2])
    assert.equal((await call(owner, 'PATCH', draftId, { text }, { 'if-match': `"${draftId}-1"` })).status, 412)
    assert.equal((await call(member, 'PATCH', draftId, { text })).status, 403)
    const stranger = await orgs.person(key)
    assert.equal((await call(stranger, 'PATCH', draftId, { text })).status, 404)
    assert.equal((await call(owner, 'PATCH', draftId, { text: ' ' })).status, 400)
    const log = JSON.stringify(await auditOfTenant(app.platform, key.tenantId))
    assert.ok(log.includes('email_message.update') && !log.includes(member.email) && !log.includes(text))
  })

  test('is discarded once, and is no draft any more', async () => {
    const { draftId } = await drafted()
    const [first, second] = await Promise.all([
      call(owner, 'POST', `${draftId}/discard`),
      call(owner, 'POST', `${draftId}/discard`),
    ])
    assert.deepEqual([first.status, second.status].sort(), [200, 409])
    assert.equal((await call(owner, 'PATCH', draftId, { text: 'x' })).status, 409)
    assert.equal((await call(owner, 'GET', draftId)).body.message.status, 'discarded')
  })

  test('is sent once, however many approve it at once, and not after an edit that they have not read', async () => {
    const { draftId } = await drafted()
    const approve = async (revision: number) => {
      const { status, body } = await call(owner, 'POST', `${draftId}/approve`, { revision })
      return body.code ?? status
    }
    const text = 'It opens at ten.'
    assert.equal((await call(owner, 'PATCH', draftId, { text })).body.message.revision, 2)
    assert.equal(await approve(1), 'PRECONDITION_FAILED')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => approve(2)))
    assert.deepEqual(outcomes.toSorted(), [200, ...Array(19).fill('STATE_CONFLICT')])
    await app.settled()
    const sent = server.received.filter(({ headers }) => headers['subject'] === 'Re: Launch')
    assert.deepEqual(
      sent.map((mail) => mail.text.trim()),
      [text],
    )
    assert.equal(await approve(3), 'STATE_CONFLICT')
  })

  test('that quotes what its reader may not read any more is not sent but written anew, also after it failed', async () => {
    const knowledge = knowledgeCalls(app)
    const { tenantId } = key
    const collectionId = await knowledge.collection(tenantId, orgId, { access: 'restricted', readers: [member] })
    const blocks = [paragraph('The zeppelin lands on platform seventeen.')]
    await knowledge.document({ tenantId, orgId, collectionId, title: 'Landing', blocks })
    const draftOf = async () => {
      const text = `Where does the zeppelin land? ${unique('please')}`
      const mailId = await engine.receive({ from: member.email, text })
      await engine.process(mailId)
      const { answer } = await engine.read(mailId)
      assert.match(answer?.text ?? '', /seventeen/)
      return { mailId, draftId: answer?.id as string }
    }
    const [first, second] = [await draftOf(), await draftOf()]
    const approve = async (draftId: string) => call(await again(owner), 'POST', `${draftId}/approve`, { revision: 1 })
    const approved = await approve(first.draftId)
    assert.deepEqual([approved.status, approved.body.message.status], [200, 'queued'])
    await run(app.platform, sql`update mail_messages set status = 'failed' where id = ${first.draftId}`)
    await run(app.platform, sql`delete from collection_members where collection_id = ${collectionId}`)

    const refused = await Promise.all(Array.from({ length: 10 }, () => approve(second.draftId)))
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      Array(10).fill([409, 'STATE_CONFLICT']),
    )
    const retried = await call(await again(owner), 'POST', `${first.draftId}/retry`)
    assert.deepEqual([retried.status, retried.body.code], [409, 'STATE_CONFLICT'])
    // The newest draft is read; two of one moment have no order.
    app.clock.advance({ seconds: 1 })
    for (const { mailId } of [first, second]) {
      const { status, answer } = await engine.read(mailId)
      assert.deepEqual([status, answer?.status], ['received', 'discarded'])
      await engine.process(mailId)
      const anew = (await engine.read(mailId)).answer
      assert.deepEqual([anew?.status, /seventeen/.test(anew?.text ?? '')], ['draft', false])
    }
    await app.settled()
    const answers = await many(
      app.platform,
      sql<{
        status: string
      }>`select status from mail_messages where tenant_id = ${tenantId} and answers_id = ${second.mailId}`,
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), ['discarded', 'draft'], 'written anew once')
  })

  test('is discarded after 14 days', async () => {
    const { draftId } = await drafted()
    app.clock.advance({ seconds: 13 * 24 * 3600 })
    await app.app.housekeep('email.drafts.')
    assert.equal((await call(await again(owner), 'GET', draftId)).body.message.status, 'draft')
    app.clock.advance({ seconds: 25 * 3600 })
    await app.app.housekeep('email.drafts.')
    assert.equal((await call(await again(owner), 'GET', draftId)).body.message.status, 'discarded')
  })

  test('has a trace of the mail that it answers, which holds no address and no word of it', async () => {
    const { mailId, draftId } = await drafted()
    const { status, body } = await call(await again(owner), 'GET', `${mailId}/trace`)
    assert.equal(status, 200)
    const { trace } = body
    assert.deepEqual([trace.outcome, trace.cause], ['draft', 'NOTHING_FOUND'])
    assert.deepEqual(
      trace.steps.map(({ step }: { step: string }) => step),
      [
        'parsed',
        'authentic',
        'automatic',
        'suppressed',
        'addressed',
        'threaded',
        'allowed',
        'quota',
        'retrieved',
        'drafted',
        'mode',
      ],
    )
    assert.ok(!JSON.stringify(trace).includes('@') && !JSON.stringify(trace).includes('venue'))
    const none = (await call(await again(owner), 'GET', `${draftId}/trace`)).body.trace
    assert.deepEqual(none, { outcome: null, cause: null, steps: [] })
  })

  const again = async (user: TestUser): Promise<TestUser> => {
    const { email, password, headers } = user
    const reply = await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers, body: { email, password } })
    return { ...user, accessToken: reply.body.accessToken }
  }
})
