import type { PlatformScope } from '../storage/scope.ts'
import type { Execution } from './execution.ts'
import { listLostJobs } from './job.store.ts'
import type { JobHandler } from './jobs.ts'

/** Less than a third of the time after which a job without a sign of life is given to another node. */
const beatMs = 8000

export type Recovery = {
  /** Every few seconds: says that what runs here runs, and takes up what ran on nodes that have died. */
  whenDue(): Promise<void>
  /** The same at once, without the first part. */
  recover(): Promise<void>
  /** Whether jobs may be claimed: what is marked as running before that was interrupted. */
  hasBegun(): boolean
}

export type RecoveryDeps = {
  platform: PlatformScope
  works: JobHandler[]
  runs: Execution
  /** One process has the database for itself. */
  isAlone: boolean
  onError(error: unknown): void
}

/** A job whose process was killed counts as tried and comes back: one that kills its process does not do so for ever. */
export function createRecovery({ platform, works, runs, isAlone, onError }: RecoveryDeps): Recovery {
  const known = new Map(works.map((work) => [work.kind.name, work]))
  let nextAtMs = 0
  let hasBegun = false

  const recover = async ({ all }: { all: boolean }) => {
    for (const job of await listLostJobs(platform, { all })) {
      const work = known.get(job.name)
      // One whose last word cannot be written is asked for it again later, and holds up nobody until then.
      if (work) await runs.fail(work, job, new Error('Its process ended while it ran.')).catch(onError)
    }
  }

  return {
    whenDue: async () => {
      if (performance.now() < nextAtMs) return
      await runs.heartbeat()
      // Whoever opens an embedded database is alone with it: what ran there before runs no more.
      await recover({ all: isAlone && !hasBegun })
      hasBegun = true
      nextAtMs = performance.now() + beatMs
    },
    recover: () => recover({ all: false }),
    hasBegun: () => hasBegun,
  }
}
