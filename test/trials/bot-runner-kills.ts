import { startBotPlatform } from '../harness/bot-platform.ts'
import { browserProcesses, startBotRunner } from '../harness/bot-runner.ts'
import { browserPath } from '../harness/browser.ts'
import { until } from '../harness/node-agent.ts'
import { temporaryFolder } from '../harness/service.ts'
import { startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const statuses = ['joining', 'waiting_room', 'in_meeting', 'leaving'] as const

/** Kills a runner in each status: when its browsers are gone, and whether the next start takes the bot further. */
export async function botRunnerKills(rounds: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const meetings = await startMeetingServer()
  const platform = await startBotPlatform()
  const stateFolder = await temporaryFolder()
  const start = () => startBotRunner({ base: platform.base, token: platform.state.enrollmentToken, stateFolder })
  const rows: Row[] = []
  let runner = start()
  for (let round = 0; round < rounds; round++) {
    const status = statuses[round % statuses.length] as (typeof statuses)[number]
    const name = `kill-${round}`
    const room = meetings.room(name)
    room.settings.hasLobby = status === 'waiting_room'
    const bot = platform.deploy(meetings.link(name))
    if (status === 'leaving') {
      await platform.until(() => bot.statuses.includes('in_meeting'))
      platform.command(bot, { kind: 'leave', reason: 'USER_REQUEST' })
    }
    await platform.until(() => bot.statuses.includes(status))
    await runner.end('SIGKILL')
    const killedAt = performance.now()
    await until(() => browserProcesses(stateFolder).length === 0)
    const goneMs = Math.round(performance.now() - killedAt)
    room.settings.hasLobby = false
    runner = start()
    const before = bot.statuses.length
    platform.deployAgain(bot, meetings.link(name), 'page')
    await platform.until(() => bot.statuses.slice(before).includes('in_meeting'))
    const backMs = Math.round(performance.now() - killedAt)
    room.end()
    await platform.until(() => bot.statuses.slice(before).includes('ended'))
    rows.push({ round, status, goneMs, backMs, broken: goneMs <= 5_000 ? '' : 'browsers' })
  }
  await runner.end('SIGTERM')
  await platform.stop()
  await meetings.close()
  return rows
}
