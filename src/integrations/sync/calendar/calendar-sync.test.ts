import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../../test/harness/integrations.ts'

type Provider = 'google' | 'microsoft'
type Meeting = {
  id: string
  title: string
  status: string
  scheduledAt: string
  scheduledEnd: string
  joinUrl: string | null
}

let lab: IntegrationLab
before(async () => {
  lab = await integrationLab()
})
after(() => lab.close())

/** Whole minutes, as people plan. */
const later = (hours: number) =>
  new Date(Math.floor(lab.app.clock.now().getTime() / 60_000) * 60_000 + hours * 3_600_000).toISOString()

/** A user with a connected calendar, in a tenant of its own. Events of other tests are in it, too: titles tell them apart. */
async function connected(provider: Provider) {
  const user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
  const { id } = await connectAccount(lab.app.call, user, { provider, features: ['calendar'] })
  await lab.app.settled()
  return { user, id, sync: () => sync(user, id) }
}

async function sync(user: TestUser, id: string) {
  const { status, body } = await lab.app.call({ method: 'POST', url: `${base}/${id}/sync`, headers: user.headers })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result as { ok: boolean; cause: string | null }
}

async function meetings(user: TestUser, title: string): Promise<Meeting[]> {
  const { body } = await lab.app.call({ url: '/assistant/v1/meetings?limit=100', headers: user.headers })
  const found: Meeting[] = body.meetings.filter((meeting: Meeting) => meeting.title.startsWith(title))
  return found.sort((one, other) => one.scheduledAt.localeCompare(other.scheduledAt))
}

for (const provider of ['google', 'microsoft'] as const) {
  const people = (action: string, input: Record<string, unknown>) => lab.emulators.control(provider, action, input)
  const link = 'https://meet.google.com/abc-defg-hij'

  test(`${provider}: a connected calendar becomes scheduled meetings, which follow its events`, async () => {
    const id = `follow-${provider}`
    const series = { everyDays: 7, count: 2 }
    people('createEvent', { id, title: `${id} a`, start: later(24), end: later(25), link, series })
    people('createEvent', { title: `${id} secret`, start: later(24), end: later(25), private: true })
    people('createEvent', { title: `${id} far`, start: later(24 * 30), end: later(24 * 30 + 1) })
    const { user, sync } = await connected(provider)
    const first = await meetings(user, id)
    assert.deepEqual(
      first.map(({ title, status, scheduledEnd, joinUrl }) => [title, status, scheduledEnd, joinUrl]),
      [later(25), later(24 * 7 + 25)].map((end) => [`${id} a`, 'scheduled', end, link]),
    )
    people('editOccurrence', { id, originalStart: later(24), title: `${id} b`, start: later(30), end: later(31) })
    people('cancelOccurrence', { id, originalStart: later(24 * 8) })
    assert.deepEqual(await sync(), { ok: true, cause: null })
    const next = await meetings(user, id)
    assert.deepEqual(
      next.map(({ title, status, scheduledAt }) => [title, status, scheduledAt]),
      [
        [`${id} b`, 'scheduled', later(30)],
        [`${id} a`, 'cancelled', later(24 * 8)],
      ],
    )
    assert.deepEqual(new Set(next.map((it) => it.id)), new Set(first.map((it) => it.id)))
  })

  test(`${provider}: too old a sync token means reading all anew, without doubles`, async () => {
    const id = `again-${provider}`
    people('createEvent', { id, title: id, start: later(24), end: later(25) })
    const { user, sync } = await connected(provider)
    people('expireSyncTokens', {})
    people('editEvent', { id, title: `${id} new` })
    assert.deepEqual(await sync(), { ok: true, cause: null })
    assert.deepEqual(
      (await meetings(user, id)).map(({ title }) => title),
      [`${id} new`],
    )
  })

  test(`${provider}: four readers at once make one meeting of an event`, async () => {
    const id = `once-${provider}`
    const { user, sync } = await connected(provider)
    people('createEvent', { id, title: id, start: later(24), end: later(25) })
    await Promise.all([sync(), sync(), sync(), sync()])
    assert.equal((await meetings(user, id)).length, 1)
  })
}

