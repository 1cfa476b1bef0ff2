import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../../test/harness/integrations.ts'

type Provider = 'zoom' | 'microsoft'

let lab: IntegrationLab
before(async () => {
  lab = await integrationLab()
})
after(() => lab.close())

const meetingsBase = '/assistant/v1/meetings'
let number = 85_100_000_000

/** Minutes from now. */
const at = (minutes: number) =>
  new Date(Math.floor(lab.app.clock.now().getTime() / 60_000) * 60_000 + minutes * 60_000).toISOString()

function vtt(provider: Provider, words: string): string {
  const said = provider === 'zoom' ? `Ada Example: ${words}` : `<v Ada Example>${words}</v>`
  return `WEBVTT\r\n\r\n1\r\n00:00:01.000 --> 00:00:04.000\r\n${said}\r\n`
}

/** A room of its own, and what is recorded in it. */
function room(provider: Provider) {
  number += 1
  const id = number
  const link =
    provider === 'zoom'
      ? `https://us02web.zoom.us/j/${id}?pwd=x`
      : `https://teams.microsoft.com/l/meetup-join/19%3a${id}/0`
  const record = (title: string, start: string, words = 'We ship on Friday.') =>
    provider === 'zoom'
      ? lab.emulators.control('zoom', 'recordMeeting', {
          topic: title,
          meetingId: id,
          start,
          vtt: vtt(provider, words),
        })
      : lab.emulators.control('microsoft', 'holdMeeting', {
          subject: title,
          joinUrl: link,
          start,
          end: new Date(Date.parse(start) + 30 * 60_000).toISOString(),
          vtt: vtt(provider, words),
        })
  return { link, record }
}

async function connected(provider: Provider) {
  const user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
  const { id } = await connectAccount(lab.app.call, user, { provider, features: ['transcripts'] })
  await lab.app.settled()
  return { user, id, sync: () => sync(user, id) }
}

async function sync(user: TestUser, id: string) {
  const { status, body } = await lab.app.call({ method: 'POST', url: `${base}/${id}/sync`, headers: user.headers })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result as { ok: boolean; cause: string | null }
}

