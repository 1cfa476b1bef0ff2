import type { PlatformScope } from '../storage/scope.ts'
import type { Boss } from './boss.ts'
import type { Execution } from './execution.ts'
import { readyKinds } from './job.store.ts'
import type { JobHandler } from './jobs.ts'
import { type KindWorker, kindWorker } from './kind-worker.ts'

/** The workers of all kinds on this node. */
export type KindWorkers = {
  /** Claims and starts what may run now, of all kinds. */
  fillReady(): Promise<void>
  /** Called when a job of this kind may run now. */
  fill(kind: string): void
  /** Resolves when nothing is being claimed and nothing runs. */
  idle(): Promise<void>
  /** The number of attempts that have begun. */
  attempts(): number
}

export type KindWorkersDeps = {
  platform: PlatformScope
  handlers: JobHandler[]
  boss(): Promise<Boss>
  runs: Execution
  onError(error: unknown): void
  isStopping(): boolean
  gatherMs: number
}

export function createKindWorkers({
  platform,
  handlers,
  boss,
  runs,
  onError,
  isStopping,
  gatherMs,
}: KindWorkersDeps): KindWorkers {
  let attempts = 0
  const claim: Parameters<typeof kindWorker>[0]['claim'] = async (kind, options) =>
    (await boss()).fetch<object>(kind, { ...options, includeMetadata: true })
  const runJob: Execution['runJob'] = (handler, job) => {
    attempts += 1
    return runs.runJob(handler, job)
  }
  const workers = new Map<string, KindWorker>(
    handlers.map((handler) => [
      handler.kind.name,
      kindWorker({ handler, claim, runJob, onError, isStopping, gatherMs }),
    ]),
  )
  const names = [...workers.keys()]

  return {
    fillReady: async () => {
      const ready = await readyKinds(platform, names)
      await Promise.all(ready.map((name) => workers.get(name)?.fill(true)))
    },
    fill: (kind) => {
      workers.get(kind)?.fill(true).catch(onError)
    },
    idle: async () => {
      do {
        await runs.idle()
        await Promise.all([...workers.values()].map((each) => each.idle()))
      } while (runs.running() > 0)
    },
    attempts: () => attempts,
  }
}