test('a meeting that somebody deleted or began is left alone', async () => {
  const { user, sync } = await connected('google')
  for (const id of ['deleted', 'begun'])
    lab.emulators.control('google', 'createEvent', { id, title: id, start: later(24), end: later(25) })
  await sync()
  const [deleted] = await meetings(user, 'deleted')
  const [begun] = await meetings(user, 'begun')
  const at = '/assistant/v1/meetings'
  await lab.app.call({ method: 'DELETE', url: `${at}/${deleted?.id}`, headers: user.headers })
  await lab.app.call({ method: 'POST', url: `${at}/${begun?.id}/start`, headers: user.headers })
  lab.emulators.control('google', 'editEvent', { id: 'deleted', title: 'deleted again' })
  lab.emulators.control('google', 'cancelEvent', { id: 'begun' })
  assert.deepEqual(await sync(), { ok: true, cause: null })
  assert.deepEqual(await meetings(user, 'deleted'), [])
  assert.deepEqual(
    (await meetings(user, 'begun')).map(({ status }) => status),
    ['active'],
  )
})

test('a provider that is down is a result, and what it could not say follows later', async () => {
  const { user, sync } = await connected('google')
  lab.emulators.control('google', 'createEvent', { id: 'down', title: 'down', start: later(24), end: later(25) })
  lab.emulators.faults.add({ provider: 'google', path: '/events', status: 503 })
  assert.deepEqual(await sync(), { ok: false, cause: 'PROVIDER_UNAVAILABLE' })
  assert.deepEqual(await meetings(user, 'down'), [])
  assert.deepEqual(await sync(), { ok: true, cause: null })
  assert.equal((await meetings(user, 'down')).length, 1)
})

test('calendars are asked by the clock every quarter of an hour, unless the feature is off', async () => {
  const { user: first, id } = await connected('google')
  let user = first
  lab.emulators.control('google', 'createEvent', { id: 'polled', title: 'polled', start: later(24), end: later(25) })
  const poll = async () => {
    lab.advance(15 * 60)
    user = await loggedIn(lab.app, user)
    await lab.app.app.housekeep('integrations.calendars.poll')
    await lab.app.settled()
    return (await meetings(user, 'polled')).map(({ title }) => title)
  }
  assert.deepEqual(await poll(), ['polled'])
  const body = { features: [{ name: 'calendar', status: 'off' }] }
  await lab.app.call({ method: 'PATCH', url: `${base}/${id}`, headers: user.headers, body })
  lab.emulators.control('google', 'editEvent', { id: 'polled', title: 'polled later' })
  assert.deepEqual(await poll(), ['polled'])
})

test("somebody else's integration is not found", async () => {
  const { user } = await connected('google')
  const other = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
  const { body } = await lab.app.call({ url: base, headers: user.headers })
  const url = `${base}/${body.integrations[0].id}/sync`
  assert.equal((await lab.app.call({ method: 'POST', url, headers: other.headers })).status, 404)
})

test('an event of yesterday that nobody held is MISSED, even if its calendar cannot be read, until its recording arrives', async () => {
  const { user: first } = await connected('google')
  const link = 'https://zoom.us/j/85299999999'
  const start = later(1)
  lab.emulators.control('google', 'createEvent', { id: 'missed', title: 'missed', start, end: later(2), link })
  lab.emulators.control('google', 'createEvent', { id: 'held', title: 'held', start: later(1), end: later(2) })
  lab.advance(16 * 60)
  await lab.app.app.housekeep('integrations.calendars.poll')
  await lab.app.settled()
  let user = await loggedIn(lab.app, first)
  const [held] = await meetings(user, 'held')
  await lab.app.call({ method: 'POST', url: `/assistant/v1/meetings/${held?.id}/start`, headers: user.headers })
  lab.emulators.faults.add({ provider: 'google', path: '/events', status: 503, times: 100 })
  lab.advance(23 * 3600)
  await lab.app.app.housekeep('integrations.events.miss')
  user = await loggedIn(lab.app, user)
  assert.equal((await meetings(user, 'missed'))[0]?.status, 'scheduled', 'not before a day has passed')
  lab.advance(4 * 3600)
  await lab.app.app.housekeep('integrations.events.miss')
  lab.emulators.faults.clear()
  user = await loggedIn(lab.app, user)
  const statuses = async (title: string) =>
    (await meetings(user, title)).map((it) => [it.status, (it as Meeting & { cause: string | null }).cause])
  assert.deepEqual(await statuses('missed'), [['cancelled', 'MISSED']])
  assert.deepEqual(await statuses('held'), [['active', null]])

  const zoom = await connectAccount(lab.app.call, user, { provider: 'zoom', features: ['transcripts'] })
  lab.emulators.control('zoom', 'recordMeeting', { topic: 'another title', meetingId: 85299999999, start })
  assert.deepEqual(await sync(user, zoom.id), { ok: true, cause: null })
  assert.deepEqual(await statuses('missed'), [['completed', null]])
})
