import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { type Subscriber, webhookCalls } from '../../../test/harness/webhooks.ts'

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

const texts = async (meetingId: string): Promise<string[]> =>
  (await meetings.get(user, meetingId)).body.transcript.map(({ text }: { text: string }) => text)

describe('a bot without a link', () => {
  test('replays the sample with its lobby and its chat, and completes the meeting', async () => {
    const bot = await bots.deploy(user, { speed: 60 })
    assert.deepEqual([bot.provider, bot.platform, bot.status], ['replay', 'none', 'joining'])
    for (let passed = 0; passed < 8; passed++) await bots.pass(2000)
    const over = await bots.get(user, bot.id)
    assert.deepEqual([over.status, over.reason], ['ended', 'MEETING_ENDED'])
    const path = over.events
      .filter(({ type }: { type: string }) => type === 'status')
      .map(({ to }: { to: string }) => to)
    assert.deepEqual(path, ['queued', 'joining', 'waiting_room', 'in_meeting', 'ended'])
    const meeting = (await meetings.get(user, bot.meetingId)).body
    assert.equal(meeting.status, 'completed')
    assert.equal(meeting.transcript.length, 22)
    assert.deepEqual(meeting.transcript.filter(({ kind }: { kind?: string }) => kind === 'chat').length, 1)
  })

  test('takes entries of anybody with its token, once each, until the meeting is said to be over', async () => {
    const reply = await bots.call(user, 'POST', '', { provider: 'push' })
    const { bot, ingest } = reply.body
    assert.equal(bot.status, 'in_meeting')
    const push = (body: object) =>
      app.call({ method: 'POST', url: ingest.url, headers: { authorization: `Bearer ${ingest.token}` }, body })
    const entries = [{ segmentId: '1', speaker: 'Ada', text: 'Hello there.', atMs: 500 }]
    assert.equal((await push({ entries })).status, 204)
    assert.equal((await push({ entries })).status, 204)
    assert.deepEqual(await texts(bot.meetingId), ['Hello there.'])
    assert.equal((await push({ entries: [], isEnded: true })).status, 204)
    assert.deepEqual([(await push({ entries })).body.code], ['LEASE_LOST'])
    const wrong = await app.call({
      method: 'POST',
      url: ingest.url,
      headers: { authorization: 'Bearer no' },
      body: { entries },
    })
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'RUNNER_TOKEN_INVALID'])
  })
})

