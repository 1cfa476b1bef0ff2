import type { JobLookup, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { listReindexing, replaceReindex } from './document.store.ts'
import { reindexing } from './reindex.service.ts'

export type LostReindexingDeps = {
  clock: Clock
  jobs: Jobs & JobLookup
  /** Documents that one statement reads. */
  batch?: number
}

/** A job that was just enqueued may belong to a transaction that is not seen yet. */
const graceMs = 60_000
const batchDefault = 500

/** Finds documents whose new title is still to be indexed, although no job will do it, and enqueues one. */
export function lostReindexing({ clock, jobs, batch = batchDefault }: LostReindexingDeps) {
  return async (platform: PlatformScope, signal: AbortSignal): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs)
    let after: string | null = null
    for (;;) {
      signal.throwIfAborted()
      const waiting: Awaited<ReturnType<typeof listReindexing>> = await listReindexing(platform, {
        before,
        after,
        limit: batch,
      })
      const ids = waiting.map(({ reindexId }) => reindexId)
      const pending = new Set(await jobs.listPending(platform, reindexing, ids))
      for (const { tenantId, reindexId } of waiting)
        if (!pending.has(reindexId)) await enqueueAgain(scopeToTenant(platform, tenantId), reindexId)
      if (waiting.length < batch) return
      after = waiting.at(-1)?.reindexId ?? null
    }
  }

  async function enqueueAgain(scope: TenantScope, reindexId: string): Promise<void> {
    await transaction(scope, async (tx) => {
      const next = newId(clock.now())
      if (!(await replaceReindex(tx, { reindexId, next }))) return
      await jobs.enqueue(tx, reindexing, { id: next, data: { reindexId: next }, tenantId: tx.tenantId })
    })
  }
}
