import type { JobLookup, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import { listReindexing, replaceReindex } from './document.store.ts'
import { reindexing } from './reindex.service.ts'

export type LostReindexingDeps = { clock: Clock; jobs: Jobs & JobLookup }

/** A job that was just enqueued may belong to a transaction that is not seen yet. */
const graceMs = 60_000
const batch = 500

/** Finds documents whose new title is still to be indexed, although no job will do it, and enqueues one. */
export function lostReindexing({ clock, jobs }: LostReindexingDeps) {
  return async (platform: PlatformScope): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs)
    const waiting = await listReindexing(platform, { before, limit: batch })
    const ids = waiting.map(({ reindexId }) => reindexId)
    const pending = new Set(await jobs.listPending(platform, reindexing, ids))
    for (const { tenantId, reindexId } of waiting) {
      if (pending.has(reindexId)) continue
      await transaction(scopeToTenant(platform, tenantId), async (tx) => {
        const next = newId(clock.now())
        if (!(await replaceReindex(tx, { reindexId, next }))) return
        await jobs.enqueue(tx, reindexing, { id: next, data: { reindexId: next }, tenantId })
      })
    }
  }
}
