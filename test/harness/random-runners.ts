import type { BotStatus } from '../../src/bots/bot.rules.ts'
import { transitions } from '../../src/bots/reasons.rules.ts'
import type { TestApp, TestUser } from './app.ts'
import { botCalls, linkTo } from './bots.ts'
import { meetingCalls } from './meetings.ts'
import { type Random, seededRandom } from './seeded-random.ts'

/** The service looks every two seconds; a status may last five seconds longer than it should. */
const lateMsMax = 5_000
const looksInStep = 2
const autoLeave = { waitingRoomSeconds: 60, nobodyCameSeconds: 60, aloneSeconds: 30, maxSeconds: 180 }
const limitsSeconds: Partial<Record<BotStatus, number>> = {
  queued: 120,
  joining: 180,
  waiting_room: autoLeave.waitingRoomSeconds,
  in_meeting: autoLeave.maxSeconds,
  leaving: 30,
}

/** Longer than all attempts of a bot together: 40 minutes. */
const stepsMax = 240

type Runner = Awaited<ReturnType<ReturnType<typeof botCalls>['runner']>>
type Held = Awaited<ReturnType<Runner['claim']>>
type Visit = { held: Held; isSilent: boolean; spoken: number; refused: string[] }

export type RandomRunners = {
  bots: number
  reports: number
  refused: number
  entries: number
  ends: Record<string, number>
  broken: string[]
}

/**
 * Bots whose runners are silent, late, lie, and double what they say, over the whole protocol. Says what is not as it should
 * be: a status that lasted too long, a move that is not allowed, an entry that is there twice or of a lost lease.
 */
export async function randomRunners(app: TestApp, { bots: count, seed }: { bots: number; seed: number }) {
  const random = seededRandom(seed)
  const calls = botCalls(app)
  const { user } = await calls.tenantWithUser()
  const runner = await calls.runner(user)
  const ids: string[] = []
  for (let n = 0; n < count; n++)
    ids.push((await calls.deploy(user, { meetingUrl: linkTo(`random-${seed}-${n}`), autoLeave })).id)
  const seen: RandomRunners = { bots: count, reports: 0, refused: 0, entries: 0, ends: {}, broken: [] }
  const all: Visit[] = []
  let visits: Visit[] = []
  for (let step = 0; step < stepsMax; step++) {
    // Some bots wait for a runner in vain.
    for (let claims = random.below(count / 4); claims > 0 && random.below(count) !== 0; claims--) {
      const held = await runner.claim()
      if (held?.bot === undefined) break
      visits.push({ held, isSilent: random.below(5) === 0, spoken: 0, refused: [] })
      all.push(visits.at(-1) as Visit)
    }
    const beating = visits.filter(({ isSilent }) => !isSilent && random.below(5) !== 0)
    const { lost } = (await runner.beat(...beating.map(({ held }) => held))).body
    // Some go on although they were told that they have lost their bot.
    visits = visits.filter(({ held }) => !lost.includes(held.bot.id) || random.below(2) === 0)
    for (const visit of visits)
      if (!visit.isSilent && random.below(3) === 0) await report(random, runner, { visit, seen })
    for (let look = 0; look < looksInStep; look++) await calls.away(lateMsMax)
    if (step % 6 === 5 && (await calls.call(user, 'GET', '?live=true&limit=1')).body.pagination.total === 0) break
  }
  for (const id of ids) await judge({ app, user, calls }, id, all, seen)
  return seen
}

/** Something a runner may say, true or not. */
async function report(
  random: Random,
  runner: Runner,
  { visit, seen }: { visit: Visit; seen: RandomRunners },
): Promise<void> {
  const { held } = visit
  const send = random.weighted<() => ReturnType<Runner['status']>>([
    [4, () => runner.status(held, random.oneOf(['waiting_room', 'in_meeting']))],
    [1, () => runner.status(held, random.oneOf(['scheduled', 'queued', 'leaving', 'nonsense', 'failed']))],
    [1, () => runner.status(held, 'failed', { reason: random.oneOf(['PAGE_CHANGED', 'RUNNER_LOST', 'BLOCKED']) })],
    [1, () => runner.status(held, 'ended', { reason: random.oneOf(['KILLED', 'REMOVED', 'DENIED', 'LIES']) })],
    [3, () => runner.report(held, { type: 'notice', delivered: true })],
    [2, () => runner.report(held, { type: 'participants', people: random.below(3), bots: 1 })],
    [6, () => say(random, runner, visit)],
  ])
  const { status } = await send()
  seen.reports += 1
  if (status !== 204) seen.refused += 1
}

/** A line, sometimes reported twice, as if the first answer were lost. */
async function say(random: Random, runner: Runner, visit: Visit) {
  const { held } = visit
  const n = ++visit.spoken
  const text = `${held.bot.id} ${held.lease} line ${n}`
  const first = await runner.say(held, [{ n, text }], n)
  if (first.status !== 204) visit.refused.push(text)
  if (random.below(3) === 0) await runner.say(held, [{ n, text }], n)
  return first
}

type Court = { app: TestApp; user: TestUser; calls: ReturnType<typeof botCalls> }
type StatusEvent = { type: string; at: string; from: BotStatus; to: BotStatus }

async function judge({ app, user, calls }: Court, id: string, visits: Visit[], seen: RandomRunners): Promise<void> {
  const fresh = await meetingCalls(app).again(user)
  const bot = await calls.get(fresh, id)
  const fault = (what: string) => seen.broken.push(`${id}: ${what}`)
  if (!['ended', 'failed'].includes(bot.status)) fault(bot.status)
  seen.ends[bot.reason] = (seen.ends[bot.reason] ?? 0) + 1
  const moves: StatusEvent[] = bot.events.filter(({ type }: StatusEvent) => type === 'status')
  for (const [index, { from, to, at }] of moves.entries()) {
    if (!transitions[from].includes(to)) fault(`${from} to ${to}`)
    const until = moves[index + 1]?.at ?? at
    const lasted = Date.parse(until) - Date.parse(at)
    if (lasted > (limitsSeconds[to] ?? 0) * 1000 + lateMsMax) fault(`${to} for ${lasted} ms`)
  }
  const { body } = await meetingCalls(app).get(fresh, bot.meetingId)
  const kept: string[] = body.transcript.map(({ text }: { text: string }) => text)
  seen.entries += kept.length
  if (new Set(kept).size !== kept.length) fault('an entry twice')
  const refused = visits.filter(({ held }) => held.bot.id === id).flatMap((visit) => visit.refused)
  for (const text of kept) if (refused.includes(text)) fault(`kept what was refused: ${text}`)
}
