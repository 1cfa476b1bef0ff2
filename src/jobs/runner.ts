import { systemCaller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { mintPlatformScope } from '../storage/mint.ts'
import type { StorageLog } from '../storage/pool.ts'
import { bossOf } from './boss.ts'
import { execution } from './execution.ts'
import { prepareKinds, pullForward } from './job.store.ts'
import { type JobDepth, jobDepths } from './job-list.store.ts'
import type { JobWork } from './jobs.ts'
import { lanesOf } from './lanes.ts'
import { loopOf } from './loop.ts'
import type { JobQueue } from './queue.ts'
import { recoveryOf } from './recovery.ts'
import { schedule, type Tick } from './schedule.ts'
import { rowUpkeep } from './upkeep.ts'

/** Jobs of this node start at once; those of others, waits that are over and cron are seen this late at most. */
const pollMsStandard = 2000

export type RunnerDeps = {
  database: Pick<Database, 'kind' | 'handle'>
  queue: JobQueue
  works: JobWork[]
  ticks?: Tick[]
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
  takeTurns(): Promise<void>
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
  const works = [...deps.works, rowUpkeep]
  const kinds = works.map(({ kind }) => kind)
  let isStopping = false
  const onError = (error: unknown) => log.warn({ err: error }, 'the job queue met an error; it goes on')

  const { boss, close } = bossOf(database.handle, onError)
  const runs = execution({ boss, handle: database.handle, log })
  const lanes = lanesOf({ platform, works, boss, runs, onError, isStopping: () => isStopping })
  const turns = schedule({ platform, clock, jobs: queue, kinds, ticks: deps.ticks ?? [], boss, isAlone })
  const recovery = recoveryOf({ platform, works, runs, isAlone, onError })
  const pass = async () => {
    await recovery.whenDue()
    await lanes.fillReady()
  }
  const loop = loopOf({ pass, pollMs: deps.pollMs ?? pollMsStandard, onError })
  // By itself: a tick that takes long must not silence this node, whose jobs would be given to another.
  const turnLoop = loopOf({ pass: turns.takeTurns, pollMs: deps.pollMs ?? pollMsStandard, onError })

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
    takeTurns: turns.takeTurns,
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
