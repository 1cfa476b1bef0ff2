import { type BotRunner, chromiumProcesses, startBotRunner } from '../harness/bot-runner.ts'
import { type BotService, startBotService } from '../harness/bot-service.ts'
import { browserPath } from '../harness/browser.ts'
import { until } from '../harness/node-agent.ts'
import { temporaryFolder } from '../harness/service.ts'
import { type MeetingServer, startMeetingServer } from '../meeting-page/server.ts'
import type { Row } from './row.ts'

const statuses = ['joining', 'waiting_room', 'in_meeting', 'leaving'] as const
type Status = (typeof statuses)[number]

const goneMsMax = 5_000
const nextMsMax = 75_000
const holeErrorMsMax = 1_000
/** Far more than any status lasts. */
const patienceMs = 200_000
const botName = 'Atrium (notes)'

type Place = { id: string; stateFolder: string; runner: BotRunner; start(): BotRunner }
type Lab = { meetings: MeetingServer; service: BotService; places: Place[] }

/**
 * Kills runners with SIGKILL, one in each status at the same time, against the real service: when the service goes on, when
 * the browsers are gone, and how exact the hole is.
 */
export async function botRunnerKills(rounds: number): Promise<Row[]> {
  if (browserPath === undefined) throw new Error('No Chromium is installed')
  const meetings = await startMeetingServer()
  const service = await startBotService({ meetings: meetings.base })
  const places = await Promise.all(statuses.map(() => newPlace(service)))
  const lab = { meetings, service, places }
  const rows: Row[] = []
  for (let round = 0; rows.length < rounds; round++) {
    for (const place of places) await place.runner.says('Ready for bots')
    rows.push(...(await Promise.all(statuses.map((status) => killIn(lab, status, round)))))
  }
  await Promise.all(places.map(({ runner }) => runner.end('SIGTERM')))
  await service.stop('SIGTERM')
  await meetings.close()
  return rows
}

/** For one bot at a time, so that each kill is that of one bot. */
async function newPlace(service: BotService): Promise<Place> {
  const { id, token } = await service.newRunner()
  const stateFolder = await temporaryFolder()
  const start = () => startBotRunner({ base: service.base, token, stateFolder, more: ['--slots', '1'] })
  return { id, stateFolder, start, runner: start() }
}

async function killIn({ meetings, service, places }: Lab, status: Status, round: number): Promise<Row> {
  const name = `${status}-${round}`
  const room = meetings.room(name)
  room.settings.hasLobby = status === 'waiting_room'
  if (status === 'joining') room.settings.gate = 'nothing'
  const { id } = await service.deploy({ meetingUrl: meetings.link(name) })
  const isInside = status === 'in_meeting' || status === 'leaving'
  const { runnerId } = await service.untilBot(
    id,
    (bot) => (isInside ? bot.consent.postedAt !== null : bot.status === status),
    patienceMs,
  )
  const place = places.find((one) => one.id === runnerId) as Place
  if (status === 'leaving') {
    // Else it is out before anybody can kill it.
    process.kill(place.runner.pid, 'SIGSTOP')
    await service.leave(id)
  }
  const killedAt = Date.now()
  await place.runner.end('SIGKILL')
  await until(() => chromiumProcesses(place.stateFolder).length === 0)
  const goneMs = Date.now() - killedAt
  Object.assign(room.settings, { hasLobby: false, gate: 'prejoin' })
  place.runner = place.start()

  const next = await service.untilBot(id, (bot) => bot.status !== status || bot.attempt > 1, patienceMs)
  const { at, to } = next.events.find((event: { type: string; from: string }) => {
    return event.type === 'status' && event.from === status
  })
  const nextMs = Date.parse(at) - killedAt
  const hole = status === 'in_meeting' ? await holeError({ meetings, service }, { id, name, killedAt }) : null
  await service.untilBot(id, (bot) => bot.status === 'in_meeting' || bot.status === 'ended', patienceMs)
  const backMs = status === 'leaving' ? 0 : Date.now() - killedAt
  await service.leave(id)
  const over = await service.untilBot(id, (bot) => bot.status === 'ended', patienceMs)
  const expected = status === 'leaving' ? to === 'ended' && over.leftUnconfirmed : to === 'queued' && over.attempt === 2
  const broken = [
    goneMs <= goneMsMax ? '' : 'browsers',
    nextMs <= nextMsMax ? '' : 'late',
    expected ? '' : `${to}, attempt ${over.attempt}`,
    over.gaps.length === (status === 'in_meeting' ? 1 : 0) ? '' : `${over.gaps.length} holes`,
    hole === null || (hole.fromMs <= holeErrorMsMax && hole.toMs <= holeErrorMsMax) ? '' : 'hole',
  ]
  return {
    ...{ round, status, goneMs, nextMs, backMs },
    ...{ holeFromErrorMs: hole?.fromMs ?? '', holeToErrorMs: hole?.toMs ?? '' },
    broken: broken.filter((fault) => fault !== '').join(', '),
  }
}

/** The hole in the record, compared with what the meeting saw. */
async function holeError(
  { meetings, service }: Pick<Lab, 'meetings' | 'service'>,
  { id, name, killedAt }: { id: string; name: string; killedAt: number },
) {
  await meetings.until(() => meetings.room(name).names().includes(botName))
  const backAt = Date.now()
  const { gaps } = await service.untilBot(id, (bot) => bot.gaps[0]?.to != null, patienceMs)
  const [{ from, to }] = gaps
  return { fromMs: Math.abs(Date.parse(from) - killedAt), toMs: Math.abs(Date.parse(to) - backAt) }
}
