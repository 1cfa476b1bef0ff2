import { Readable } from 'node:stream'
import type { PlatformScope } from '../../storage/scope.ts'
import { type AuditFilter, hasMoreAuditEntries, listAuditEntriesAfter } from './audit.store.ts'
import { csvHeader, csvRow } from './audit-csv.rules.ts'

const pageMax = 1000

/** Entries in one export; what is older is asked for with `to`. */
export const exportEntriesMax = 100_000

/** The newest entries that the filter finds, as CSV: one page of them is in memory at a time. */
export async function exportAudit(
  platform: PlatformScope,
  filter: AuditFilter,
  entriesMax = exportEntriesMax,
): Promise<{ csv: Readable; isComplete: boolean }> {
  const isComplete = !(await hasMoreAuditEntries(platform, filter, entriesMax))
  return { csv: Readable.from(csvPages(platform, filter, entriesMax)), isComplete }
}

async function* csvPages(platform: PlatformScope, filter: AuditFilter, entriesMax: number): AsyncGenerator<string> {
  yield csvHeader
  let left = entriesMax
  let after: { at: Date; id: string } | null = null
  while (left > 0) {
    const limit = Math.min(pageMax, left)
    const entries = await listAuditEntriesAfter(platform, filter, { after, limit })
    if (entries.length > 0) yield entries.map(csvRow).join('')
    if (entries.length < limit) return
    after = entries.at(-1) ?? null
    left -= entries.length
  }
}
