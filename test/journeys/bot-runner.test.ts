// The bot runner as an operator starts it, with real browsers at our meeting page and at a copy of Jitsi's surface.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type SttServer, startSttServer } from '../emulators/stt-server.ts'
import { type BotPlatform, type ReportedBot, startBotPlatform } from '../harness/bot-platform.ts'
import { type BotRunner, browserProcesses, startBotRunner } from '../harness/bot-runner.ts'
import { browserPath } from '../harness/browser.ts'
import { until } from '../harness/node-agent.ts'
import { temporaryFolder } from '../harness/service.ts'
import { converse, startSpeakers } from '../harness/speakers.ts'
import { type MeetingServer, startMeetingServer } from '../meeting-page/server.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const skip = isOnce ? (browserPath === undefined ? 'no Chromium is installed' : false) : 'done once, with PGlite'

// Not how long it takes (half a minute), but how long a very busy machine may take.
const timeout = 240_000

const lines: [name: string, text: string][] = [
  ['Ada', 'we ship on friday'],
  ['Ben', 'i write the letter'],
  ['Cleo', 'it costs 4400'],
]

/** What was said, by whom, without the marks between words. */
const transcript = (bot: ReportedBot) =>
  [...bot.entries.values()].map(({ speaker, text }) => `${speaker}: ${text.replace(/[.,]/g, '').trim()}`)
const finals = (bot: ReportedBot) => [...bot.entries.values()].filter(({ isFinal }) => isFinal)
const said = (part: [name: string, text: string][]) => part.map(([name, text]) => `${name}: ${text}`)
const takesDown = 'Takes down what is said'
const firstOf = (bot: ReportedBot, type: string) => bot.events.find((event) => event.type === type)

