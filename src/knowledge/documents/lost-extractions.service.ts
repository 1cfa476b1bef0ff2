import type { JobLookup } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { triesMax } from './document.rules.ts'
import { type DocumentRecords, extracting } from './document-record.ts'
import { findExtraction, listUnderWay, lockVersion, requeueVersion, type UnderWay } from './document-version.store.ts'
import type { Extractions } from './extraction.service.ts'

export type LostDeps = {
  clock: Clock
  jobs: JobLookup
  records: Pick<DocumentRecords, 'enqueue'>
  extractions: Pick<Extractions, 'giveUp'>
  /** Versions that one statement reads. */
  batch?: number
}

/** A job that was just enqueued may belong to a transaction that is not seen yet. */
const graceMs = 60_000
const batchDefault = 500

/** Finds versions that are under way without a job, for whatever reason, and lets them be read again or fails them. */
export function lostExtractions({ clock, jobs, records, extractions, batch = batchDefault }: LostDeps) {
  return async (platform: PlatformScope, signal: AbortSignal): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs)
    let after: UnderWay | null = null
    for (;;) {
      signal.throwIfAborted()
      const underWay: UnderWay[] = await listUnderWay(platform, { before, after, limit: batch })
      const ids = underWay.map(({ extractionId }) => extractionId)
      const pending = new Set(await jobs.listPending(platform, extracting, ids))
      for (const { tenantId, extractionId } of underWay)
        if (!pending.has(extractionId)) await recover(scopeToTenant(platform, tenantId), extractionId)
      if (underWay.length < batch) return
      after = underWay.at(-1) ?? null
    }
  }

  async function recover(scope: TenantScope, extractionId: string): Promise<void> {
    const extraction = await findExtraction(scope, extractionId)
    // Its job may just have ended well.
    if (extraction === null) return
    if (extraction.lostJobs >= triesMax) {
      await extractions.giveUp(scope, extraction)
      return
    }
    await transaction(scope, async (tx) => {
      await lockVersion(tx, extraction)
      if ((await findExtraction(tx, extractionId)) === null) return
      const requeued = { extractionId: newId(clock.now()), lostJobs: extraction.lostJobs + 1 }
      await requeueVersion(tx, extraction, requeued)
      await records.enqueue(tx, requeued.extractionId)
    })
  }
}
