import { systemCaller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { mintPlatformScope } from '../storage/mint.ts'
import type { StorageLog } from '../storage/pool.ts'
import { openBossLazily } from './boss.ts'
import { execution } from './execution.ts'
import { deleteDoneJobs, prepareKinds, pullForward } from './job.store.ts'
import { type JobDepth, jobDepths } from './job-list.store.ts'
import { housekeeping, type JobHandler } from './jobs.ts'
import { createKindWorkers } from './kind-workers.ts'
import { pollingLoop } from './polling-loop.ts'
import type { JobQueue } from './queue.ts'
import { createRecovery } from './recovery.ts'
import { createSchedule, type IntervalTask } from './schedule.ts'

/** Jobs of this node start at once; those of others, waits that are over and cron are seen this late at most. */
const pollMsStandard = 2000

/** Deletes jobs that were done a day ago, and dead ones after 90 days. */
export const deleteDoneJobsHourly = housekeeping('storage.jobs.drop-done', '17 * * * *', ({ scope }) =>
  deleteDoneJobs(scope),
)

export type RunnerDeps = {
  database: Pick<Database, 'kind' | 'handle'>
  queue: JobQueue
  works: JobHandler[]
  intervalTasks?: IntervalTask[]
  clock: Clock
  log: StorageLog
  pollMs?: number
}

export type JobRunner = {
  /** Makes what `enqueue` needs; safe when several nodes start at once. */
  prepare(): Promise<void>
  /** From now on jobs are run. Returns at once; a database that is away is waited for. */
  start(): void
  /**
   * For tests: runs what is due by the clock until nothing is left, and says how many tries that were. A clock that was
   * moved ahead ends the waits that had begun before the call; a try that fails in it waits for the next call.
   */
  runDue(): Promise<number>
  /** Cron and ticks that are due by the clock. `start` does it by itself. */
  runDueSchedules(): Promise<void>
  /** Gives jobs whose node has died to whoever asks. `start` does it by itself. */
  recover(): Promise<void>
  /** How deep the queues are. */
  stats(): Promise<JobDepth[]>
  /** Takes no more jobs, waits for those that run, and gives the rest back to the queue. */
  stop(patienceMs: number): Promise<void>
}

export function jobRunner(deps: RunnerDeps): JobRunner {
  const { database, queue, clock, log } = deps
  const platform = mintPlatformScope(database.handle, systemCaller)
  const isAlone = database.kind === 'pglite'
  const works = [...deps.works, deleteDoneJobsHourly]
  const kinds = works.map(({ kind }) => kind)
  let isStopping = false
  const onError = (error: unknown) => log.warn({ err: error }, 'the job queue met an error; it goes on')

  const { boss, close } = openBossLazily(database.handle, onError)
  const runs = execution({ boss, handle: database.handle, log })
  const lanes = createKindWorkers({ platform, works, boss, runs, onError, isStopping: () => isStopping })
  const turns = createSchedule({
    platform,
    clock,
    jobs: queue,
    kinds,
    intervalTasks: deps.intervalTasks ?? [],
    boss,
    isAlone,
  })
  const recovery = createRecovery({ platform, works, runs, isAlone, onError })
  const pass = async () => {
    await recovery.whenDue()
    await lanes.fillReady()
  }
  const loop = pollingLoop({ pass, pollMs: deps.pollMs ?? pollMsStandard, onError })
  // By itself: a tick that takes long must not silence this node, whose jobs would be given to another.
  const turnLoop = pollingLoop({ pass: turns.runDueSchedules, pollMs: deps.pollMs ?? pollMsStandard, onError })

  queue.declare(kinds)
  queue.onEnqueued((kind) => {
    if (loop.isStarted() && recovery.hasBegun()) lanes.fill(kind)
  })

  return {
    prepare: () => prepareKinds(platform, kinds),
    start: () => {
      loop.start()
      turnLoop.start()
    },
    runDue: async () => {
      const before = lanes.tries()
      await pullForward(platform, clock.now())
      for (;;) {
        const soFar = lanes.tries()
        await lanes.fillReady()
        await lanes.idle()
        if (lanes.tries() === soFar) return soFar - before
      }
    },
    runDueSchedules: turns.runDueSchedules,
    recover: recovery.recover,
    stats: () => jobDepths(platform),
    stop: async (patienceMs) => {
      isStopping = true
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, patienceMs)
      await Promise.race([Promise.all([loop.stop(), turnLoop.stop()]).then(lanes.idle), patience.promise])
      clearTimeout(timer)
      await runs.abandon()
      await close()
    },
  }
}
