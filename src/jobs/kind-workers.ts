import type { PlatformScope } from '../storage/scope.ts'
import type { Boss } from './boss.ts'
import type { Execution } from './execution.ts'
import { readyKinds } from './job.store.ts'
import type { JobHandler } from './jobs.ts'
import { type KindWorker, kindWorker } from './kind-worker.ts'

/** The lanes of all kinds that this node works on. */
export type KindWorkers = {
  /** Claims and starts what may run now, of all kinds. */
  fillReady(): Promise<void>
  /** Something of this kind may run now. */
  fill(kind: string): void
  /** Resolves when nothing is claimed and nothing runs. */
  idle(): Promise<void>
  /** Tries that have begun. */
  tries(): number
}

export type KindWorkersDeps = {
  platform: PlatformScope
  works: JobHandler[]
  boss(): Promise<Boss>
  runs: Execution
  onError(error: unknown): void
  isStopping(): boolean
}

export function createKindWorkers({ platform, works, boss, runs, onError, isStopping }: KindWorkersDeps): KindWorkers {
  let tries = 0
  const claim: Parameters<typeof kindWorker>[0]['claim'] = async (kind, options) =>
    (await boss()).fetch<object>(kind, { ...options, includeMetadata: true })
  const runJob: Execution['runJob'] = (work, job) => {
    tries += 1
    return runs.runJob(work, job)
  }
  const lanes = new Map<string, KindWorker>(
    works.map((work) => [work.kind.name, kindWorker({ work, claim, runJob, onError, isStopping })]),
  )
  const names = [...lanes.keys()]

  return {
    fillReady: async () => {
      const ready = await readyKinds(platform, names)
      await Promise.all(ready.map((name) => lanes.get(name)?.fill(true)))
    },
    fill: (kind) => {
      lanes.get(kind)?.fill(true).catch(onError)
    },
    idle: async () => {
      do {
        await runs.idle()
        await Promise.all([...lanes.values()].map((each) => each.quiet()))
      } while (runs.running() > 0)
    },
    tries: () => tries,
  }
}
