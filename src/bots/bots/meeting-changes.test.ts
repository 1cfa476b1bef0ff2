import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'

let app: TestApp
let bots: ReturnType<typeof botCalls>
let meetings: ReturnType<typeof meetingCalls>
let user: TestUser
let runner: Awaited<ReturnType<typeof bots.runner>>

before(async () => {
  app = await testApp({ meetingHosts: pageHosts })
  bots = botCalls(app)
  meetings = meetingCalls(app)
  user = (await bots.tenantWithUser()).user
  runner = await bots.runner(user)
})

const inMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
const change = async (meetingId: string, body: object) => {
  const reply = await meetings.call(user, 'PATCH', `/${meetingId}`, { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

describe('a bot whose meeting changes', () => {
  test('goes to the new time and the new room as long as it is not in, and stays where it is once it is', async () => {
    const [before, after] = [unique('room'), unique('room')]
    const joinAt = inMinutes(30)
    const { id, meetingId } = await bots.deploy(user, { meetingUrl: linkTo(before), joinAt })
    const later = inMinutes(60)
    await change(meetingId, { scheduledAt: later, joinUrl: linkTo(after) })
    await bots.pass(2000)
    const moved = await bots.get(user, id)
    assert.deepEqual([moved.status, moved.joinAt, moved.occurrence.start], ['scheduled', later, later])
    assert.match(moved.occurrence.room, new RegExp(after))
    await bots.pass(59 * 60_000)
    const held = await runner.claim()
    assert.deepEqual([held.bot.id, held.link], [id, linkTo(after)])
    await change(meetingId, { joinUrl: linkTo(before) })
    await bots.pass(2000)
    assert.equal((await runner.beat(held)).body.lost.length, 1)
    const again = await runner.claim()
    assert.equal(again.link, linkTo(before))
    await runner.status(again, 'in_meeting')
    await change(meetingId, { joinUrl: linkTo(after) })
    await bots.pass(2000)
    const inside = await bots.get(user, id)
    assert.equal(inside.status, 'in_meeting')
    assert.match(inside.occurrence.room, new RegExp(before))
    await runner.status(again, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('leaves the room to the bot that is there, and the meeting is saved all the same', async () => {
    const [here, there] = [unique('room'), unique('room')]
    const [first, second] = [
      await bots.deploy(user, { meetingUrl: linkTo(here) }),
      await bots.deploy(user, { meetingUrl: linkTo(there) }),
    ]
    await change(second.meetingId, { joinUrl: linkTo(here) })
    await bots.pass(2000)
    const [stays, gives] = [await bots.get(user, first.id), await bots.get(user, second.id)]
    assert.equal(stays.status, 'queued')
    assert.deepEqual([gives.status, gives.reason, gives.detail], ['ended', 'CANCELLED', 'Another bot is there.'])
    await bots.call(user, 'POST', `/${first.id}/leave`)
  })

  test('is the bot of its new room for everybody who sends one there in that moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [here, there] = [unique('room'), unique('room')]
      const { id, meetingId } = await bots.deploy(user, { meetingUrl: linkTo(here) })
      await change(meetingId, { joinUrl: linkTo(there) })
      const send = () => bots.call(user, 'POST', '', { meetingUrl: linkTo(there) })
      const sent = [send(), send(), bots.pass(2000), send(), send()]
      const replies = (await Promise.all(sent)).filter((reply) => reply !== undefined)
      const ids = new Set(replies.map(({ body }) => body.bot?.id))
      assert.equal(ids.size, 1, JSON.stringify(replies.map(({ body }) => body)))
      const [other] = ids
      const moved = await bots.get(user, id)
      if (other !== id) assert.deepEqual([moved.status, moved.reason], ['ended', 'CANCELLED'])
      await bots.call(user, 'POST', `/${other}/leave`)
    }
  })

  test('keeps its place where it is given the time of another bot, and takes a time that is free', async () => {
    const [room, joinAt, later] = [unique('room'), inMinutes(30), inMinutes(60)]
    const first = await bots.deploy(user, { meetingUrl: linkTo(room), joinAt })
    const second = await bots.deploy(user, { meetingUrl: linkTo(room), joinAt: later })
    const reschedule = (body: object) => bots.call(user, 'PATCH', `/${second.id}`, body)
    assert.deepEqual([(await reschedule({ joinAt })).body.code], ['STATE_CONFLICT'])
    assert.deepEqual((await reschedule({ joinAt: inMinutes(-11) })).body.errors[0].path, '/body/joinAt')
    assert.equal((await bots.get(user, second.id)).joinAt, later)
    const free = inMinutes(90)
    assert.equal((await reschedule({ joinAt: free })).body.bot.occurrence.start, free)
    for (const { id } of [first, second]) await bots.call(user, 'DELETE', `/${id}`)
  })

  test('is cancelled with its meeting', async () => {
    const bot = await bots.deploy(user, { meetingUrl: linkTo(unique('room')), joinAt: inMinutes(30) })
    assert.equal((await meetings.call(user, 'POST', `/${bot.meetingId}/cancel`)).status, 200)
    const { status, reason } = await bots.get(user, bot.id)
    assert.deepEqual([status, reason], ['ended', 'CANCELLED'])
  })
})
