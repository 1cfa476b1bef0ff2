import { setTimeout as delay } from 'node:timers/promises'
import { type BotRunner, browserProcesses, startBotRunner } from '../harness/bot-runner.ts'
import { type BotService, startBotService } from '../harness/bot-service.ts'
import { browserPath } from '../harness/browser.ts'
import { until } from '../harness/node-agent.ts'
import { temporaryFolder } from '../harness/service.ts'
import { startSpeakers } from '../harness/speakers.ts'
import { type MeetingServer, startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const backMsMax = 75_000
const holeErrorMsMax = 1_000

/**
 * Kills the service in one round and the runner in the next, while people talk in the meeting. Without the service
 * nothing may be lost; without the runner the bot comes back, and the hole is in the transcript.
 */
export async function botServiceKills(rounds: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const meetings = await startMeetingServer()
  const service = await startBotService({ meetings: meetings.base })
  const stateFolder = await temporaryFolder()
  const token = await service.newEnrollmentToken()
  const start = () => startBotRunner({ base: service.base, token, stateFolder })
  const parts: Parts = { meetings, service, stateFolder, runner: start(), start }
  await parts.runner.says('Ready for bots')
  const rows: Row[] = []
  for (let round = 0; round < rounds; round++)
    rows.push(round % 2 === 0 ? await killService(parts, round) : await killRunner(parts, round))
  await parts.runner.end('SIGTERM')
  await service.stop('SIGTERM')
  await meetings.close()
  return rows
}

async function isBack(service: BotService, id: string): Promise<boolean> {
  const { status, attempt } = await service.get(id)
  return status === 'in_meeting' && attempt === 2
}

type Parts = {
  meetings: MeetingServer
  service: BotService
  stateFolder: string
  runner: BotRunner
  start(): BotRunner
}

/** A bot that has taken down the first line of its meeting. */
async function listeningBot({ meetings, service, runner }: Parts, name: string) {
  const speakers = await startSpeakers(browserPath as string, meetings, name, ['Ada', 'Ben'])
  const room = meetings.room(name)
  const { id, meetingId } = await service.deploy({ meetingUrl: meetings.link(name) })
  const has = (text: string) =>
    until(
      async () => (await service.transcript(meetingId)).includes(text),
      () => runner.output(),
    )
  await service.untilBot(id, ({ consent }) => consent.postedAt !== null)
  room.say('Ada', 'we ship on friday')
  await has('Ada: we ship on friday')
  const over = async () => {
    await service.call('POST', `/bot/${id}/leave`)
    const bot = await service.untilBot(id, ({ status }) => status === 'ended')
    await speakers.close()
    return bot
  }
  return { id, meetingId, room, has, over }
}

async function killService(parts: Parts, round: number): Promise<Row> {
  const { service } = parts
  const { meetingId, room, has, over } = await listeningBot(parts, `service-${round}`)
  await service.stop('SIGKILL')
  const killedAt = performance.now()
  room.say('Ben', 'i write the letter')
  await service.start()
  room.say('Ben', 'the letter is long')
  await has('Ben: the letter is long')
  const backMs = Math.round(performance.now() - killedAt)
  const lines = (await service.transcript(meetingId)).length
  const { attempt, gaps } = await over()
  const broken = [lines === 3 ? '' : `${lines} of 3 lines`, attempt === 1 && gaps.length === 0 ? '' : 'left']
  return { round, killed: 'service', backMs, holeErrorMs: 0, broken: broken.filter((it) => it !== '').join(', ') }
}

async function killRunner(parts: Parts, round: number): Promise<Row> {
  const { service, stateFolder } = parts
  const { id, meetingId, room, has, over } = await listeningBot(parts, `runner-${round}`)
  await parts.runner.end('SIGKILL')
  const killedAt = Date.now()
  await until(() => browserProcesses(stateFolder).length === 0)
  const goneMs = Date.now() - killedAt
  room.say('Ben', 'nobody hears this')
  parts.runner = parts.start()
  while (!(await isBack(service, id)) && Date.now() - killedAt < 2 * backMsMax) await delay(100)
  const backAt = Date.now()
  room.say('Ben', 'and this again')
  await has('Ben: and this again')
  const { gaps } = (await service.call('GET', `/meetings/${meetingId}/transcript`)).body
  await over()
  const [gap] = gaps
  const holeErrorMs =
    gap === undefined ? Number.NaN : Math.max(killedAt - Date.parse(gap.from), Math.abs(backAt - Date.parse(gap.to)))
  const backMs = backAt - killedAt
  const broken = [
    goneMs <= 5_000 ? '' : 'browsers',
    backMs <= backMsMax ? '' : 'late',
    gaps.length === 1 ? '' : `${gaps.length} holes`,
    // From the last sign of life, which is a heartbeat of at most ten seconds ago.
    holeErrorMs <= 10_000 + holeErrorMsMax ? '' : 'hole',
  ]
  return { round, killed: 'runner', backMs, holeErrorMs, broken: broken.filter((it) => it !== '').join(', ') }
}
