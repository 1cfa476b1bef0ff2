import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { standUp } from '../../../test/meetings/written.ts'
import { countSentences } from '../../summarizer/text/sentence-counts.ts'
import { countWords } from '../../summarizer/text/word-counts.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  user = await calls.someone()
})
after(() => app.app.flush())

const getSummary = (id: string, query = '', headers = {}) =>
  calls.call(user, 'GET', `/${id}/summary${query}`, { headers })

describe('the summary of a meeting', () => {
  test('has every documented member in both modes, and cites existing entries', async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    for (const mode of ['short', 'detailed']) {
      const { status, body, headers } = await getSummary(meeting.id, `?mode=${mode}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(headers['cache-control'], 'private, no-cache')
      assert.deepEqual(
        Object.keys(body).sort(),
        `actionItems basis citations contributions decisions engine fallbackReason gaps generatedAt meetingId mode model questions
        revision sentenceCount summary topics wordCount`.split(/\s+/),
      )
      assert.deepEqual(
        [body.meetingId, body.mode, body.engine, body.model, body.fallbackReason, body.basis, body.revision],
        [meeting.id, mode, 'local', null, null, 'transcript', meeting.revision],
      )
      assert.equal(body.generatedAt, app.clock.now().toISOString())
      assert.equal(body.sentenceCount, body.citations.length)
      const counts = mode === 'short' ? countSentences(body.summary) : countWords(body.summary)
      const [min, max] = mode === 'short' ? [4, 6] : [400, 700]
      assert.ok(
        counts.every((it) => it >= min && it <= max),
        `${counts}: ${body.summary}`,
      )
      const seqs = meeting.transcript.map(({ seq }: { seq: number }) => seq)
      for (const { sentence, entries } of body.citations) {
        assert.ok(body.summary.includes(sentence))
        assert.ok(entries.length > 0 && entries.every((seq: number) => seqs.includes(seq)), sentence)
      }
      assert.deepEqual(
        new Set(body.contributions.map(({ speaker }: { speaker: string }) => speaker)),
        new Set(standUp.map(({ speaker }) => speaker)),
      )
      const shares = body.contributions.reduce((sum: number, { share }: { share: number }) => sum + share, 0)
      assert.ok(Math.abs(shares - 1) < 0.01)
    }
  })

  test('takes its mode from the query, or from the settings, or is short', async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    assert.equal((await getSummary(meeting.id)).body.mode, 'short')
    await calls.call(user, 'PUT', `/${meeting.id}/settings`, { body: { summaryMode: 'detailed' } })
    assert.equal((await getSummary(meeting.id)).body.mode, 'detailed')
    assert.equal((await getSummary(meeting.id, '?mode=short')).body.mode, 'short')
    assert.equal((await getSummary(meeting.id, '?mode=long')).status, 400)
  })

  test('of an empty meeting says so in four sentences', async () => {
    const meeting = await calls.create(user)
    const { status, body } = await getSummary(meeting.id)
    assert.equal(status, 200)
    assert.equal(body.basis, 'empty')
    assert.ok(body.sentenceCount >= 4)
    assert.deepEqual(body.contributions, [])
  })

  test('is stored until the transcript, the title or the personality changes, and then made again', async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    const first = await getSummary(meeting.id)
    app.clock.advance({ seconds: 60 })
    const second = await getSummary(meeting.id)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers['etag'], first.headers['etag'])
    const changes: [string, () => Promise<unknown>][] = [
      ['transcript', () => calls.append(user, meeting.id, [said('The budget for the new office is approved.')])],
      ['title', () => calls.call(user, 'PATCH', `/${meeting.id}`, { body: { title: 'Another title' } })],
      ['personality', () => calls.call(user, 'PUT', `/${meeting.id}/settings`, { body: { personality: 'analyst' } })],
    ]
    for (const [what, change] of changes) {
      app.clock.advance({ seconds: 1 })
      await change()
      assert.equal((await getSummary(meeting.id)).body.generatedAt, app.clock.now().toISOString(), what)
    }
    await calls.call(user, 'PUT', `/${meeting.id}/settings`, { body: { summaryMode: 'short', personality: 'analyst' } })
    app.clock.advance({ seconds: 1 })
    assert.notEqual((await getSummary(meeting.id)).body.generatedAt, app.clock.now().toISOString())
  })

  test('gives 304 for a client that has it, and 200 after a change', async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    const { headers } = await getSummary(meeting.id)
    const again = { 'if-none-match': headers['etag'] }
    const unchanged = await getSummary(meeting.id, '', again)
    assert.deepEqual([unchanged.status, unchanged.body, unchanged.headers['etag']], [304, '', headers['etag']])
    await calls.append(user, meeting.id, [said('One more thing about the budget of the office.')])
    assert.equal((await getSummary(meeting.id, '', again)).status, 200)
  })

  test('requested many times at once is made once and the same for all', async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    const replies = await Promise.all(Array.from({ length: 20 }, () => getSummary(meeting.id, '?mode=detailed')))
    assert.deepEqual(new Set(replies.map(({ headers }) => headers['etag'])).size, 1)
    const rows = await rowsWith(app.platform, meeting.id)
    assert.equal(rows.filter((row) => row.startsWith('public.summaries ')).length, 1)
  })

  test("of somebody else's, another tenant's or a deleted meeting looks like that of one that never existed", async () => {
    const meeting = await calls.create(user, { transcript: standUp })
    const colleague = await app.user({ ...user, key: user.headers['x-api-key'] } as never)
    const stranger = await calls.someone()
    const never = await getSummary('0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57')
    const told = ({ status, body: { requestId: _, ...rest } }: typeof never) => ({ status, ...rest })
    const erased = await calls.create(user, { transcript: standUp })
    await getSummary(erased.id)
    await calls.remove(user, erased.id)
    const replies = [
      await calls.call(colleague, 'GET', `/${meeting.id}/summary`),
      await calls.call(stranger, 'GET', `/${meeting.id}/summary`),
      await getSummary(erased.id),
      await getSummary('no-id'),
    ]
    for (const reply of replies) assert.deepEqual(told(reply), told(never))
    assert.equal(never.status, 404)
  })

  test('is deleted with its meeting: no word of it is left anywhere', async () => {
    const word = 'xylographqueue'
    const transcript = Array.from({ length: 30 }, (_, i) =>
      said(`The ${word} number ${i} needs a new budget for the office.`),
    )
    const meeting = await calls.create(user, { transcript, title: `About the ${word}` })
    for (const mode of ['short', 'detailed'])
      assert.ok((await getSummary(meeting.id, `?mode=${mode}`)).body.summary.includes(word))
    assert.ok((await rowsWith(app.platform, word)).some((row) => row.startsWith('public.summaries ')))
    await calls.remove(user, meeting.id)
    assert.deepEqual(await rowsWith(app.platform, word), [])
  })

  test('replaced words of the transcript are gone from all stored summaries after the next one', async () => {
    const word = 'zincographvalve'
    const transcript = [...standUp, said(`The ${word} must be replaced because of the budget.`, { segmentId: 's1' })]
    const meeting = await calls.create(user, { transcript, title: 'Valves' })
    await getSummary(meeting.id, '?mode=detailed')
    await calls.append(user, meeting.id, [
      said('The part must be replaced because of the budget.', { segmentId: 's1' }),
    ])
    await getSummary(meeting.id, '?mode=short')
    assert.deepEqual(await rowsWith(app.platform, word), [])
  })

  test('is refused with Retry-After when too many wait, and made for the others', async () => {
    // Its worker is not there yet: all have come before it has made the first.
    const own = await testApp({ writing: { workersMax: 1, queueMax: 2 } })
    const calls = meetingCalls(own)
    const meetings = await Promise.all(Array.from({ length: 20 }, () => calls.create(user, { transcript: standUp })))
    const replies = await Promise.all(meetings.map(({ id }) => calls.call(user, 'GET', `/${id}/summary`)))
    await own.app.flush()
    const [made, refused] = [true, false].map((isMade) => replies.filter(({ status }) => (status === 200) === isMade))
    assert.ok(made && made.length >= 3 && refused && refused.length > 0, `${made?.length} were made`)
    for (const { status, body, headers } of refused)
      assert.deepEqual([status, body.code, headers['retry-after']], [503, 'UNAVAILABLE', '1'])
  })
})
