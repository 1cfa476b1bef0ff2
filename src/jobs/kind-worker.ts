import { setTimeout as delay } from 'node:timers/promises'
import type { ClaimedJob } from './boss.ts'
import type { JobHandler } from './jobs.ts'

/**
 * Jobs of one kind that run at once on one node, and those of one tenant on all nodes: half of one node's, so that
 * another tenant finds a free slot at once.
 */
const defaultConcurrency = { node: 20, tenant: 10 }
/** After searches for other tenants that found none, so many fills skip the search: it reads past all jobs that it ignores. */
const skippedSearchesMax = 16

export type ClaimOptions = { batchSize: number; groupConcurrency: number; ignoreGroups: string[] }

/**
 * Claims and runs the jobs of one kind on this node. Tenants take turns: tenants that were served are ignored until a
 * search for other tenants finds none, then a new round begins. So a job waits for at most one batch of each tenant before
 * it, however many jobs those have.
 */
export type KindWorker = {
  /** Claims what may run now and starts it. `hasNews`: there may be a new job, so search for other tenants in any case. */
  fill(hasNews: boolean): Promise<void>
  /** Resolves when nothing is being claimed, nor about to be because a job has just ended. */
  idle(): Promise<void>
}

export type KindWorkerDeps = {
  handler: JobHandler
  claim(kind: string, options: ClaimOptions): Promise<ClaimedJob[]>
  /** Runs one job and records how it ended; never rejects. */
  runJob(handler: JobHandler, job: ClaimedJob): Promise<void>
  onError(error: unknown): void
  isStopping(): boolean
  /** While jobs run, the next claim comes so long after the one before: it takes more of them at once. */
  gatherMs: number
}

export function kindWorker({ handler, claim, runJob, onError, isStopping, gatherMs }: KindWorkerDeps): KindWorker {
  const isOrdered = handler.kind.order === 'key'
  const concurrency = handler.kind.concurrency ?? defaultConcurrency
  let free = concurrency.node
  const runningByTenant = new Map<string, number>()
  const served = new Set<string>()
  let skippedSearches = 0
  let fillsUntilSearch = 0
  let filling: Promise<void> | null = null
  let isRequestedAgain = false
  let filledAtMs = Number.NEGATIVE_INFINITY
  /** The last claim took all there was, so the end of a job is no reason to claim again. */
  let isDrained = false

  const count = (tenant: string, change: number) => {
    const now = (runningByTenant.get(tenant) ?? 0) + change
    if (now === 0) runningByTenant.delete(tenant)
    else runningByTenant.set(tenant, now)
  }

  const start = (jobs: ClaimedJob[]) => {
    for (const job of jobs) {
      const tenant = job.groupId ?? ''
      free -= 1
      count(tenant, 1)
      served.add(tenant)
      void runJob(handler, job).then(() => {
        free += 1
        count(tenant, -1)
        // Once for all jobs that were completed by the same statement.
        if (!isDrained) fill(false).catch(onError)
      })
    }
  }

  const claimFor = async (ignoreGroups: string[]): Promise<number> => {
    const jobs = await claim(handler.kind.name, { batchSize: free, groupConcurrency: concurrency.tenant, ignoreGroups })
    start(jobs)
    return jobs.length
  }

  const searchOtherTenants = async () => {
    if ((await claimFor([...served])) > 0) {
      skippedSearches = 0
    } else {
      served.clear()
      skippedSearches = Math.min(skippedSearchesMax, Math.max(1, skippedSearches * 2))
    }
    fillsUntilSearch = skippedSearches
  }

  const fillOnce = async () => {
    if (free === 0 || isStopping()) return
    fillsUntilSearch -= 1
    if (served.size > 0 && fillsUntilSearch < 0) await searchOtherTenants()
    if (free === 0 || isStopping()) return
    const requested = free
    const claimed = await claimFor([])
    if (claimed === requested) return
    const isLimited = [...runningByTenant.values()].some((running) => running >= concurrency.tenant)
    if (!isLimited) {
      // No tenant was ignored, so a new round begins. A job with a key may wait for another one of its key that runs.
      isDrained = !isOrdered
      served.clear()
    } else if (claimed > 0 && free > 0 && fillsUntilSearch < 0) {
      // Jobs that a tenant's limit held back were before the others in the queue.
      await searchOtherTenants()
    }
  }

  const pauseAfterClaim = async () => {
    const pauseMs = runningByTenant.size === 0 ? 0 : filledAtMs + gatherMs - performance.now()
    if (pauseMs > 0) await delay(pauseMs)
    filledAtMs = performance.now()
  }

  const fillUntilIdle = async () => {
    do {
      await pauseAfterClaim()
      isRequestedAgain = false
      await fillOnce()
    } while (isRequestedAgain)
  }

  const fill = (hasNews: boolean): Promise<void> => {
    if (hasNews) {
      fillsUntilSearch = 0
      isDrained = false
    }
    isRequestedAgain = true
    filling ??= fillUntilIdle().finally(() => {
      filling = null
    })
    return filling
  }

  const idle = async () => {
    await new Promise(setImmediate)
    // The caller that requested it has received its error.
    await filling?.catch(() => undefined)
  }

  return { fill, idle }
}
