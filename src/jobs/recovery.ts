import type { PlatformScope } from '../storage/scope.ts'
import type { Execution } from './execution.ts'
import { listLostJobs } from './job.store.ts'
import type { JobHandler } from './jobs.ts'

/** Less than a third of the time after which a job without a heartbeat is given to another node. */
const heartbeatMs = 8000

export type Recovery = {
  /** Every few seconds: sends heartbeats for what runs here, and recovers what ran on nodes that have died. */
  whenDue(): Promise<void>
  /** The same at once, without the heartbeats. */
  recover(): Promise<void>
  /** Whether jobs may be claimed. What is marked as running before that was interrupted. */
  hasBegun(): boolean
}

export type RecoveryDeps = {
  platform: PlatformScope
  handlers: JobHandler[]
  runs: Execution
  /** One process has the database for itself. */
  isAlone: boolean
  onError(error: unknown): void
}

/** A job whose process was killed counts as an attempt and runs again, so a job that kills its process does not do so for ever. */
export function createRecovery({ platform, handlers, runs, isAlone, onError }: RecoveryDeps): Recovery {
  const known = new Map(handlers.map((handler) => [handler.kind.name, handler]))
  let nextAtMs = 0
  let hasBegun = false

  const recover = async ({ all }: { all: boolean }) => {
    for (const job of await listLostJobs(platform, { all })) {
      const handler = known.get(job.name)
      // If that cannot be recorded it is tried again later, and the other jobs do not wait for it.
      if (handler) await runs.fail(handler, job, new Error('The process ended while the job ran.')).catch(onError)
    }
  }

  return {
    whenDue: async () => {
      if (performance.now() < nextAtMs) return
      await runs.heartbeat()
      // Only one process opens an embedded database: what ran before has ended.
      await recover({ all: isAlone && !hasBegun })
      hasBegun = true
      nextAtMs = performance.now() + heartbeatMs
    },
    recover: () => recover({ all: false }),
    hasBegun: () => hasBegun,
  }
}