// One after another: with three meetings at once, each with browsers of its own, a busy machine plays no sound in time.
describe('the bot runner', { skip }, () => {
  let meetings: MeetingServer
  let stt: SttServer
  const platforms: BotPlatform[] = []
  const runners: BotRunner[] = []

  before(async () => {
    ;[meetings, stt] = await Promise.all([startMeetingServer(), startSttServer()])
  })
  after(async () => {
    await Promise.all(runners.map((one) => one.end('SIGKILL')))
    await Promise.all([...platforms.map((one) => one.stop()), meetings.close(), stt.close()])
  })

  const start = async (environment: Record<string, string> = {}) => {
    const platform = await startBotPlatform()
    const stateFolder = await temporaryFolder()
    const token = platform.state.enrollmentToken
    const runner = startBotRunner({ base: platform.base, token, stateFolder, environment })
    platforms.push(platform)
    runners.push(runner)
    return { platform, stateFolder, runner }
  }

  test('writes down three speakers from captions and from their own sound, after its notice, and loses nothing while the platform is away', {
    timeout,
  }, async (t) => {
    const byCaptions = await start()
    const bySound = await start({ STT_BASE_URL: stt.baseUrl, STT_API_KEY: 'stt-key' })
    const room = meetings.room('budget')
    const speakers = await startSpeakers(browserPath as string, meetings, 'budget', ['Ada', 'Ben', 'Cleo'])
    t.after(() => speakers.close())
    room.settings.hasLobby = true
    const [reading, hearing] = [byCaptions, bySound].map(({ platform }) =>
      platform.deploy(meetings.link('budget')),
    ) as [ReportedBot, ReportedBot]

    await meetings.until(() => room.knocking().length === 2)
    await byCaptions.platform.until(() => reading.statuses.includes('waiting_room'))
    for (const _ of [reading, hearing]) await speakers.host.locator('.admit').first().click()
    for (const { runner } of [byCaptions, bySound]) await runner.says(takesDown)

    await converse(meetings, 'budget', lines.slice(0, 1))
    for (const { platform } of [byCaptions, bySound]) platform.state.isFailing = true
    await converse(meetings, 'budget', lines.slice(1))
    room.say('Ada', '!stop')
    await until(() => byCaptions.runner.output().includes('does not answer'))
    for (const { platform } of [byCaptions, bySound]) platform.state.isFailing = false
    await byCaptions.platform.until(() => finals(reading).length === 3 && firstOf(reading, 'chat') !== undefined)
    await bySound.platform.until(() => transcript(hearing).length === 3)

    for (const bot of [reading, hearing]) {
      assert.deepEqual(transcript(bot), said(lines))
      assert.deepEqual(bot.statuses, ['joining', 'waiting_room', 'in_meeting'])
      const notice = firstOf(bot, 'notice')
      assert.ok(notice?.type === 'notice' && notice.delivered)
      for (const { receivedAt } of bot.entries.values()) assert.ok(receivedAt > notice.receivedAt)
      assert.ok(bot.events.some((event) => event.type === 'participants' && event.people === 3 && event.bots === 1))
    }
    assert.equal(stt.state.authorization, 'Bearer stt-key')
    assert.equal(room.messages.filter(({ text }) => text.startsWith('This meeting is being written down')).length, 2)

    // One is told to leave, the other is removed by the host.
    byCaptions.platform.command(reading, { kind: 'message', text: 'I leave now.' })
    await meetings.until(() => room.messages.some(({ text }) => text === 'I leave now.'))
    byCaptions.platform.command(reading, { kind: 'leave', reason: 'USER_REQUEST' })
    await byCaptions.platform.until(() => reading.statuses.includes('ended'))
    assert.equal(reading.reason, 'USER_REQUEST')
    assert.deepEqual(room.names().length, 4)
    await speakers.host.locator('.person', { hasText: 'Atrium (notes)' }).locator('button').click()
    await bySound.platform.until(() => hearing.statuses.includes('ended'))
    assert.equal(hearing.reason, 'REMOVED')
    for (const { stateFolder } of [byCaptions, bySound]) await until(() => browserProcesses(stateFolder).length === 0)
  })

  test('finds its way at Jitsi’s surface, and its browsers die with it', { timeout }, async (t) => {
    const { platform, stateFolder, runner } = await start()
    const speakers = await startSpeakers(browserPath as string, meetings, 'weekly', ['Ada', 'Ben'])
    t.after(() => speakers.close())
    const bot = platform.deploy(meetings.jitsiLink('weekly'), 'jitsi')
    await runner.says(takesDown)
    await converse(meetings, 'weekly', lines.slice(0, 2))
    await platform.until(
      () => transcript(bot).length === 2 && [...bot.entries.values()].every(({ isFinal }) => isFinal),
    )
    assert.deepEqual(transcript(bot), said(lines.slice(0, 2)))

    // What comes after that is a trial: `npm run trials -- bot-runner-kills`.
    await runner.end('SIGKILL')
    await until(() => browserProcesses(stateFolder).length === 0)
  })

  test('ends by what the page says, with evidence that shows neither faces nor words, and leaves when another has the lease', {
    timeout,
  }, async () => {
    const { platform, stateFolder, runner } = await start()
    meetings.room('robots').settings.gate = 'captcha'
    const blocked = platform.deploy(meetings.link('robots'))
    const closed = meetings.room('closed')
    closed.settings.hasLobby = true
    const denied = platform.deploy(meetings.link('closed'))
    await platform.until(() => blocked.statuses.includes('failed'))
    assert.deepEqual([blocked.reason, blocked.statuses], ['BLOCKED', ['joining', 'failed']])
    assert.equal(blocked.artifacts.get('page.png')?.toString('latin1', 1, 4), 'PNG')
    await meetings.until(() => closed.knocking().length === 1)
    closed.deny(closed.idOf('Atrium (notes)'))
    await platform.until(() => denied.statuses.includes('ended'))
    assert.deepEqual([denied.reason, denied.artifacts.size], ['DENIED', 0])

    const room = meetings.room('open')
    room.settings.hasChat = false
    const taken = platform.deploy(meetings.link('open'))
    await platform.until(() => firstOf(taken, 'notice') !== undefined)
    assert.ok(taken.events.some((event) => event.type === 'notice' && !event.delivered))
    const { length } = taken.events
    platform.takeLease(taken)
    const takenAt = performance.now()
    await meetings.until(() => room.names().length === 0)
    assert.ok(performance.now() - takenAt < 10_000)
    await until(() => browserProcesses(stateFolder).length === 0)
    assert.equal(taken.events.length, length)
    assert.equal(await runner.end('SIGTERM'), 0)
    assert.doesNotMatch(runner.output(), /127\.0\.0\.1|atrrunner_|written down/)
  })
})