describe('a bot with a runner', () => {
  async function inMeeting(room: string, body: object = {}) {
    const bot = await bots.deploy(user, { meetingUrl: linkTo(room), ...body })
    const held = await runner.claim()
    assert.equal(held.bot.id, bot.id)
    assert.equal(held.link, linkTo(room))
    await runner.status(held, 'waiting_room')
    await runner.status(held, 'in_meeting')
    await runner.report(held, { type: 'participants', people: 2, bots: 0 })
    return held
  }

  test('keeps nothing before the notice, then each entry once, and leaves when it is asked', async () => {
    const held = await inMeeting('notice')
    await runner.say(held, [{ n: 1, text: 'Too early.' }])
    await runner.report(held, { type: 'notice', delivered: true })
    await runner.say(held, [{ n: 2, text: 'Now it counts.' }], 50)
    await runner.say(held, [{ n: 2, text: 'Now it counts.' }], 50)
    assert.deepEqual(await texts(held.bot.meetingId), ['Now it counts.'])
    assert.equal((await bots.call(user, 'POST', `/${held.bot.id}/leave`)).body.bot.status, 'leaving')
    const { commands } = (await runner.beat(held)).body
    assert.deepEqual([commands[0].kind, commands[0].reason], ['leave', 'USER_REQUEST'])
    assert.equal((await runner.report(held, { type: 'left' })).status, 204)
    const over = await bots.get(user, held.bot.id)
    assert.deepEqual([over.status, over.reason, over.leftUnconfirmed], ['ended', 'USER_REQUEST', false])
    assert.deepEqual((await runner.say(held, [{ n: 3, text: 'Late.' }])).body.code, 'LEASE_LOST')
  })

  test('keeps nothing until somebody agrees, where consent is required', async () => {
    const held = await inMeeting('required', { consentMode: 'required' })
    await runner.report(held, { type: 'notice', delivered: true })
    await runner.say(held, [{ n: 1, text: 'Before.' }])
    await runner.report(held, { type: 'chat', from: 'Ben', text: '!agree' })
    await runner.say(held, [{ n: 2, text: 'After.' }])
    assert.deepEqual(await texts(held.bot.meetingId), ['After.'])
    await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('keeps nothing after !stop, and erases what it took at !forget', async () => {
    for (const word of ['!stop', '!forget']) {
      const held = await inMeeting(`consent-${word.slice(1)}`)
      await runner.report(held, { type: 'notice', delivered: true })
      await runner.say(held, [{ n: 1, text: 'Taken.' }])
      await runner.report(held, { type: 'chat', from: 'Ben', text: word })
      await runner.say(held, [{ n: 2, text: 'Not taken.' }])
      assert.deepEqual(await texts(held.bot.meetingId), word === '!stop' ? ['Taken.'] : [])
      const { status, reason } = await bots.get(user, held.bot.id)
      assert.deepEqual([status, reason], ['leaving', 'CONSENT_REFUSED'])
      // Not `leave`, at which a runner finishes what it still hears.
      assert.equal((await runner.beat(held)).body.commands[0].kind, 'stop')
      await bots.pass(31_000)
      const over = await bots.get(user, held.bot.id)
      assert.deepEqual([over.status, over.leftUnconfirmed], ['ended', true])
    }
  })

  test('that is lost comes back in the same meeting, with a hole that is shown, and an old lease changes nothing', async () => {
    const held = await inMeeting('lost')
    await runner.report(held, { type: 'notice', delivered: true })
    await bots.pass(5000)
    await runner.say(held, [{ n: 1, text: 'Before the hole.' }])
    await bots.pass(10_000)
    // What a killed program left behind arrives, and keeps nothing alive.
    runner = bots.restarted(runner)
    await runner.say(held, [{ n: 2, text: 'Sent later.' }])
    for (let passed = 1; passed < 5; passed++) await bots.pass(10_000)
    assert.equal((await bots.get(user, held.bot.id)).status, 'queued')
    assert.equal((await runner.say(held, [{ n: 3, text: 'A ghost.' }])).body.code, 'LEASE_LOST')
    const again = await runner.claim()
    assert.deepEqual([again.bot.id, again.bot.attempt, again.lease], [held.bot.id, 2, held.lease + 1])
    await runner.status(again, 'in_meeting')
    await runner.report(again, { type: 'notice', delivered: true })
    await runner.say(again, [{ n: 1, text: 'After the hole.' }])
    const { gaps } = await bots.get(user, held.bot.id)
    assert.equal(gaps.length, 1)
    assert.equal(gaps[0].cause, 'RUNNER_LOST')
    assert.equal(Date.parse(gaps[0].to) - Date.parse(gaps[0].from), 50_000)
    await runner.status(again, 'ended', { reason: 'REMOVED' })
    const read = async (path: string) => (await meetings.call(user, 'GET', `/${held.bot.meetingId}${path}`)).body
    const shown = [{ ...gaps[0], offsetMs: 5000 }]
    assert.deepEqual((await read('/transcript')).gaps, shown)
    assert.deepEqual((await read('/transcript?limit=1')).gaps, shown)
    assert.deepEqual((await read('/summary')).gaps, shown)
    const hole = /Nothing was recorded.*RUNNER_LOST/
    for (const format of ['vtt', 'srt', 'txt']) {
      const lines: string[] = (await read(`/transcript?format=${format}`)).split('\n')
      const at = ['Before the hole.', hole, 'After the hole.'].map((words) =>
        lines.findIndex((line) => line.match(words)),
      )
      assert.deepEqual(
        at,
        at.toSorted((a, b) => a - b),
      )
      assert.ok(!at.includes(-1), lines.join('\n'))
    }
  })

  test('that hears nothing says so, and the tenant hears of it once', async () => {
    const hook = await webhookCalls(app).endpoint({ headers: user.headers } as Subscriber, 'https://hooks.test/deaf', {
      eventTypes: ['bot.degraded'],
    })
    const held = await inMeeting('deaf')
    for (const health of ['deaf', 'deaf', 'ok']) await runner.report(held, { type: 'health', health })
    const { health, events } = await bots.get(user, held.bot.id)
    assert.equal(health, 'ok')
    const steps = events.filter(({ type }: { type: string }) => type === 'health')
    assert.deepEqual(
      steps.map(({ from, to }: { from: string; to: string }) => [from, to]),
      [
        [null, 'deaf'],
        ['deaf', 'ok'],
      ],
    )
    const deliveries = await webhookCalls(app).deliveries({ headers: user.headers } as Subscriber, hook)
    assert.equal(deliveries.length, 1)
    await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('that was let in while the service was away stays, with all that was said', async () => {
    const bot = await bots.deploy(user, { meetingUrl: linkTo('away') })
    const held = await runner.claim()
    await bots.away(300_000)
    assert.equal((await bots.get(user, bot.id)).status, 'joining')
    await runner.status(held, 'in_meeting')
    await runner.report(held, { type: 'notice', delivered: true })
    await runner.say(held, [{ n: 1, text: 'Said while nobody answered.' }])
    assert.deepEqual(await texts(bot.meetingId), ['Said while nobody answered.'])
    await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('leaves evidence of its failure for a week, to those who may change it', async () => {
    const bot = await bots.deploy(user, { meetingUrl: linkTo('evidence') })
    const held = await runner.claim()
    const send = (name: string, mediaType: string, body: unknown) =>
      app.call({
        method: 'POST',
        url: `/assistant/v1/bot-runner/artifacts?botId=${bot.id}&lease=${held.lease}&epoch=${runner.epoch}&name=${name}`,
        headers: { ...runner.headers, 'content-type': mediaType },
        body,
      })
    assert.equal((await send('page.png', 'image/png', Buffer.from('a picture'))).status, 204)
    await runner.status(held, 'in_meeting')
    assert.equal((await send('late.png', 'image/png', Buffer.from('a face'))).status, 400)
    for (let n = 1; n < 10; n++)
      assert.equal((await send(`${n}.json`, 'application/json', { controls: [] })).status, 204)
    assert.equal((await send('10.json', 'application/json', { controls: [] })).status, 400)
    await runner.status(held, 'failed', { reason: 'PAGE_CHANGED' })
    const read = (who: TestUser) => bots.call(who, 'GET', `/${bot.id}/artifacts/page.png`)
    assert.equal((await read(user)).status, 200)
    assert.equal((await read((await bots.tenantWithUser()).user)).status, 404)
    app.clock.advance({ ms: 7 * 24 * 3600_000 + 3600_000 })
    await app.app.housekeep('bots.artifacts')
    user = await meetings.again(user)
    assert.deepEqual((await bots.get(user, bot.id)).artifacts, [])
  })

  test('does nothing that only the service decides, and keeps what was tried', async () => {
    const held = await inMeeting('lying')
    for (const [status, reason] of [
      ['waiting_room', null],
      ['ended', 'KILLED'],
      ['queued', null],
    ])
      await runner.status(held, status ?? '', { reason })
    const { status, events } = await bots.get(user, held.bot.id)
    assert.equal(status, 'in_meeting')
    assert.equal(events.filter(({ type }: { type: string }) => type === 'refused').length, 3)
    await runner.status(held, 'ended', { reason: 'DENIED' })
  })
})

describe('one bot for an occurrence', () => {
  test('comes of 50 deploys at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => bots.call(user, 'POST', '', { meetingUrl: linkTo('one') })),
    )
    const ids = new Set(replies.map(({ body }) => body.bot?.id))
    assert.equal(ids.size, 1, JSON.stringify(replies.find(({ status }) => status > 202)?.body))
    assert.equal(replies.filter(({ status }) => status === 202).length, 1)
    for (const [id] of ids.entries()) await bots.call(user, 'DELETE', `/${id}`)
  })

  test('is refused with what would help where nothing can join', async () => {
    const zoom = await bots.call(user, 'POST', '', { meetingUrl: 'https://zoom.us/j/98765432100' })
    assert.deepEqual([zoom.status, zoom.body.code], [503, 'NOT_CONFIGURED'])
    const browser = await bots.call(user, 'POST', '', {
      meetingUrl: 'https://zoom.us/j/98765432100',
      provider: 'browser',
    })
    assert.deepEqual([browser.status, browser.body.errors[0].path], [400, '/body/provider'])
  })
})

describe('the kill switch', () => {
  test('takes all bots out, and lets nobody send more', async () => {
    const bot = await bots.deploy(user, { meetingUrl: linkTo('kill') })
    const held = await runner.claim()
    assert.equal((await bots.call(user, 'POST', '/stop-all', { reason: 'works council' })).status, 200)
    assert.deepEqual([(await bots.get(user, bot.id)).reason], ['KILLED'])
    assert.deepEqual((await runner.beat(held)).body.lost, [bot.id])
    await bots.call(user, 'PUT', '/pause', { isPaused: true, reason: 'works council' })
    assert.equal((await bots.call(user, 'POST', '', { meetingUrl: linkTo('kill') })).status, 409)
    await bots.call(user, 'PUT', '/pause', { isPaused: false })
  })
})
