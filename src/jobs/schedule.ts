import type { Clock } from '../kernel/clock.ts'
import { type PlatformScope, transaction } from '../storage/scope.ts'
import type { Boss } from './boss.ts'
import { claimTurn, isTooFarAhead, lastTurn } from './job.store.ts'
import type { JobKind, Jobs } from './jobs.ts'

/**
 * Light work that repeats every few seconds, where a job would cost four writes each time. One node does it, the next
 * time perhaps another. Work that is interrupted is done the next time.
 */
export type IntervalTask = { name: string; everySeconds: number; run(): Promise<unknown> }

export type Schedule = {
  /** Enqueues the cron jobs and runs the interval tasks that are due, if this node is the first to claim them. */
  runDueSchedules(): Promise<void>
}

export type ScheduleDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  kinds: JobKind<object>[]
  intervalTasks: IntervalTask[]
  boss(): Promise<Boss>
  /** One process has the database for itself, so interval tasks need no claim in the database. */
  isAlone: boolean
}

/** When a cron job is due next after its last run. */
type Planned = { lastAt: Date; dueAt: Date }

/**
 * Each node goes by its own clock: the node whose clock is ahead does the work, and the others find it done. If all
 * clocks are set back, turns that were claimed in the future are ignored, so nothing waits until that time.
 */
export function createSchedule({ platform, clock, jobs, kinds, intervalTasks, boss, isAlone }: ScheduleDeps): Schedule {
  const cronKinds = kinds.filter(({ cron }) => cron !== undefined)
  const nextCron = new Map<string, Planned>()
  const nextRun = new Map<string, Date>()

  /** The first time of the expression after the last run on any node. If all nodes were down then, it is made up for, once. */
  const afterLastTurn = async ({ name, cron = '' }: JobKind<object>, now: Date): Promise<Planned> => {
    const lastAt = await lastTurn(platform, name, now)
    const [dueAt] = (await boss()).previewSchedule(cron, { from: lastAt, count: 1 })
    if (!dueAt) throw new Error(`The cron expression ${cron} of ${name} never matches again.`)
    return { lastAt, dueAt }
  }

  const enqueueDue = async (kind: JobKind<object>, now: Date): Promise<void> => {
    const known = nextCron.get(kind.name)
    const next = known === undefined || isTooFarAhead(known.lastAt, now) ? await afterLastTurn(kind, now) : known
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
    const untilNextMs = (nextRun.get(name) ?? now).getTime() - now.getTime()
    // A time further away was planned by a clock that has been set back since.
    if (untilNextMs > 0 && untilNextMs <= everyMs) return
    nextRun.set(name, new Date(now.getTime() + everyMs))
    // A little less than the interval, because the loops of the nodes do not run in step.
    const dueAt = new Date(now.getTime() - everySeconds * 800)
    if (isAlone || (await claimTurn(platform, { name, dueAt, now }))) await run()
  }

  return {
    runDueSchedules: async () => {
      const now = clock.now()
      const outcomes = await Promise.allSettled([
        ...cronKinds.map((kind) => enqueueDue(kind, now)),
        ...intervalTasks.map((task) => runDue(task, now)),
      ])
      // A failure does not keep the others from running.
      const failures = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
      if (failures.length > 0)
        throw new AggregateError(
          failures.map(({ reason }) => reason),
          String(failures[0]?.reason),
        )
    },
  }
}
