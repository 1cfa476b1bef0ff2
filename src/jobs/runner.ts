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

/** Jobs that this node enqueues start at once. Other nodes' jobs, waits that are over and cron are noticed this late at most. */
const pollMsDefault = 2000

/**
 * While jobs of a kind run, the next claim and the record of those that have ended wait so long for more of them. This
 * takes fewer statements; in the embedded database each of them holds the event loop and waits for the disk.
 */
const gatherMs = { postgres: 10, pglite: 25 }

/** Deletes jobs that were done a day ago, and dead ones after 90 days. */
export const deleteDoneJobsHourly = housekeeping('storage.jobs.drop-done', '17 * * * *', ({ scope }) =>
  deleteDoneJobs(scope),
)

export type RunnerDeps = {
  database: Pick<Database, 'kind' | 'handle'>
  queue: JobQueue
  handlers: JobHandler[]
  intervalTasks?: IntervalTask[]
  clock: Clock
  log: StorageLog
  pollMs?: number
}

export type JobRunner = {
  /** Creates what `enqueue` needs. Safe when several nodes start at once. */
  prepare(): Promise<void>
  /** Starts to run jobs. Returns at once; if the database is down, it waits for it in the background. */
  start(): void
  /**
   * For tests: runs what is due by the clock until nothing is left. Returns the number of attempts. A clock that was moved
   * ahead ends the waits that had begun before the call; an attempt that fails during the call waits for the next one.
   */
  runDue(): Promise<number>
  /** Runs cron jobs and interval tasks that are due by the clock. `start` does it by itself. */
  runDueSchedules(): Promise<void>
  /** Makes jobs of nodes that have died available again. `start` does it by itself. */
  recover(): Promise<void>
  /** The number of jobs of each kind. */
  stats(): Promise<JobDepth[]>
  /** Claims no more jobs, waits for those that run, and gives the rest back to the queue. */
  stop(patienceMs: number): Promise<void>
}

export function jobRunner(deps: RunnerDeps): JobRunner {
  const { database, queue, clock, log } = deps
  const platform = mintPlatformScope(database.handle, systemCaller)
  const isAlone = database.kind === 'pglite'
  const handlers = [...deps.handlers, deleteDoneJobsHourly]
  const kinds = handlers.map(({ kind }) => kind)
  let isStopping = false
  const onError = (error: unknown) => log.warn({ err: error }, 'an error in the job queue; it continues')

  const { boss, close } = openBossLazily(database.handle, onError)
  const runs = execution({ boss, handle: database.handle, log, gatherMs: gatherMs[database.kind] })
  const workers = createKindWorkers({
    platform,
    handlers,
    boss,
    runs,
    onError,
    isStopping: () => isStopping,
    gatherMs: gatherMs[database.kind],
  })
  const schedule = createSchedule({
    platform,
    clock,
    jobs: queue,
    kinds,
    intervalTasks: deps.intervalTasks ?? [],
    boss,
    isAlone,
  })
  const recovery = createRecovery({ platform, handlers, runs, isAlone, onError })
  const pass = async () => {
    await recovery.whenDue()
    await workers.fillReady()
  }
  const loop = pollingLoop({ pass, pollMs: deps.pollMs ?? pollMsDefault, onError })
  // A loop of its own: a slow interval task must not delay the heartbeats, or the jobs of this node would be given to another.
  const scheduleLoop = pollingLoop({ pass: schedule.runDueSchedules, pollMs: deps.pollMs ?? pollMsDefault, onError })

  queue.declare(kinds)
  queue.onEnqueued((kind) => {
    if (loop.isStarted() && recovery.hasBegun()) workers.fill(kind)
  })

  return {
    prepare: () => prepareKinds(platform, kinds),
    start: () => {
      loop.start()
      scheduleLoop.start()
    },
    runDue: async () => {
      const before = workers.attempts()
      await pullForward(platform, clock.now())
      for (;;) {
        const soFar = workers.attempts()
        await workers.fillReady()
        await workers.idle()
        if (workers.attempts() === soFar) return soFar - before
      }
    },
    runDueSchedules: schedule.runDueSchedules,
    recover: recovery.recover,
    stats: () => jobDepths(platform),
    stop: async (patienceMs) => {
      isStopping = true
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, patienceMs)
      await Promise.race([Promise.all([loop.stop(), scheduleLoop.stop()]).then(workers.idle), patience.promise])
      clearTimeout(timer)
      await runs.abandon()
      await close()
    },
  }
}
