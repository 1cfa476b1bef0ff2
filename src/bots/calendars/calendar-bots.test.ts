// Bots that policies send to the meetings of connected calendars.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestUser, unique } from '../../../test/harness/app.ts'
import { botCalls, pageHosts } from '../../../test/harness/bots.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../test/harness/integrations.ts'

type Bot = { id: string; meetingId: string; status: string; reason: string | null; joinAt: string; requestedBy: string }

let lab: IntegrationLab
let bots: ReturnType<typeof botCalls>
before(async () => {
  lab = await integrationLab({ meetingHosts: pageHosts })
  bots = botCalls(lab.app)
})
after(() => lab.close())

const later = (hours: number) =>
  new Date(Math.floor(lab.app.clock.now().getTime() / 60_000) * 60_000 + hours * 3_600_000).toISOString()
const people = (action: string, input: Record<string, unknown>) => lab.emulators.control('google', action, input)

/** A user with this policy and a runner, whose calendar is connected. */
async function planner(policy: object) {
  const { user } = await bots.tenantWithUser()
  await bots.runner(user)
  assert.equal((await bots.call(user, 'PUT', '/policies', policy)).status, 200)
  const { id } = await connectAccount(lab.app.call, user, { provider: 'google', features: ['calendar'] })
  await lab.app.settled()
  const sync = async () => {
    const { body } = await lab.app.call({ method: 'POST', url: `${base}/${id}/sync`, headers: user.headers })
    assert.deepEqual(body.result, { ok: true, cause: null })
    await lab.app.settled()
  }
  return { user, sync }
}

/** A meeting in the calendar, with a link of its own. */
function planned(input: Record<string, unknown> = {}) {
  const id = unique('event')
  const link = `https://meet.test/room/${id}`
  people('createEvent', { id, title: id, start: later(24), end: later(25), link, ...input })
  return { id, edit: (change: object) => people('editEvent', { id, ...change }) }
}

async function botsOf(user: TestUser, title: string): Promise<Bot[]> {
  const { body } = await lab.app.call({ url: '/assistant/v1/meetings?limit=100', headers: user.headers })
  const meeting = body.meetings.find((one: { title: string }) => one.title === title)
  assert.ok(meeting, `no meeting ${title}`)
  return (await bots.call(user, 'GET', `?meetingId=${meeting.id}`)).body.bots
}

const brief = (found: Bot[]) => found.map(({ status, reason, joinAt }) => [status, reason, joinAt])

test('a bot is ordered with the event, moves with it, and is cancelled with it', async () => {
  const { user, sync } = await planner({ calendar: 'mine' })
  const event = planned()
  const others = planned({ response: 'accepted' })
  const far = planned({ start: later(24 * 5), end: later(24 * 5 + 1) })
  await sync()
  assert.deepEqual(brief(await botsOf(user, event.id)), [['scheduled', null, later(24)]])
  assert.deepEqual([await botsOf(user, others.id), await botsOf(user, far.id)], [[], []])
  const moved = { start: later(30), end: later(31) }
  event.edit(moved)
  await sync()
  await bots.pass(2000)
  assert.deepEqual(brief(await botsOf(user, event.id)), [['scheduled', null, moved.start]])
  people('cancelEvent', { id: event.id })
  await sync()
  assert.deepEqual(brief(await botsOf(user, event.id)), [['ended', 'CANCELLED', moved.start]])
})

test('who declines is left by the bot, who accepts gets it again, and a bot that a person asked for stays', async () => {
  const { user, sync } = await planner({ calendar: 'accepted', excludeWords: ['private'] })
  const event = planned({ response: 'accepted' })
  const kept = planned({ response: 'accepted' })
  const excluded = planned({ title: 'Private matters' })
  await sync()
  assert.deepEqual(await botsOf(user, 'Private matters'), [], excluded.id)
  const [bot] = await botsOf(user, kept.id)
  assert.equal((await bots.call(user, 'POST', '', { meetingId: bot?.meetingId })).status, 200)
  for (const { edit } of [event, kept]) edit({ response: 'declined' })
  await sync()
  assert.deepEqual(
    (await botsOf(user, event.id)).map(({ reason }) => reason),
    ['CANCELLED'],
  )
  assert.deepEqual(
    (await botsOf(user, kept.id)).map(({ status }) => status),
    ['scheduled'],
  )
  event.edit({ response: 'accepted' })
  await sync()
  assert.deepEqual((await botsOf(user, event.id)).map(({ status }) => status).toSorted(), ['ended', 'scheduled'])
})

test('a bot that a person dismissed does not come again, however often the calendar is read', async () => {
  const { user, sync } = await planner({ calendar: 'all' })
  const event = planned()
  await sync()
  const [bot] = await botsOf(user, event.id)
  assert.equal((await bots.call(user, 'DELETE', `/${bot?.id}`)).status, 200)
  for (let round = 0; round < 5; round++) {
    // Read anew as a whole, or with another answer or time.
    if (round % 2 === 0) people('expireSyncTokens', {})
    else event.edit({ start: later(26 + round), end: later(27 + round) })
    await sync()
  }
  assert.deepEqual(
    (await botsOf(user, event.id)).map(({ id, reason }) => [id, reason]),
    [[bot?.id, 'USER_REQUEST']],
  )
})

test('an event in two calendars gets one bot, and a pause refuses bots but no meetings', async () => {
  const { user, sync } = await planner({ calendar: 'all' })
  const id = unique('room')
  const link = `https://meet.test/room/${id}`
  const [first, second] = [planned({ link }), planned({ link })]
  await sync()
  const both = [...(await botsOf(user, first.id)), ...(await botsOf(user, second.id))]
  assert.equal(both.length, 1)
  await bots.call(user, 'PUT', '/pause', { isPaused: true })
  const event = planned()
  await sync()
  assert.deepEqual(await botsOf(user, event.id), [])
})
