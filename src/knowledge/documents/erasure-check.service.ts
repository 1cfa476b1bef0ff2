import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { forgetErased, listErased } from './document-erasure.store.ts'
import { countPages, findIdsIn, listSearchedTables, type SearchedTable } from './erasure-check.store.ts'
import type { ExtractionMetrics } from './extraction.metrics.ts'

export type ErasureCheckDeps = { clock: Clock; log: Log; metrics: Pick<ExtractionMetrics, 'leftovers'> }

/** What may name an erased document: it says that it was erased, and nothing of its content. */
const mayNameErased = [
  'audit_log',
  'erased_documents',
  // The request that made it: its answer is erased, and a repeat is refused. The row expires after a day.
  'idempotency_keys',
  // The events that told of it, `org.document.deleted` among them.
  'webhook_messages',
]

const batchIds = 1000
/** 512 KB of short rows. Long texts lie beside the pages, so where there are some, fewer pages take as long. */
const batchPagesMax = 64
/** A longer statement would keep the embedded database, and with it everybody, waiting. */
const statementMsMax = 20

export type Leftover = { table: string; id: string }

/** Searches every table for the ids of what was erased, and finds none if erasing works. */
export function erasureCheck({ clock, log, metrics }: ErasureCheckDeps) {
  return async (platform: PlatformScope, signal: AbortSignal): Promise<Leftover[]> => {
    const before = clock.now()
    const tables = await listSearchedTables(platform, mayNameErased)
    const all: Leftover[] = []
    for (;;) {
      const ids = (await listErased(platform, { before, limit: batchIds })).map(({ id }) => id)
      if (ids.length === 0) return all
      for (const table of tables) all.push(...(await leftoversIn(platform, { table, ids }, signal)))
      await forgetErased(platform, ids)
    }
  }

  async function leftoversIn(
    platform: PlatformScope,
    { table, ids }: { table: SearchedTable; ids: string[] },
    signal: AbortSignal,
  ): Promise<Leftover[]> {
    const found = new Set<string>()
    const pages = await countPages(platform, table)
    let batchPages = 1
    for (let from = 0; from < pages; ) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      for (const id of await findIdsIn(platform, table, { ids, from, to: from + batchPages })) found.add(id)
      from += batchPages
      const isQuick = performance.now() - startedAt < statementMsMax
      batchPages = isQuick ? Math.min(batchPagesMax, batchPages * 2) : Math.max(1, batchPages >> 1)
      await new Promise(setImmediate)
    }
    for (const id of found) {
      metrics.leftovers.add()
      log.error({ table: table.name, id }, 'an erased document has left something behind')
    }
    return [...found].map((id) => ({ table: table.name, id }))
  }
}
