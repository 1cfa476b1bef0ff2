import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { newId } from '../../kernel/ids.ts'
import { one, sql } from '../../storage/query.ts'

let app: TestApp
let effects: ReturnType<typeof effectsOver>
let meetings: ReturnType<typeof meetingCalls>

before(async () => {
  app = await testApp()
  effects = effectsOver(app)
  meetings = meetingCalls(app)
})

type Quoted = { documentId: string | null; meetingId: string | null }
const source = ({ documentId, meetingId }: Quoted) => documentId ?? meetingId

const question = 'How many days does the zeppelin need to Bregenz?'

/** An organization, and the chat of a connection that belongs to it. */
async function organizationChat() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const owner = await organizationCalls(app).person(key)
  const { id: orgId } = await organizationCalls(app).create(owner)
  const connectionId = newId(app.clock.now())
  async function ask(
    text = question,
    rest: { orgId?: string | null; settings?: Record<string, string>; ts?: string } = {},
  ) {
    const payload = jsonPayload('slack-message-im')
    const { ts = '1.1', ...owner } = rest
    payload.event = { ...payload.event, text, ts }
    const sent = { scheme: 'slack', channel: 'chat', connectionId, payload, orgId, ...owner } as const
    const outcome = await effects.process(tenant, sent)
    assert.ok(outcome.kind === 'processed' && outcome.effects[0])
    await app.settled()
    return outcome.effects[0]
  }
  const read = async (id: string) =>
    (await app.call({ url: `/admin/tenants/${tenant.id}/answers/${id}`, headers: app.admin })).body.answer
  const documents = documentCalls(app, orgId)
  async function document(text: string, access: 'open' | 'restricted' = 'open') {
    const { id: collectionId } = await documents.collection(owner, { access })
    const { id } = await documents.ready(owner, `# Journeys\n\n${text}`, { title: 'Handbook', collectionId })
    return { id, collectionId }
  }
  async function meeting(text: string, visibility: 'org' | 'private' = 'org') {
    const { id } = await meetings.create(owner, { title: 'Planning', transcript: [said(text)], orgId, visibility })
    // Then what was said in a live meeting is found.
    app.clock.advance({ seconds: 60 })
    await app.settled()
    return id as string
  }
  return { tenant, owner, orgId, ask, read, documents, document, meeting }
}

describe('a question in the chat of an organization', () => {
  test('is answered with quotes of documents and meetings that all members may read', async () => {
    const { orgId, ask, read, document, meeting } = await organizationChat()
    const { id: documentId } = await document('To Bregenz the zeppelin needs three days.')
    const meetingId = await meeting('The zeppelin needs as many days to Bregenz as before.')
    const answer = await read((await ask()).targetId)
    assert.deepEqual([answer.orgId, answer.userId, answer.waitingFor], [orgId, null, 'sending'])
    const byDocument = answer.quotes.find((quote: { documentId: string | null }) => quote.documentId === documentId)
    assert.deepEqual(
      [byDocument.quote, byDocument.documentTitle, byDocument.version, byDocument.heading, byDocument.meetingId],
      ['To Bregenz the zeppelin needs three days.', 'Handbook', 1, ['Journeys'], null],
    )
    const bySpeech = answer.quotes.find((quote: { meetingId: string | null }) => quote.meetingId === meetingId)
    assert.deepEqual(
      [bySpeech.quote, bySpeech.seq, bySpeech.speaker, bySpeech.documentId],
      ['The zeppelin needs as many days to Bregenz as before.', 1, 'Ada', null],
    )
    assert.match(answer.text, /^This is what I found about it:\n\n/)
    assert.match(answer.text, /\n\nHandbook\n“To Bregenz the zeppelin needs three days\.”/)
    assert.match(answer.text, /\n\nPlanning, \d{4}-\d\d-\d\d\nAda \(00:00:01\): “The zeppelin/)
  })

  test('quotes nothing that only some members may read, whoever is named in the settings', async () => {
    const { owner, ask, read, document, meeting } = await organizationChat()
    await document('To Bregenz the zeppelin needs three days.', 'restricted')
    await meeting('To Bregenz the zeppelin needs three days.', 'private')
    const answer = await read((await ask(question, { settings: { userId: owner.id } })).targetId)
    assert.deepEqual([answer.quotes, answer.userId], [[], null])
    assert.equal(answer.text, 'I looked through what all members may read and found nothing about this.')
  })

  test('is answered with a plain sentence where its tenant refuses questions beyond the limit, and only there', async () => {
    for (const [atLimit, isRefused] of [
      ['REFUSE', true],
      ['FALL_BACK', false],
    ] as const) {
      const { tenant, owner, ask, read, document } = await organizationChat()
      await document('To Bregenz the zeppelin needs three days.')
      await overrideLimit(app, tenant.id, 'asks', { hard: 0, atLimit })
      const ofOrganization = await read((await ask()).targetId)
      const ofUser = await read(
        (await ask(question, { orgId: null, settings: { userId: owner.id }, ts: '2.2' })).targetId,
      )
      assert.equal(ofOrganization.quotes.length === 0, isRefused)
      for (const { text, waitingFor } of [ofOrganization, ofUser]) {
        assert.equal(text === 'I cannot answer this: the questions of this month are used up.', isRefused)
        assert.equal(waitingFor, 'sending')
      }
      const { used } = await one(
        app.platform,
        sql<{ used: number }>`select coalesce(sum(amount), 0)::int as used from usage_by_day
          where tenant_id = ${tenant.id} and meter = 'asks'`,
      )
      assert.equal(used, isRefused ? 0 : 2)
    }
  })

  test('waits for an organization or a user, and is answered once there is one', async () => {
    const { ask, read, document } = await organizationChat()
    await document('To Bregenz the zeppelin needs three days.')
    for (const orgId of [null, newId(app.clock.now())]) {
      const effect = await ask(question, { orgId })
      assert.equal((await read(effect.targetId)).waitingFor, 'user')
    }
    const { targetId, action } = await ask()
    assert.equal(action, 'updated')
    assert.ok((await read(targetId)).quotes.length > 0)
  })
})

