import type { Clock } from '../../kernel/clock.ts'
import { type PlatformScope, transaction } from '../scope.ts'
import type { Boss } from './boss.ts'
import { lastTurn, takeTurn } from './job.store.ts'
import type { JobKind, Jobs } from './jobs.ts'

/**
 * Light work by the clock, in seconds, where a job each time would be four writes each time: one node does it, the
 * next time perhaps another. Work that is cut short is done the next time.
 */
export type Tick = { name: string; everySeconds: number; run(): Promise<unknown> }

export type Schedule = {
  /** Enqueues the cron jobs and runs the ticks that are due, if this node is the first to see it. */
  takeTurns(): Promise<void>
}

export type ScheduleDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  kinds: JobKind<object>[]
  ticks: Tick[]
  boss(): Promise<Boss>
  /** One process has the database for itself, so ticks need no turn that is written down. */
  isAlone: boolean
}

/** Time is that of the clock, for all nodes: whoever's runs ahead does it, and the others find it done. */
export function schedule({ platform, clock, jobs, kinds, ticks, boss, isAlone }: ScheduleDeps): Schedule {
  const cronKinds = kinds.filter(({ cron }) => cron !== undefined)
  const nextCron = new Map<string, Date>()
  const nextTick = new Map<string, Date>()

  /** The first moment of the expression after the last turn of any node: one that all nodes slept through is made up for, once. */
  const afterLastTurn = async ({ name, cron = '' }: JobKind<object>, now: Date): Promise<Date> => {
    const from = await lastTurn(platform, name, now)
    const [next] = (await boss()).previewSchedule(cron, { from, count: 1 })
    if (!next) throw new Error(`The cron expression ${cron} of ${name} has no next moment.`)
    return next
  }

  const enqueueDue = async (kind: JobKind<object>, now: Date): Promise<void> => {
    const dueAt = nextCron.get(kind.name) ?? (await afterLastTurn(kind, now))
    nextCron.set(kind.name, dueAt)
    if (dueAt > now) return
    await transaction(platform, async (tx) => {
      if (await takeTurn(tx, { name: kind.name, dueAt, now })) await jobs.enqueue(tx, kind, { data: {} })
    })
    nextCron.delete(kind.name)
  }

  const runDue = async ({ name, everySeconds, run }: Tick, now: Date): Promise<void> => {
    if (now < (nextTick.get(name) ?? now)) return
    nextTick.set(name, new Date(now.getTime() + everySeconds * 1000))
    // A little less, because the nodes' loops do not turn in step.
    const dueAt = new Date(now.getTime() - everySeconds * 800)
    if (isAlone || (await takeTurn(platform, { name, dueAt, now }))) await run()
  }

  return {
    takeTurns: async () => {
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
