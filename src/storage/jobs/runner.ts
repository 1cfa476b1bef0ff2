import { systemCaller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Database } from '../database.ts'
import { mintPlatformScope } from '../mint.ts'
import type { StorageLog } from '../pool.ts'
import { type Boss, closeBoss, openBoss } from './boss.ts'
import { execution } from './execution.ts'
import { listLost, prepareKinds, pullForward, readyKinds } from './job.store.ts'
import { type JobDepth, jobDepths } from './job-list.store.ts'
import type { JobWork } from './jobs.ts'
import { lane } from './lane.ts'
import type { JobQueue } from './queue.ts'
import { schedule, type Tick } from './schedule.ts'
import { rowUpkeep } from './upkeep.ts'

/** Jobs of this node start at once; those of others, waits that are over and cron are seen this late at most. */
const pollMs = 2000
/** Less than a third of the time after which a job without a sign of life is given to another node. */
const beatMs = 8000
/** After failures in a row, for example while the database is away. */
const pollMsMax = 15_000

export type RunnerDeps = {
  database: Pick<Database, 'kind' | 'handle'>
  queue: JobQueue
  works: JobWork[]
  ticks?: Tick[]
  clock: Clock
  log: StorageLog
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

export function jobRunner({ database, queue, works: theirs, ticks = [], clock, log }: RunnerDeps): JobRunner {
  const platform = mintPlatformScope(database.handle, systemCaller)
  const isAlone = database.kind === 'pglite'
  const works = [...theirs, rowUpkeep]
  const kinds = works.map(({ kind }) => kind)
  const names = kinds.map(({ name }) => name)
  let opened: Promise<Boss> | null = null
  let tries = 0
  let isStopping = false
  let wakeUp = () => {}
  let looping: Promise<void> | null = null

  const onError = (error: unknown) => log.warn({ err: error }, 'the job queue met an error; it goes on')
  const boss = (): Promise<Boss> => {
    opened ??= openBoss(database.handle, onError).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  const runs = execution({ boss, handle: database.handle, log })
  const turns = schedule({ platform, clock, jobs: queue, kinds, ticks, boss, isAlone })
  const lanes = new Map(
    works.map((work) => [
      work.kind.name,
      lane({
        work,
        claim: async (kind, options) => (await boss()).fetch<object>(kind, { ...options, includeMetadata: true }),
        runJob: (...args) => {
          tries += 1
          return runs.runJob(...args)
        },
        onError,
        isStopping: () => isStopping,
      }),
    ]),
  )
  queue.declare(kinds)
  queue.onEnqueued((kind) => {
    if (looping && !isStopping) lanes.get(kind)?.fill(true).catch(onError)
  })

  const fillReady = async () => {
    const ready = await readyKinds(platform, names)
    await Promise.all(ready.map((name) => lanes.get(name)?.fill(true)))
  }

  const recover = async ({ all }: { all: boolean }) => {
    const lost = await listLost(platform, { all })
    for (const [name, attempts] of Map.groupBy(lost, (attempt) => attempt.name)) {
      if (names.includes(name))
        await (await boss()).fail(name, attempts, { message: 'Its process ended while it ran.' })
    }
  }

  const loop = async () => {
    let failures = 0
    let beatAtMs = 0
    let isFirst = true
    while (!isStopping) {
      try {
        if (performance.now() >= beatAtMs) {
          beatAtMs = performance.now() + beatMs
          await runs.beat()
          // Whoever opens an embedded database is alone with it: what ran there before runs no more.
          await recover({ all: isAlone && isFirst && runs.running() === 0 })
          isFirst = false
        }
        await turns.takeTurns()
        await fillReady()
        failures = 0
      } catch (error) {
        failures += 1
        onError(error)
      }
      await pause(Math.min(pollMsMax, pollMs * 2 ** failures))
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isStopping) return resolve()
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    prepare: () => prepareKinds(platform, kinds),
    start: () => {
      looping ??= loop()
    },
    runDue: async () => {
      const before = tries
      await pullForward(platform, clock.now())
      for (;;) {
        const soFar = tries
        await fillReady()
        await runs.idle()
        if (tries === soFar) return tries - before
      }
    },
    takeTurns: turns.takeTurns,
    recover: () => recover({ all: false }),
    stats: () => jobDepths(platform),
    stop: async (patienceMs) => {
      isStopping = true
      wakeUp()
      await looping
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, patienceMs)
      await Promise.race([runs.idle(), patience.promise])
      clearTimeout(timer)
      await runs.abandon()
      if (opened) await closeBoss(await opened)
    },
  }
}
