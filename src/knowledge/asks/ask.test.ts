import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { heading, knowledgeCalls, paragraph } from '../../../test/harness/knowledge.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'

let app: TestApp
let knowledge: ReturnType<typeof knowledgeCalls>
let meetings: ReturnType<typeof meetingCalls>
let organizations: ReturnType<typeof organizationCalls>

before(async () => {
  app = await testApp()
  knowledge = knowledgeCalls(app)
  meetings = meetingCalls(app)
  organizations = organizationCalls(app)
})

/** An organization with an owner, a viewer, a policy and a meeting, which both may read. */
async function library() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const owner = await organizations.person(key)
  const { id: orgId } = await organizations.create(owner)
  const member = await organizations.add(key, orgId, 'viewer')
  const collectionId = await knowledge.collection(tenant.id, orgId)
  const blocks = [
    heading('Canteen'),
    paragraph('Lunch is served at noon. Guests pay 9 euros.'),
    heading('Logs 💾'),
    paragraph('Backups run at night. Entries of the audit log are kept for 400 days. Nobody may change them.'),
  ]
  const policy = await knowledge.document({ tenantId: tenant.id, orgId, collectionId, title: 'Policies', blocks })
  const transcript = [said('Good morning.'), said('The zeppelin 🎈 departs on Monday at seven.', { speaker: 'Grace' })]
  const meeting = await meetings.create(owner, { title: 'Travel', orgId, transcript })
  app.clock.advance({ seconds: 60 })
  await app.settled()
  return { tenant, key, owner, member, orgId, collectionId, policy, meeting }
}

const remove = (tenantId: string, documentId: string) =>
  transaction(app.scopeOf(tenantId), async (tx) => {
    await knowledge.searchIndex.remove(tx, [documentId])
    await run(tx, sql`delete from documents where tenant_id = ${tenantId} and id = ${documentId}`)
  })

