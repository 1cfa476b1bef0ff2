import type { ClaimedJob } from './boss.ts'
import type { JobHandler } from './jobs.ts'

/**
 * Jobs of one kind that run at once on one node, and those of one tenant on all nodes: half of one node's, so that
 * others find a place at once.
 */
const usualPlaces = { node: 20, tenant: 10 }
/** Fills that do without a look for other tenants, after looks that found none: each reads past the jobs of all it leaves out. */
const patienceMax = 16

export type ClaimOptions = { batchSize: number; groupConcurrency: number; ignoreGroups: string[] }

/**
 * The jobs of one kind on this node: how many may be claimed, and whose. Tenants take turns. Those that were served stay
 * out until a look for others finds none, then a new round begins; so one job waits for one batch of each tenant
 * before it, however many jobs those have.
 */
export type KindWorker = {
  /** Claims what may run now and starts it. `isCalled`: something is new, so look for others in any case. */
  fill(isCalled: boolean): Promise<void>
  /** Resolves when nothing is being claimed, also because of a job that has just ended. */
  quiet(): Promise<void>
}

export type KindWorkerDeps = {
  work: JobHandler
  claim(kind: string, options: ClaimOptions): Promise<ClaimedJob[]>
  /** Runs one job to its end, settled; never rejects. */
  runJob(work: JobHandler, job: ClaimedJob): Promise<void>
  onError(error: unknown): void
  isStopping(): boolean
}

export function kindWorker({ work, claim, runJob, onError, isStopping }: KindWorkerDeps): KindWorker {
  const isOrdered = work.kind.order === 'key'
  const places = work.kind.concurrency ?? usualPlaces
  let free = places.node
  const runningOf = new Map<string, number>()
  const served = new Set<string>()
  let patience = 0
  let fillsUntilLook = 0
  let filling: Promise<void> | null = null
  let isCalledAgain = false
  /** The last claim took all there was: the end of a job is no reason to ask again. */
  let isDrained = false

  const count = (tenant: string, change: number) => {
    const now = (runningOf.get(tenant) ?? 0) + change
    if (now === 0) runningOf.delete(tenant)
    else runningOf.set(tenant, now)
  }

  const start = (jobs: ClaimedJob[]) => {
    for (const job of jobs) {
      const tenant = job.groupId ?? ''
      free -= 1
      count(tenant, 1)
      served.add(tenant)
      void runJob(work, job).then(() => {
        free += 1
        count(tenant, -1)
        // Together with the others that were settled by the same statement.
        if (!isDrained) fill(false).catch(onError)
      })
    }
  }

  const claimFor = async (ignoreGroups: string[]): Promise<number> => {
    const jobs = await claim(work.kind.name, { batchSize: free, groupConcurrency: places.tenant, ignoreGroups })
    start(jobs)
    return jobs.length
  }

  const lookForOthers = async () => {
    if ((await claimFor([...served])) > 0) {
      patience = 0
    } else {
      served.clear()
      patience = Math.min(patienceMax, Math.max(1, patience * 2))
    }
    fillsUntilLook = patience
  }

  const fillOnce = async () => {
    if (free === 0 || isStopping()) return
    fillsUntilLook -= 1
    if (served.size > 0 && fillsUntilLook < 0) await lookForOthers()
    if (free === 0 || isStopping()) return
    const asked = free
    const claimed = await claimFor([])
    if (claimed === asked) return
    const isLimited = [...runningOf.values()].some((running) => running >= places.tenant)
    if (!isLimited) {
      // Nobody was left out, so a new round begins. Jobs with a key may wait for one of theirs that runs.
      isDrained = !isOrdered
      served.clear()
    } else if (claimed > 0 && free > 0 && fillsUntilLook < 0) {
      // Those that the limit of a tenant held back stood before the others in the queue.
      await lookForOthers()
    }
  }

  const fillUntilQuiet = async () => {
    do {
      isCalledAgain = false
      await Promise.resolve()
      await fillOnce()
    } while (isCalledAgain)
  }

  const fill = (isCalled: boolean): Promise<void> => {
    if (isCalled) {
      fillsUntilLook = 0
      isDrained = false
    }
    isCalledAgain = true
    filling ??= fillUntilQuiet().finally(() => {
      filling = null
    })
    return filling
  }

  const quiet = async () => {
    await new Promise(setImmediate)
    // Whoever asked for it has been told of its error.
    await filling?.catch(() => undefined)
  }

  return { fill, quiet }
}