async function planned(user: TestUser, body: Record<string, unknown>) {
  const reply = await lab.app.call({ method: 'POST', url: meetingsBase, headers: user.headers, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.id as string
}

async function read(user: TestUser, id: string) {
  return (await lab.app.call({ url: `${meetingsBase}/${id}`, headers: user.headers })).body
}

async function titled(user: TestUser, title: string) {
  const { body } = await lab.app.call({ url: `${meetingsBase}?limit=100`, headers: user.headers })
  return body.meetings.filter((meeting: { title: string }) => meeting.title === title)
}

const words = (meeting: { transcript: { speaker: string; text: string }[] }) =>
  meeting.transcript.map(({ speaker, text }) => `${speaker}: ${text}`)

for (const provider of ['zoom', 'microsoft'] as const) {
  test(`${provider}: a transcript goes into the meeting of its link and time, once, and completes it`, async () => {
    const { user, sync } = await connected(provider)
    const { link, record } = room(provider)
    const lastWeek = await planned(user, { title: `${provider} series`, joinUrl: link, scheduledAt: at(-60 * 26) })
    const today = await planned(user, {
      title: 'Renamed here',
      joinUrl: link,
      scheduledAt: at(-120),
      scheduledEnd: at(-60),
    })
    record(`${provider} series`, at(-80))
    assert.deepEqual(await Promise.all([sync(), sync(), sync()]), Array(3).fill({ ok: true, cause: null }))
    await sync()
    const meeting = await read(user, today)
    assert.deepEqual(words(meeting), ['Ada Example: We ship on Friday.'])
    assert.deepEqual([meeting.status, meeting.startedAt], ['completed', at(-80)])
    const other = await read(user, lastWeek)
    assert.deepEqual([other.status, other.transcript], ['scheduled', []])
  })

  test(`${provider}: without its link it goes by title and time, and else into a new meeting of the owner`, async () => {
    const { user, sync } = await connected(provider)
    const titles = [`${provider} same title`, `${provider} too late`, `${provider} unknown`]
    const same = await planned(user, { title: titles[0]?.toUpperCase(), scheduledAt: at(-100) })
    const late = await planned(user, { title: titles[1], scheduledAt: at(-100) })
    room(provider).record(titles[0] ?? '', at(-71))
    room(provider).record(titles[1] ?? '', at(-69))
    room(provider).record(titles[2] ?? '', at(-50))
    assert.deepEqual(await sync(), { ok: true, cause: null })
    assert.equal((await read(user, same)).entryCount, 1)
    assert.equal((await read(user, late)).entryCount, 0)
    for (const title of titles.slice(1)) {
      const made = (await titled(user, title)).filter(({ id }: { id: string }) => id !== late)
      assert.deepEqual(
        made.map(({ status, entryCount }: { status: string; entryCount: number }) => [status, entryCount]),
        [['completed', 1]],
        title,
      )
    }
  })
}

test('words that were taken down here are not added twice, and a recording that went on continues its meeting', async () => {
  const { user, sync } = await connected('zoom')
  const { link, record } = room('zoom')
  const own = await planned(user, { title: 'taken down', joinUrl: link, scheduledAt: at(-200) })
  const entries = [{ speaker: 'Ada', text: 'Ours.', timestamp: '00:00:01' }]
  await lab.app.call({
    method: 'POST',
    url: `${meetingsBase}/${own}/transcript`,
    headers: user.headers,
    body: { entries },
  })
  record('taken down', at(-195))
  const { record: recordAgain } = room('zoom')
  recordAgain('twice recorded', at(-90), 'First part.')
  recordAgain('twice recorded', at(-70), 'Second part.')
  await sync()
  assert.deepEqual(words(await read(user, own)), ['Ada: Ours.'])
  const [twice, ...others] = await titled(user, 'twice recorded')
  assert.deepEqual(others, [])
  const parts = await read(user, twice.id)
  assert.deepEqual(new Set(words(parts)), new Set(['Ada Example: First part.', 'Ada Example: Second part.']))
  const offsets = parts.transcript.map((it: { timestamp: string }) => it.timestamp).sort()
  assert.match(offsets[1], /^00:20:01/)
})

test('what cannot be read, or is on a foreign host, harms nothing else', async () => {
  const { user, sync } = await connected('zoom')
  lab.emulators.control('zoom', 'recordMeeting', { topic: 'broken file', start: at(-30), vtt: 'no subtitles at all' })
  room('zoom').record('readable file', at(-20))
  assert.deepEqual(await sync(), { ok: true, cause: null })
  assert.equal((await titled(user, 'readable file')).length, 1)
  assert.deepEqual(await titled(user, 'broken file'), [])
  const answer = {
    download_access_token: 'token',
    recording_files: [
      { id: 'file-elsewhere', download_url: 'https://zoom.us.example.com/x', recording_start: at(-10) },
    ],
  }
  const recorded = lab.emulators.control('zoom', 'recordMeeting', { topic: 'elsewhere', start: at(-10) }) as {
    recording_files: { id: string }[]
  }
  answer.recording_files = answer.recording_files.map((file) => ({
    ...file,
    id: recorded.recording_files[1]?.id ?? '',
  }))
  lab.emulators.faults.add({ provider: 'zoom', path: '/v2/meetings/', status: 200, answer })
  assert.deepEqual(await sync(), { ok: false, cause: 'PROVIDER_UNAVAILABLE' })
  assert.deepEqual(await titled(user, 'elsewhere'), [])
  assert.deepEqual(await sync(), { ok: true, cause: null })
  assert.equal((await titled(user, 'elsewhere')).length, 1)
})

test('Zoom proves its address with a challenge, and tells of a transcript before the clock asks', async () => {
  const { user } = await connected('zoom')
  await lab.app.promote(user)
  const secret = 'secret token of the app at Zoom'
  const made = await lab.app.call({
    method: 'POST',
    url: '/assistant/v1/webhooks/connections',
    headers: user.headers,
    body: { scheme: 'zoom', name: 'Zoom', secret },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const deliver = (payload: object, ageSeconds = 0) => {
    const body = JSON.stringify(payload)
    const seconds = Math.floor(lab.app.clock.now().getTime() / 1000) - ageSeconds
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`
    const signed = { 'x-zm-request-timestamp': String(seconds), 'x-zm-signature': signature }
    const headers = { 'content-type': 'application/json', ...signed }
    return lab.app.call({ method: 'POST', url: made.body.connection.path, headers, body: Buffer.from(body) })
  }
  const plainToken = 'token-of-zoom'
  const proven = await deliver({ event: 'endpoint.url_validation', payload: { plainToken } })
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex')
  assert.deepEqual([proven.status, proven.body], [200, { plainToken, encryptedToken }])

  room('zoom').record('told by Zoom', at(-15))
  const hint = {
    event: 'recording.transcript_completed',
    event_ts: lab.app.clock.now().getTime(),
    payload: { account_id: 'EmulatorAccount', object: { uuid: 'a', host_id: 'KdYKjnimT4KPd8FFgQt9FQ' } },
  }
  assert.equal((await deliver(hint, 301)).status, 401, 'too old')
  await lab.app.settled()
  assert.deepEqual(await titled(user, 'told by Zoom'), [])
  assert.equal((await deliver(hint)).status, 200)
  await lab.app.settled()
  lab.advance(5)
  await lab.app.settled()
  assert.equal((await titled(user, 'told by Zoom')).length, 1)
})
