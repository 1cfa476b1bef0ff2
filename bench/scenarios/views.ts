import type { Tally } from '../closed-loop.ts'
import { fetchText } from '../ground/ask.ts'
import { adminKey, startService } from '../ground/service.ts'
import type { InsertJob } from '../insert-loop.ts'
import { difference, inRounds, measureLoad, type Rounds, type Subject } from '../measure.ts'
import { type Figure, processorUs, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import { memoryMb, processMeter } from '../processor-time.ts'
import type { Program } from '../program.ts'
import { median } from '../statistics.ts'
import { startWorker, type Worker } from '../worker.ts'

const connections = 16
/** More than a window reads, so that each is a visitor who was not there before. */
const strangers = 40_000
const regulars = 100
/** More rounds or longer ones would be more visits than a day has lines for, up to 40,000 a second. */
const roundsMax = 3
const windowShare = 0.5
const path = '/products/vault-vpn'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type Inserts = Worker<InsertJob, Tally>
type Ground = (typeof grounds)[number]
const subjectName = ({ title }: Ground, what: string) => `${title}: ${what}`

/** What it costs to count a read, beside the plainest thing that a database can be asked to write. */
export const views: Scenario = {
  name: 'views',
  about: `A product read over ${connections} connections: not counted (fetched ahead), by ${strangers} visitors in turn, by ${regulars} who come again; beside one insert, committed by itself.`,
  run: async (plan) => {
    const programs: Program[] = []
    const loops: Inserts[] = []
    try {
      const subjects: Subject[] = []
      for (const ground of grounds) {
        const program = await startService(await plan.empty(ground.kind), { TRUSTED_PROXIES: '127.0.0.1' })
        programs.push(program)
        const inserts: Inserts = startWorker(new URL('../insert-loop.ts', import.meta.url))
        loops.push(inserts)
        subjects.push(
          reading(plan, { ground, program, what: 'not counted', visitors: strangers, purpose: 'prefetch' }),
          reading(plan, { ground, program, what: 'first visits', visitors: strangers, purpose: 'navigate' }),
          reading(plan, { ground, program, what: 'repeats', visitors: regulars, purpose: 'navigate' }),
          await inserting(plan, ground, inserts),
        )
      }
      const seen = await inRounds(Math.min(plan.rounds, roundsMax), subjects)
      for (const program of programs) await refuseCondensed(program)
      return { rows: tableRows(seen), figures: grounds.flatMap((ground) => toFigures(seen, ground)) }
    } finally {
      for (const loop of loops) loop.stop()
      for (const program of programs) await program.stop()
    }
  },
}

/** Beyond a day's lines a visit is counted without one of its own, which costs less: then nothing was measured. */
async function refuseCondensed(program: Program): Promise<void> {
  const metrics = await fetchText(program, { path: '/metrics', headers: { 'x-admin-key': adminKey } })
  if (!/^analytics_visits_total\{outcome="CONDENSED"\} 0$/m.test(metrics))
    throw new Error('More visits than a day has lines for: take fewer rounds.')
}

type Reading = { ground: Ground; program: Program; what: string; visitors: number; purpose: string }

/** All alike but for who asks, and whether a browser says that nobody looks yet. */
function reading(plan: Plan, { ground, program, what, visitors, purpose }: Reading): Subject {
  const { load, warmUpMs, measuredMs } = plan
  const database = ground.kind === 'postgres' ? { database: plan.databaseMeter } : {}
  const span = { kind: 'window', warmUpMs: warmUpMs * windowShare, measuredMs: measuredMs * windowShare } as const
  let round = 0
  const measure = () => {
    round += 1
    const requests = Array.from({ length: visitors }, (_, at) => ({
      method: 'GET' as const,
      path,
      headers: { 'user-agent': browser, 'sec-purpose': purpose, 'x-forwarded-for': visitorAddress(round, at) },
    }))
    return measureLoad(load, { program, requests, connections, span, status: 200, ...database })
  }
  return { name: subjectName(ground, what), measure }
}

/** Visitors of one round are no visitors of another. */
function visitorAddress(round: number, at: number): string {
  return `10.${round}.${at >> 8}.${at & 255}`
}

async function inserting(plan: Plan, ground: Ground, loop: Inserts): Promise<Subject> {
  const { url, dataFolder } = await plan.empty(ground.kind)
  const { warmUpMs, measuredMs } = plan
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  const job: InsertJob = { url, folder: dataFolder, callers: connections, span }
  const measure = async () => {
    const own = difference(processMeter(loop.pid))
    const behind = difference(ground.kind === 'postgres' ? plan.databaseMeter : () => null)
    const { calls, perSecond, p50Ms, p99Ms } = await loop.do(job, (moment) => {
      own.read(moment)
      behind.read(moment)
    })
    const [serverUs, databaseUs] = [own.each(calls), behind.each(calls)]
    const sizes = { memoryMb: memoryMb(loop.pid), headBytes: 0, bodyBytes: 0 }
    return { calls, perSecond, p50Ms, p99Ms, serverUs, databaseUs, ...sizes }
  }
  return { name: subjectName(ground, 'one insert'), measure }
}

/** Processor time that a counted read takes more than one that is not, as a part of an insert's, round by round. */
function toFigures(seen: Rounds, ground: Ground): Figure[] {
  const times = (what: string) => (seen.get(subjectName(ground, what)) ?? []).map(processorUs)
  const [uncounted, inserts] = [times('not counted'), times('one insert')]
  return ['first visits', 'repeats'].map((what) => {
    const rounds = times(what).map((time, at) => (time - (uncounted[at] as number)) / (inserts[at] as number))
    const text = `${ground.title}, ${what}: CPU that counting adds / CPU of one insert`
    return { what: text, value: median(rounds), unit: '', rounds, limit: { atMost: 0.2 } }
  })
}