describe('a quote in the chat of an organization', () => {
  test('goes with its document or meeting, and so does every trace of it', async () => {
    const { owner, ask, read, documents, document, meeting } = await organizationChat()
    const word = unique('word')
    const { id: documentId } = await document(`To Bregenz the zeppelin needs three days, says ${word}.`)
    const meetingId = await meeting(`The zeppelin needs as many days to Bregenz as ${word}.`)
    const { targetId } = await ask()
    const quoted = async () => new Set((await read(targetId)).quotes.map(source))
    assert.deepEqual(await quoted(), new Set([documentId, meetingId]))
    assert.equal((await documents.call(owner, 'DELETE', `/documents/${documentId}`)).status, 204)
    assert.deepEqual(await quoted(), new Set([meetingId]))
    await meetings.remove(owner, meetingId)
    assert.deepEqual((await read(targetId)).quotes, [])
    assert.deepEqual(await rowsWith(app.platform, word), [])
    const citations = (await rowsWith(app.platform, targetId)).filter((row) => row.includes('drafted_answer_citations'))
    assert.deepEqual(citations, [])
  })

  test('is not shown while not all members may read its source', async () => {
    const { owner, ask, read, documents, document, meeting } = await organizationChat()
    const { id: documentId, collectionId } = await document('To Bregenz the zeppelin needs three days.')
    const meetingId = await meeting('The zeppelin needs as many days to Bregenz as before.')
    const { targetId } = await ask()
    const setAccess = (access: string) =>
      documents.call(owner, 'PATCH', `/collections/${collectionId}`, { body: { access } })
    await setAccess('restricted')
    const { quotes, text } = await read(targetId)
    assert.deepEqual(quotes.map(source), [meetingId])
    assert.doesNotMatch(text, /three days/)
    await setAccess('open')
    await meetings.call(owner, 'PATCH', `/${meetingId}`, { body: { visibility: 'private' } })
    assert.deepEqual(new Set((await read(targetId)).quotes.map(source)), new Set([documentId]))
  })

  test('goes with its organization, and so does the question', async () => {
    const { tenant, owner, orgId, ask, document } = await organizationChat()
    await document('To Bregenz the zeppelin needs three days.')
    await ask()
    const url = `/orgs/${orgId}?confirm=Research`
    assert.equal((await organizationCalls(app).call(owner, 'DELETE', url)).status, 204)
    assert.deepEqual(await effects.rows('drafted_answers', tenant), [])
  })
})
