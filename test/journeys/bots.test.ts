// The service, the bot runner and Chromium, each as a process of its own, at our meeting page. Killing them is a trial:
// `npm run trials -- bot-runner-kills` and `bot-service-away`. What depends on the database is tested in `src/bots`.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BotRunner, browserProcesses, startBotRunner } from '../harness/bot-runner.ts'
import { type BotService, startBotService } from '../harness/bot-service.ts'
import { browserPath } from '../harness/browser.ts'
import { until } from '../harness/node-agent.ts'
import { temporaryFolder } from '../harness/service.ts'
import { type MeetingServer, startMeetingServer } from '../meeting-page/server.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const skip = isOnce ? browserPath === undefined && 'no Chromium is installed' : 'done once, with PGlite'

describe('the service, its runner and a browser', { skip }, () => {
  let meetings: MeetingServer
  let service: BotService
  let runner: BotRunner
  let stateFolder: string

  before(async () => {
    meetings = await startMeetingServer()
    ;[service, stateFolder] = await Promise.all([startBotService({ meetings: meetings.base }), temporaryFolder()])
    runner = startBotRunner({ base: service.base, token: (await service.newRunner()).token, stateFolder })
    await runner.says('Ready for bots')
  })
  after(async () => {
    await runner?.end('SIGKILL')
    await service?.stop('SIGKILL')
    await meetings?.close()
  })

  test('waits, says its notice, writes down what is said, speaks in the chat, and leaves with the others', async () => {
    const room = meetings.room('budget')
    room.settings.hasLobby = true
    const { id, meetingId } = await service.deploy({ meetingUrl: meetings.link('budget') })
    await service.untilBot(id, ({ status }) => status === 'waiting_room')
    room.admit(room.idOf('Atrium (notes)'))
    await service.untilBot(id, ({ consent }) => consent.postedAt !== null)
    room.say('Ada', 'we ship on friday')
    await until(
      async () => (await service.transcript(meetingId)).join() === 'Ada: we ship on friday',
      () => runner.output(),
    )
    assert.equal((await service.call('POST', `/bot/${id}/message`, { text: 'I leave soon.' })).status, 200)
    await meetings.until(() => room.messages.some(({ text }) => text === 'I leave soon.'))
    room.end()
    const bot = await service.untilBot(id, ({ status }) => status === 'ended')
    assert.deepEqual([bot.reason, bot.leftUnconfirmed, bot.attempt, bot.gaps], ['MEETING_ENDED', false, 1, []])
  })

  test('is taken out by the kill switch, before and after it was let in', async () => {
    meetings.room('lobby').settings.hasLobby = true
    const bots = await Promise.all(['lobby', 'open'].map((name) => service.deploy({ meetingUrl: meetings.link(name) })))
    await meetings.until(
      () => meetings.room('lobby').knocking().length === 1 && meetings.room('open').names().length === 1,
    )
    const startedAt = performance.now()
    const stopped = await fetch(`${service.base}/admin/bot/stop-all`, {
      method: 'POST',
      headers: { ...service.admin, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'a drill' }),
    })
    assert.deepEqual(await stopped.json(), { stopped: 2 })
    await meetings.until(() => meetings.room('lobby').knocking().length + meetings.room('open').names().length === 0)
    assert.ok(performance.now() - startedAt < 10_000)
    for (const { id } of bots) {
      const { reason } = await service.untilBot(id, ({ status }) => status === 'ended')
      assert.equal(reason, 'KILLED')
    }
    await until(() => browserProcesses(stateFolder).length === 0)
  })
})
