import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { sql } from '../../storage/query.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  user = await calls.someone()
})

const link = 'https://zoom.us/j/98765432100?pwd=hidden'
const shown = 'https://zoom.us/j/98765432100'

describe('the place and the time of a meeting', () => {
  test('are kept, and the address is shown without its passcode', async () => {
    const calendarEvent = { uid: 'abc@example.com', occurrence: '2027-01-02T09:00:00.000Z' }
    const [scheduledAt, scheduledEnd] = ['2027-01-02T09:00:00.000Z', '2027-01-02T09:30:00.000Z']
    const meeting = await calls.create(user, { joinUrl: link, calendarEvent, scheduledAt, scheduledEnd })
    assert.equal(meeting.joinUrl, shown)
    assert.deepEqual([meeting.calendarEvent, meeting.scheduledEnd], [calendarEvent, scheduledEnd])
    assert.deepEqual((await calls.get(user, meeting.id)).body, meeting)
  })

  test('keep the passcode when the address is sent as it was shown, and forget it with the address', async () => {
    const { id } = await calls.create(user, { joinUrl: link })
    const sealed = () => sealedUrl(id)
    const before = await sealed()
    assert.ok(before !== null && !before.includes('hidden'))
    assert.equal((await calls.call(user, 'PATCH', `/${id}`, { body: { joinUrl: shown } })).status, 200)
    assert.deepEqual(await sealed(), before)
    assert.equal((await calls.call(user, 'PATCH', `/${id}`, { body: { joinUrl: null } })).body.joinUrl, null)
    assert.equal(await sealed(), null)
  })

  test('are refused where they cannot be, with the name of each', async () => {
    const paths = async (body: object) => {
      const reply = await calls.call(user, 'POST', '', { body: { title: 'x', ...body } })
      assert.equal(reply.status, 400)
      return reply.body.errors.map(({ path }: { path: string }) => path)
    }
    assert.deepEqual(await paths({ joinUrl: 'http://zoom.us/j/98765432100', ttl_days: 0 }), [
      '/body/ttl_days',
      '/body/joinUrl',
    ])
    assert.deepEqual(await paths({ scheduledEnd: '2027-01-02T09:30:00.000Z' }), ['/body/scheduledEnd'])
    const at = '2027-01-02T09:30:00.000Z'
    assert.deepEqual(await paths({ scheduledAt: at, scheduledEnd: at }), ['/body/scheduledEnd'])
  })

  test('cannot be changed into an end before the start', async () => {
    const at = '2027-01-02T09:30:00.000Z'
    const { id } = await calls.create(user, { scheduledAt: '2027-01-02T09:00:00.000Z', scheduledEnd: at })
    const reply = await calls.call(user, 'PATCH', `/${id}`, { body: { scheduledAt: '2027-01-02T10:00:00.000Z' } })
    assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body/scheduledEnd'])
  })
})

async function sealedUrl(id: string): Promise<Buffer | null> {
  const { rows } = await app.platform.handle.execute(
    sql<{ sealed: Buffer | null }>`select join_url_sealed as sealed from meetings where id = ${id}`,
  )
  return rows[0]?.sealed ?? null
}