describe('a question', () => {
  test('is answered by a quote of a document, which is to the code point what is stored', async () => {
    const { member, orgId, policy } = await library()
    const answer = await knowledge.ask(member, orgId, 'For how many days do we keep entries of the audit log?')
    assert.deepEqual([answer.found, answer.engine, answer.model, answer.fallbackReason], [true, 'local', null, null])
    const [{ start, end, ...citation }] = answer.citations
    assert.equal(citation.quote, 'Entries of the audit log are kept for 400 days.')
    assert.equal([...policy.text].slice(start, end).join(''), citation.quote)
    assert.deepEqual(
      [citation.n, citation.kind, citation.documentId, citation.version, citation.title, citation.heading],
      [1, 'document', policy.id, 1, 'Policies', ['Logs 💾']],
    )
    assert.deepEqual(answer.parts[0], { text: citation.quote, citations: [1] })
    assert.match(answer.answer, /^“Entries of the audit log are kept for 400 days\.” \[1\]/)
    assert.deepEqual([answer.closest, answer.searched], [[], { documents: 1, meetings: 1, waiting: 0 }])
  })

  test('is answered by what was said, with speaker and number of the entry', async () => {
    const { member, orgId, meeting } = await library()
    const { citations } = await knowledge.ask(member, orgId, 'When does the zeppelin depart?')
    const [{ quote, seq, speaker, timestamp, meetingId, start, end, path }] = citations
    assert.deepEqual(
      [quote, seq, speaker, timestamp, meetingId, start, end],
      ['The zeppelin 🎈 departs on Monday at seven.', 2, 'Grace', '00:00:01', meeting.id, 0, 42],
    )
    assert.equal(path, `/assistant/v1/meetings/${meeting.id}`)
  })

  test('that nothing answers gets an honest no, and what comes nearest', async () => {
    const { member, orgId } = await library()
    const answer = await knowledge.ask(member, orgId, 'Who painted the ceiling of the guests’ library in Vienna?')
    assert.deepEqual([answer.found, answer.parts, answer.citations], [false, [], []])
    assert.equal(answer.answer, 'Nothing that you may read answers this question.')
    assert.ok(answer.closest.length <= 3)
    const empty = await organizations.create(member)
    const nothing = await knowledge.ask(member, empty.id, 'What is here?')
    assert.deepEqual(
      [nothing.found, nothing.closest, nothing.searched],
      [false, [], { documents: 0, meetings: 0, waiting: 0 }],
    )
  })

  test('is not answered from what the asker may not read', async () => {
    const { tenant, owner, member, orgId } = await library()
    const closed = await knowledge.collection(tenant.id, orgId, { access: 'restricted', readers: [owner] })
    const blocks = [paragraph('The password of the safe is tulip.')]
    await knowledge.document({ tenantId: tenant.id, orgId, collectionId: closed, blocks })
    await meetings.create(owner, { orgId, visibility: 'private', transcript: [said('The safe stands in the cellar.')] })
    app.clock.advance({ seconds: 60 })
    await app.settled()
    assert.equal((await knowledge.ask(owner, orgId, 'What is the password of the safe?')).found, true)
    const asked = await knowledge.ask(member, orgId, 'What is the password of the safe?')
    assert.deepEqual([asked.found, asked.searched], [false, { documents: 1, meetings: 1, waiting: 0 }])
    assert.doesNotMatch(JSON.stringify(asked), /tulip|cellar/)
  })

  test('streams its answer as events where the client asks for them', async () => {
    const { member, orgId } = await library()
    const rest = { headers: { accept: 'text/event-stream' }, body: { question: 'When does the zeppelin depart?' } }
    const { status, headers, body } = await knowledge.call(member, 'POST', `/orgs/${orgId}/ask`, rest)
    assert.deepEqual([status, headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
    const events = String(body)
      .split('\n\n')
      .filter((it) => it.startsWith('event:'))
      .map((it) => /^event: (\w+)\ndata: (.*)$/.exec(it)?.slice(1) ?? [])
    const answer = JSON.parse(events.at(-1)?.[1] ?? '')
    assert.deepEqual(
      events.map(([name]) => name),
      [...answer.parts.map(() => 'part'), 'answer'],
    )
    assert.equal(answer.found, true)
    const stranger = await app.user(await app.apiKey(await app.tenant()))
    assert.equal((await knowledge.call(stranger, 'POST', `/orgs/${orgId}/ask`, rest)).status, 404)
  })
})

type Cited = { documentId: string | null; meetingId: string | null }

describe('a kept answer', () => {
  test('announces the limit of questions that holds', async () => {
    const { member, orgId } = await library()
    await overrideLimit(app, member.tenantId, 'asks', { hard: 5 })
    const { status, headers } = await knowledge.call(member, 'POST', `/orgs/${orgId}/ask`, {
      body: { question: 'Why?' },
    })
    assert.equal(status, 200)
    assert.match(headers['ratelimit-policy'] ?? '', /, "asks";q=5;w=\d+$/)
    assert.match(headers['ratelimit'] ?? '', /, "asks";r=4;t=\d+$/)
  })

  test('announces that limit also where it comes as events, and is no stream where it is refused', async () => {
    const { member, orgId } = await library()
    const rest = { headers: { accept: 'text/event-stream' }, body: { question: 'When does the zeppelin depart?' } }
    const ask = () => knowledge.call(member, 'POST', `/orgs/${orgId}/ask`, rest)
    await overrideLimit(app, member.tenantId, 'asks', { hard: 1, atLimit: 'REFUSE' })
    const { status, headers, body } = await ask()
    assert.equal(status, 200)
    assert.match(headers['ratelimit-policy'] ?? '', /, "asks";q=1;w=\d+$/)
    assert.match(headers['ratelimit'] ?? '', /, "asks";r=0;t=\d+$/)
    assert.match(String(body), /\nevent: answer\n/)
    const refused = await ask()
    assert.deepEqual([refused.status, refused.body.code], [429, 'USAGE_EXCEEDED'])
    assert.match(refused.headers['content-type'] ?? '', /^application\/problem\+json/)
  })

  test('is listed, read, rated and deleted by its asker alone', async () => {
    const { owner, member, orgId } = await library()
    const question = 'When does the zeppelin depart?'
    const answer = await knowledge.ask(member, orgId, question)
    const path = `/orgs/${orgId}/asks`
    const { asks, pagination } = (await knowledge.call(member, 'GET', path)).body
    assert.deepEqual(
      [asks, pagination.total],
      [[{ answerId: answer.answerId, question, found: true, engine: 'local', generatedAt: answer.generatedAt }], 1],
    )
    const one = `${path}/${answer.answerId}`
    assert.deepEqual((await knowledge.call(member, 'GET', one)).body.ask, { ...answer, question, feedback: null })
    const rated = await knowledge.call(member, 'POST', `${one}/feedback`, {
      body: { helpful: false, comment: 'Too late.' },
    })
    assert.deepEqual(rated.body.ask.feedback, { helpful: false, comment: 'Too late.' })
    for (const [method, url, rest] of [
      ['GET', one, {}],
      ['DELETE', one, {}],
      ['POST', `${one}/feedback`, { body: { helpful: true } }],
    ] as const)
      assert.equal((await knowledge.call(owner, method, url, rest)).status, 404, method)
    assert.deepEqual((await knowledge.call(owner, 'GET', path)).body.asks, [])
    assert.equal((await knowledge.call(member, 'DELETE', one)).status, 204)
    assert.equal((await knowledge.call(member, 'GET', one)).status, 404)
    assert.equal((await knowledge.call(member, 'DELETE', one)).status, 404)
  })

  test('shows no quote of what was erased, changed or closed since', async () => {
    const { tenant, owner, member, orgId, policy, meeting, collectionId } = await library()
    const fromPolicy = await knowledge.ask(member, orgId, 'For how many days are entries of the audit log kept?')
    const fromMeeting = await knowledge.ask(member, orgId, 'When does the zeppelin depart?')
    const quotes = async ({ answerId }: { answerId: string }, itemId: string) => {
      const { citations, parts } = (await knowledge.call(member, 'GET', `/orgs/${orgId}/asks/${answerId}`)).body.ask
      assert.ok(parts.length <= citations.length)
      return citations.filter((it: Cited) => (it.documentId ?? it.meetingId) === itemId).length
    }
    await meetings.call(owner, 'PATCH', `/${meeting.id}`, { body: { visibility: 'private' } })
    assert.equal(await quotes(fromMeeting, meeting.id), 0)
    await meetings.call(owner, 'PATCH', `/${meeting.id}`, { body: { visibility: 'org' } })
    assert.ok((await quotes(fromMeeting, meeting.id)) > 0)
    await run(
      app.platform,
      sql`update collections set access = 'restricted' where tenant_id = ${tenant.id} and id = ${collectionId}`,
    )
    assert.equal(await quotes(fromPolicy, policy.id), 0)
    await run(
      app.platform,
      sql`update collections set access = 'open' where tenant_id = ${tenant.id} and id = ${collectionId}`,
    )
    await remove(tenant.id, policy.id)
    assert.equal(await quotes(fromPolicy, policy.id), 0)
    await meetings.remove(owner, meeting.id)
    const gone = (await knowledge.call(member, 'GET', `/orgs/${orgId}/asks/${fromMeeting.answerId}`)).body.ask
    assert.deepEqual(
      [gone.found, gone.citations, gone.answer],
      [false, [], 'Nothing that you may read answers this question.'],
    )
  })

  test('names no word of an erased document as a correction', async () => {
    const { tenant, member, orgId, collectionId } = await library()
    const blocks = [paragraph('The flibbertizorg is kept in the cellar.')]
    const { id } = await knowledge.document({ tenantId: tenant.id, orgId, collectionId, blocks })
    const answer = await knowledge.ask(member, orgId, 'Where is the flibbertizorx kept?')
    assert.deepEqual(answer.corrected, { flibbertizorx: 'flibbertizorg' })
    await remove(tenant.id, id)
    assert.deepEqual(await rowsWith(app.platform, 'flibbertizorg'), [])
    const kept = (await knowledge.call(member, 'GET', `/orgs/${orgId}/asks/${answer.answerId}`)).body.ask
    assert.doesNotMatch(JSON.stringify(kept), /flibbertizorg/)
  })

  test('ends after 30 days', async () => {
    const { member, orgId } = await library()
    const { answerId } = await knowledge.ask(member, orgId, 'When does the zeppelin depart?')
    const { answerId: later } = await knowledge.ask(member, orgId, 'What is for lunch?')
    const ids = async () => (await rowsWith(app.platform, answerId)).length
    assert.ok((await ids()) > 0)
    await run(app.platform, sql`update asks set created_at = created_at - interval '31 days' where id = ${answerId}`)
    const path = `/orgs/${orgId}/asks`
    assert.equal((await knowledge.call(member, 'GET', `${path}/${answerId}`)).status, 404)
    assert.equal((await knowledge.call(member, 'DELETE', `${path}/${answerId}`)).status, 404)
    const { asks } = (await knowledge.call(member, 'GET', path)).body
    assert.deepEqual(
      asks.map((line: { answerId: string }) => line.answerId),
      [later],
    )
    assert.ok((await ids()) > 0)
    await app.app.housekeep('knowledge.')
    assert.equal(await ids(), 0)
    assert.equal((await knowledge.call(member, 'GET', `/orgs/${orgId}/asks/${later}`)).status, 200)
  })
})

describe('the index', () => {
  test('holds no word of an erased document or meeting, and its counts are those of what is left', async () => {
    const { tenant, owner, member, orgId, policy, meeting } = await library()
    const blocks = [paragraph('Quagmire canary words about audit logs.')]
    const collectionId = await knowledge.collection(tenant.id, orgId)
    const canary = await knowledge.document({ tenantId: tenant.id, orgId, collectionId, title: 'Canary', blocks })
    await knowledge.ask(member, orgId, 'What is the quagmire canary?')
    await remove(tenant.id, canary.id)
    await run(app.platform, sql`delete from asks where tenant_id = ${tenant.id}`)
    assert.deepEqual(await rowsWith(app.platform, 'quagmir'), [])
    assert.equal((await knowledge.search(member, orgId, 'quagmire')).results.length, 0)
    await meetings.remove(owner, meeting.id)
    await remove(tenant.id, policy.id)
    const left = (await rowsWith(app.platform, tenant.id)).filter((row) => /^public\.indexed_/.test(row))
    assert.deepEqual(left, [])
  })
})
