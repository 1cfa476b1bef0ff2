import type { Clock } from '../kernel/clock.ts'
import { type PlatformScope, transaction } from '../storage/scope.ts'
import type { Boss } from './boss.ts'
import { claimTurn, isAhead, lastTurn } from './job.store.ts'
import type { JobKind, Jobs } from './jobs.ts'

/**
 * Light work by the clock, in seconds, where a job each time would be four writes each time: one node does it, the
 * next time perhaps another. Work that is cut short is done the next time.
 */
export type IntervalTask = { name: string; everySeconds: number; run(): Promise<unknown> }

export type Schedule = {
  /** Enqueues the cron jobs and runs the ticks that are due, if this node is the first to see it. */
  runDueSchedules(): Promise<void>
}

export type ScheduleDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  kinds: JobKind<object>[]
  intervalTasks: IntervalTask[]
  boss(): Promise<Boss>
  /** One process has the database for itself, so ticks need no turn that is written down. */
  isAlone: boolean
}

/** When a cron job is due next, counted from its last turn. */
type Planned = { lastAt: Date; dueAt: Date }

/**
 * Time is that of the clock, for all nodes: whoever's runs ahead does it, and the others find it done. Where all are set
 * back, the turns that were taken ahead are forgotten: nothing waits until the clock is there again.
 */
export function createSchedule({
  platform,
  clock,
  jobs,
  kinds,
  intervalTasks: ticks,
  boss,
  isAlone,
}: ScheduleDeps): Schedule {
  const cronKinds = kinds.filter(({ cron }) => cron !== undefined)
  const nextCron = new Map<string, Planned>()
  const nextTick = new Map<string, Date>()

  /** The first moment of the expression after the last turn of any node: one that all nodes slept through is made up for, once. */
  const afterLastTurn = async ({ name, cron = '' }: JobKind<object>, now: Date): Promise<Planned> => {
    const lastAt = await lastTurn(platform, name, now)
    const [dueAt] = (await boss()).previewSchedule(cron, { from: lastAt, count: 1 })
    if (!dueAt) throw new Error(`The cron expression ${cron} of ${name} has no next moment.`)
    return { lastAt, dueAt }
  }

  const enqueueDue = async (kind: JobKind<object>, now: Date): Promise<void> => {
    const known = nextCron.get(kind.name)
    const next = known === undefined || isAhead(known.lastAt, now) ? await afterLastTurn(kind, now) : known
    nextCron.set(kind.name, next)
    const { dueAt } = next
    if (dueAt > now) return
    await transaction(platform, async (tx) => {
      if (await claimTurn(tx, { name: kind.name, dueAt, now })) await jobs.enqueue(tx, kind, { data: {} })
    })
    nextCron.delete(kind.name)
  }

  const runDue = async ({ name, everySeconds, run }: IntervalTask, now: Date): Promise<void> => {
    const everyMs = everySeconds * 1000
    const untilNextMs = (nextTick.get(name) ?? now).getTime() - now.getTime()
    // One that is further away was planned by a clock that has been set back since.
    if (untilNextMs > 0 && untilNextMs <= everyMs) return
    nextTick.set(name, new Date(now.getTime() + everyMs))
    // A little less, because the nodes' loops do not turn in step.
    const dueAt = new Date(now.getTime() - everySeconds * 800)
    if (isAlone || (await claimTurn(platform, { name, dueAt, now }))) await run()
  }

  return {
    runDueSchedules: async () => {
      const now = clock.now()
      const outcomes = await Promise.allSettled([
        ...cronKinds.map((kind) => enqueueDue(kind, now)),
        ...ticks.map((tick) => runDue(tick, now)),
      ])
      // One that fails keeps none of the others from their turn.
      const failures = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
      if (failures.length > 0)
        throw new AggregateError(
          failures.map(({ reason }) => reason),
          String(failures[0]?.reason),
        )
    },
  }
}
