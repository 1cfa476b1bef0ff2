import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  user = await calls.someone()
})

const daysLater = (days: number) => new Date(app.clock.now().getTime() + days * 24 * 3600 * 1000).toISOString()

describe('creating a meeting', () => {
  test('answers it flat, with what it was not told', async () => {
    const reply = await calls.call(user, 'POST', '', { body: { title: '  Planning ' } })
    assert.equal(reply.status, 201)
    const { id, ...rest } = reply.body
    assert.equal(reply.headers.location, `/assistant/v1/meetings/${id}`)
    assert.equal(reply.headers['etag'], `"${id}-1"`)
    const now = app.clock.now().toISOString()
    assert.deepEqual(rest, {
      title: 'Planning',
      status: 'scheduled',
      ttl_days: 90,
      settings: { personality: 'supportive', summaryMode: 'short' },
      participants: [],
      ownerId: user.id,
      orgId: null,
      entryCount: 0,
      wordCount: 0,
      createdAt: now,
      updatedAt: now,
      scheduledAt: null,
      startedAt: null,
      endedAt: null,
      expiresAt: daysLater(90),
      revision: 1,
      transcript: [],
      transcriptTruncated: false,
    })
    assert.deepEqual((await calls.get(user, id)).body, reply.body)
  })

  test('with a transcript it is active and holds what was said, in its order', async () => {
    const transcript = [said('Good morning everybody.'), said('Hello.', { speaker: 'Ben', timestamp: '00:00:02.500' })]
    const meeting = await calls.create(user, { transcript, settings: { personality: 'challenger' } })
    assert.equal(meeting.status, 'active')
    assert.equal(meeting.startedAt, app.clock.now().toISOString())
    assert.deepEqual(meeting.settings, { personality: 'challenger', summaryMode: 'short' })
    assert.deepEqual([meeting.entryCount, meeting.wordCount], [2, 4])
    assert.deepEqual(meeting.transcript, [
      { seq: 1, speaker: 'Ada', text: 'Good morning everybody.', timestamp: '00:00:01', segmentId: null },
      { seq: 2, speaker: 'Ben', text: 'Hello.', timestamp: '00:00:02.500', segmentId: null },
    ])
    assert.deepEqual((await calls.get(user, meeting.id)).body, meeting)
  })
})
