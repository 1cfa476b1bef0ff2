import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { heading, knowledgeCalls, paragraph } from '../../../test/harness/knowledge.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { run, sql } from '../../storage/query.ts'

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

/** An organization with an owner, a member, and an open collection. */
async function library() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const owner = await organizations.person(key)
  const { id: orgId } = await organizations.create(owner)
  const member = await organizations.add(key, orgId, 'viewer')
  const collectionId = await knowledge.collection(tenant.id, orgId)
  const add = (
    blocks: Parameters<typeof knowledge.document>[0]['blocks'],
    rest: { title?: string; collectionId?: string } = {},
  ) => knowledge.document({ tenantId: tenant.id, orgId, collectionId, blocks, ...rest })
  return { tenant, key, owner, member, orgId, collectionId, add }
}

/** What is said in a live meeting is found after a minute at the latest. */
async function said60SecondsAgo() {
  app.clock.advance({ seconds: 60 })
  await app.settled()
}

type Found = { documentId: string | null; meetingId: string | null }
const idsOf = ({ results }: { results: Found[] }) => results.map(({ documentId, meetingId }) => documentId ?? meetingId)

describe('search', () => {
  test('finds the best chunk with its page and headings, and marks the words in escaped text', async () => {
    const { member, orgId, add } = await library()
    await add([paragraph('Lunch is at noon.')], { title: 'Canteen' })
    const { id } = await add(
      [
        heading('Security', 1, 4),
        heading('Logs', 2, 4),
        paragraph('Entries of the audit log <b> are kept for a year.', 4),
      ],
      { title: 'Policies' },
    )
    const { results, corrected, searched } = await knowledge.search(member, orgId, 'audit logs')
    assert.deepEqual(idsOf({ results }), [id])
    assert.deepEqual(results[0], {
      kind: 'document',
      documentId: id,
      meetingId: null,
      version: 1,
      title: 'Policies',
      page: 4,
      heading: ['Security', 'Logs'],
      seq: null,
      speaker: null,
      timestamp: null,
      path: `/assistant/v1/orgs/${orgId}/documents/${id}`,
      snippet: results[0].snippet,
    })
    assert.match(results[0].snippet, /of the <mark>audit<\/mark> <mark>log<\/mark> &lt;b&gt; are/)
    assert.deepEqual([corrected, searched], [{}, { documents: 2, meetings: 0, waiting: 0 }])
  })

  test('finds what was said in meetings that the reader may read, and nothing of others', async () => {
    const { key, owner, member, orgId } = await library()
    const listed = await organizations.add(key, orgId, 'member')
    const transcript = [
      said('Good morning.'),
      said('The zeppelin departs on Monday.', { speaker: 'Grace', timestamp: '00:12:31' }),
    ]
    const open = await meetings.create(owner, { title: 'Open', orgId, transcript })
    const hidden = await meetings.create(owner, { title: 'Hidden', orgId, visibility: 'private', transcript })
    const shared = await meetings.create(owner, {
      title: 'Shared',
      orgId,
      visibility: 'members',
      sharedWith: [{ userId: listed.id, access: 'read' }],
      transcript,
    })
    await said60SecondsAgo()
    const { results } = await knowledge.search(member, orgId, 'zeppelin')
    assert.deepEqual(idsOf({ results }), [open.id])
    const [{ seq, speaker, timestamp, title, path, snippet }] = results
    assert.deepEqual(
      [seq, speaker, timestamp, title, path],
      [2, 'Grace', '00:12:31', 'Open', `/assistant/v1/meetings/${open.id}`],
    )
    assert.equal(snippet, 'The <mark>zeppelin</mark> departs on Monday.')
    const seen = async (user: TestUser) => idsOf(await knowledge.search(user, orgId, 'zeppelin')).toSorted()
    assert.deepEqual(await seen(listed), [open.id, shared.id].toSorted())
    assert.deepEqual(await seen(owner), [open.id, hidden.id, shared.id].toSorted())
  })

  test('of two passages that say the same, the one amid more talk about it comes first', async () => {
    const { owner, member, orgId } = await library()
    const passage = said(`The zeppelin departs on Monday. ${'It is late. '.repeat(96)}`)
    const talk = [passage, said('Who flies the zeppelin?'), said('Ben knows the zeppelin well.')]
    // By the order of two equal passages the newer one would be first.
    const amid = await meetings.create(owner, { title: 'First', orgId, transcript: talk })
    const alone = await meetings.create(owner, { title: 'Other', orgId, transcript: [passage] })
    await said60SecondsAgo()
    const { results } = await knowledge.search(member, orgId, 'zeppelin departs')
    const departing = results.filter(({ snippet }: { snippet: string }) => snippet.includes('<mark>departs</mark>'))
    assert.deepEqual(idsOf({ results: departing }), [amid.id, alone.id])
  })

  test('requires phrases somewhere in the document, leaves out what holds an excluded word, and takes either phrase of an or', async () => {
    const { member, orgId, add } = await library()
    const { id: exact } = await add([paragraph('The audit log is kept.'), paragraph('It is final.')])
    const { id: loose } = await add([paragraph('A log of each audit is a draft.')])
    const find = async (q: string) => idsOf(await knowledge.search(member, orgId, q)).toSorted()
    assert.deepEqual(await find('audit log'), [exact, loose].toSorted())
    assert.deepEqual(await find('"audit log"'), [exact])
    assert.deepEqual(await find('audit -draft'), [exact])
    assert.deepEqual(await find('audit -"audit log"'), [loose])
    assert.deepEqual(await find('audit "audit log" or "is a draft"'), [exact, loose].toSorted())
  })

  test('reads a word that occurs nowhere as its neighbour, of what the reader may read alone', async () => {
    const { tenant, owner, member, orgId, add } = await library()
    await add([paragraph('The retention of mails is a year.')])
    const closed = await knowledge.collection(tenant.id, orgId, { access: 'restricted', readers: [owner] })
    await add([paragraph('The detention of mails.')], { collectionId: closed })
    const { results, corrected } = await knowledge.search(member, orgId, 'retentoin')
    assert.deepEqual([results.length, corrected], [1, { retentoin: 'retention' }])
    const phrase = await knowledge.search(member, orgId, '"retentoin of mails"')
    assert.deepEqual([phrase.results.length, phrase.corrected], [1, { retentoin: 'retention' }])
    assert.deepEqual((await knowledge.search(member, orgId, 'detentoin')).corrected, {})
    assert.deepEqual((await knowledge.search(owner, orgId, 'detentoin')).corrected, { detentoin: 'detention' })
  })

  test('counts the documents that cannot be found yet, as far as the filter takes them', async () => {
    const { owner, member, orgId } = await library()
    await documentCalls(app, orgId).add(owner, 'The zeppelin departs on Monday.')
    const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString()
    const waiting = async (filter = {}) => (await knowledge.search(member, orgId, 'zeppelin', filter)).searched.waiting
    assert.deepEqual([await waiting(), await waiting({ from: day(-1), to: day(1) })], [1, 1])
    assert.deepEqual([await waiting({ from: day(1) }), await waiting({ to: day(-1) })], [0, 0])
  })

  test('counts the meetings that ended and cannot be found as they are, of those that the reader may read', async () => {
    const { owner, member, orgId } = await library()
    const ended = async (visibility: string, text: string): Promise<string> => {
      const { id } = await meetings.create(owner, { orgId, visibility, transcript: [said(text)] })
      assert.equal((await meetings.call(owner, 'POST', `/${id}/end`)).status, 200)
      return id
    }
    const open = await ended('org', 'Our zeppelin is late.')
    const closed = await ended('private', 'Nobody knows of this zeppelin.')
    await meetings.create(owner, { orgId, transcript: [said('This zeppelin is being talked about.')] })
    await app.settled()
    const waiting = async (person: typeof owner, filter = {}) =>
      (await knowledge.search(person, orgId, 'zeppelin', filter)).searched.waiting
    assert.deepEqual([await waiting(owner), await waiting(member)], [0, 0])
    await run(app.platform, sql`update meetings set content_revision = content_revision + 1 where org_id = ${orgId}`)
    assert.deepEqual([await waiting(owner), await waiting(member)], [2, 1])
    assert.deepEqual([await waiting(owner, { meetingId: open }), await waiting(member, { meetingId: closed })], [1, 0])
    assert.deepEqual([await waiting(owner, { kind: 'meeting' }), await waiting(owner, { kind: 'document' })], [2, 0])
  })

  test('narrows by kind, collection, item and time, and what is unknown finds nothing', async () => {
    const { tenant, owner, orgId, collectionId, add } = await library()
    const { id: document } = await add([paragraph('The zeppelin is grey.')])
    const other = await knowledge.collection(tenant.id, orgId)
    const { id: elsewhere } = await add([paragraph('A zeppelin is slow.')], { collectionId: other })
    const meeting = await meetings.create(owner, { orgId, transcript: [said('Our zeppelin is late.')] })
    await said60SecondsAgo()
    const find = async (query: Record<string, string>) =>
      idsOf(await knowledge.search(owner, orgId, 'zeppelin', query)).toSorted()
    const later = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const earlier = new Date(app.clock.now().getTime() - 3_600_000).toISOString()
    const cases: [Record<string, string>, string[]][] = [
      [{}, [document, elsewhere, meeting.id]],
      [{ kind: 'document' }, [document, elsewhere]],
      [{ kind: 'meeting' }, [meeting.id]],
      [{ collectionId }, [document]],
      [{ documentId: elsewhere }, [elsewhere]],
      [{ meetingId: meeting.id }, [meeting.id]],
      [{ meetingId: document }, []],
      [{ documentId: meeting.id }, []],
      [{ from: earlier, to: later, kind: 'document' }, [document, elsewhere]],
      [{ from: later }, []],
      [{ to: earlier }, []],
    ]
    for (const [query, ids] of cases) assert.deepEqual(await find(query), ids.toSorted(), JSON.stringify(query))
  })

  test('finds the current words of a changed transcript, and none of a deleted or moved meeting', async () => {
    const { owner, orgId } = await library()
    const meeting = await meetings.create(owner, {
      orgId,
      transcript: [said('The zeppelin is late.', { segmentId: 'a' })],
    })
    assert.equal((await knowledge.search(owner, orgId, 'zeppelin')).results.length, 0)
    await said60SecondsAgo()
    const count = async (q: string) => (await knowledge.search(owner, orgId, q)).results.length
    assert.equal(await count('zeppelin'), 1)
    await meetings.append(owner, meeting.id, [said('The airship is late.', { segmentId: 'a' })])
    await said60SecondsAgo()
    assert.deepEqual([await count('zeppelin'), await count('airship')], [0, 1])
    await meetings.call(owner, 'PATCH', `/${meeting.id}`, { body: { title: 'Balloons' } })
    await app.settled()
    assert.equal(await count('balloon'), 1)
    await meetings.call(owner, 'PATCH', `/${meeting.id}`, { body: { orgId: null, visibility: 'private' } })
    assert.equal(await count('airship'), 0)
    await meetings.call(owner, 'PATCH', `/${meeting.id}`, { body: { orgId } })
    await app.settled()
    assert.equal(await count('airship'), 1)
    await meetings.remove(owner, meeting.id)
    assert.equal(await count('airship'), 0)
  })

  test('answers while a long entry that was replaced by a short one has not been indexed again', async () => {
    const { owner, orgId } = await library()
    const sentences = Array.from({ length: 40 }, (_, index) => `This is sentence number ${index} of a long speech.`)
    const long = [...sentences, 'The zeppelin departs on Monday.'].join(' ')
    const meeting = await meetings.create(owner, { orgId, transcript: [said(long, { segmentId: 'a' })] })
    await said60SecondsAgo()
    const count = async () => (await knowledge.search(owner, orgId, 'zeppelin')).results.length
    assert.equal(await count(), 1)
    await meetings.append(owner, meeting.id, [said('Short.', { segmentId: 'a' })])
    assert.equal(await count(), 0)
  })

  test('of more chunks than are put into exact order, keeps those that have more of the words', async () => {
    const { member, orgId, add } = await library()
    const filler = 'It is one of many that are described here in more or less the same way. '.repeat(10)
    const others = Array.from({ length: 450 }, (_, index) => paragraph(`The zeppelin has number ${index}. ${filler}`))
    await add([paragraph(`A zeppelin, and a zeppelin beside a zeppelin. ${filler}`), ...others])
    const { results } = await knowledge.search(member, orgId, 'zeppelin', { limit: '50' })
    assert.equal(results.length, 50)
    assert.match(results[0].snippet, /beside a <mark>zeppelin/)
  })

  test('finds a transcript every time while it is indexed again and again', async () => {
    const { owner, orgId } = await library()
    const { id } = await meetings.create(owner, { orgId, transcript: [said('The zeppelin departs on Monday.')] })
    await said60SecondsAgo()
    let isChanging = true
    const changing = (async () => {
      for (let round = 0; round < 20; round++) {
        const reply = await meetings.call(owner, 'PATCH', `/${id}`, { body: { title: `Round ${round}` } })
        assert.equal(reply.status, 200)
        await app.settled()
      }
      isChanging = false
    })()
    while (isChanging) assert.deepEqual(idsOf(await knowledge.search(owner, orgId, 'zeppelin')), [id])
    await changing
  })

  test('is the 404 of an unknown organization to who is no member', async () => {
    const { orgId, key } = await library()
    const stranger = await organizations.person(key)
    const closed = await knowledge.call(stranger, 'GET', `/orgs/${orgId}/search?q=a`)
    const unknown = await knowledge.call(stranger, 'GET', `/orgs/${key.tenantId}/search?q=a`)
    assert.deepEqual([closed.status, { ...closed.body, requestId: '' }], [404, { ...unknown.body, requestId: '' }])
  })

  test('answers whatever is typed', async () => {
    const { member, orgId, add } = await library()
    await add([paragraph("L'été, c'est l'amour d'un (fou) & co: 1,200.5 % \\ 日本語 ' \"")])
    for (const q of [
      "'",
      '\\',
      '":*',
      "a' | b",
      '()',
      '!!',
      '日本語',
      '& <-> |',
      '-',
      'or',
      '"',
      '💥',
      'x'.repeat(500),
    ])
      assert.ok(Array.isArray((await knowledge.search(member, orgId, q)).results), q)
  })
})
