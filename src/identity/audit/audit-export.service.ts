import { Readable } from 'node:stream'
import type { PlatformScope } from '../../storage/scope.ts'
import { type AuditFilter, hasMoreAuditEntries, listAuditEntriesAfter } from './audit.store.ts'
import { csvHeader, csvRow } from './audit-csv.rules.ts'

const pageMax = 1000

/** Entries per export. Use `to` to export older ones. */
export const exportEntriesMax = 100_000

/** The newest entries that match the filter, as CSV. Only one page is in memory at a time. */
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
  let remaining = entriesMax
  let after: { at: Date; id: string } | null = null
  while (remaining > 0) {
    const limit = Math.min(pageMax, remaining)
    const entries = await listAuditEntriesAfter(platform, filter, { after, limit })
    if (entries.length > 0) yield entries.map(csvRow).join('')
    if (entries.length < limit) return
    after = entries.at(-1) ?? null
    remaining -= entries.length
  }
}
