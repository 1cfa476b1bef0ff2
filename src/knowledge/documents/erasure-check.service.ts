import type { Log } from '../../http/server-deps.ts'
import { type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { forgetErased, listErased } from './document-erasure.store.ts'
import { countPages, findIdsIn, listSearchedTables, type SearchedTable } from './erasure-check.store.ts'
import type { ExtractionMetrics } from './extraction.metrics.ts'

export type ErasureCheckDeps = {
  clock: Clock
  log: Log
  jobs: Jobs
  metrics: Pick<ExtractionMetrics, 'leftovers'>
  /** After so long the rest is left to the next job. */
  jobMsMax?: number
}

const batchIds = 1000
/** 512 KB of short rows. Long texts lie beside the pages, so where there are some, fewer pages take as long. */
const batchPagesMax = 64
/** A longer statement would keep the embedded database, and with it everybody, waiting. */
const statementMsMax = 20

/** Younger erasures are left to the next night: their transactions may commit while a search is past the first tables. */
const transactionMsMax = 10 * 60_000

export type Leftover = { table: string; id: string }

/** Where a search goes on: at this page of this table. `before`: of the erasures, a time. */
export type Position = { before: string; table: string; page: number }

/** `found` gets what is found. `endsAt`: by `performance.now()`. */
type Part = { ids: string[]; found: Set<string>; page: number; endsAt: number }

/** Part of the search. The next part is enqueued at the end of each, so that however long it takes, no table is left out. */
const searching: JobKind<Position> = {
  name: 'knowledge.erasures.search',
  attemptsMax: 8,
  backoffSeconds: 60,
  timeoutSeconds: 300,
  concurrency: { node: 1, tenant: 1 },
}

/** Searches every table for the ids of what was erased, and finds none if erasing works. */
export function erasureCheck({ clock, log, jobs, metrics, jobMsMax = 120_000 }: ErasureCheckDeps) {
  /** Searches what was erased, from the first table on. */
  function begin(platform: PlatformScope): Promise<void> {
    const before = new Date(clock.now().getTime() - transactionMsMax).toISOString()
    return jobs.enqueue(platform, searching, { data: { before, table: '', page: 0 } })
  }

  /** Returns what it found, and where to go on. Null: everything was searched. */
  async function search(
    platform: PlatformScope,
    from: Position,
    signal: AbortSignal,
  ): Promise<{ leftovers: Leftover[]; next: Position | null }> {
    const endsAt = performance.now() + jobMsMax
    const before = new Date(from.before)
    const tables = (await listSearchedTables(platform)).map((table) => ({
      table,
      key: `${table.schema}.${table.name}`,
    }))
    tables.sort((one, other) => (one.key < other.key ? -1 : 1))
    const leftovers: Leftover[] = []
    for (let { table: first, page } = from; ; first = '', page = 0) {
      const ids = (await listErased(platform, { before, limit: batchIds })).map(({ id }) => id)
      if (ids.length === 0) return { leftovers, next: null }
      for (const { table, key } of tables.filter(({ key }) => key >= first)) {
        const found = new Set<string>()
        const part = { ids, found, endsAt, page: key === first ? page : 0 }
        const end = await searchTable(platform, table, part, signal)
        leftovers.push(...report(table, found))
        if (end !== null) return { leftovers, next: { before: from.before, table: key, page: end } }
      }
      await forgetErased(platform, ids)
    }
  }

  /** Returns the page to go on from when the time is over, or null at the end of the table. Always searches some pages. */
  async function searchTable(
    platform: PlatformScope,
    table: SearchedTable,
    { ids, found, page, endsAt }: Part,
    signal: AbortSignal,
  ): Promise<number | null> {
    const pages = await countPages(platform, table)
    let batchPages = 1
    for (let from = page; from < pages; ) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      for (const id of await findIdsIn(platform, table, { ids, from, to: from + batchPages })) found.add(id)
      from += batchPages
      if (performance.now() > endsAt && from < pages) return from
      const isQuick = performance.now() - startedAt < statementMsMax
      batchPages = isQuick ? Math.min(batchPagesMax, batchPages * 2) : Math.max(1, batchPages >> 1)
      await new Promise(setImmediate)
    }
    return null
  }

  function report({ name }: SearchedTable, found: ReadonlySet<string>): Leftover[] {
    for (const id of found) {
      metrics.leftovers.add()
      log.error({ table: name, id }, 'an erased document has left something behind')
    }
    return [...found].map((id) => ({ table: name, id }))
  }

  const handler: JobHandler = jobHandler(searching, async ({ scope, data, signal }) => {
    if (scope.kind !== 'platform') throw new Error('The search is work of the platform.')
    const { next } = await search(scope, data, signal)
    if (next !== null) await jobs.enqueue(scope, searching, { data: next })
  })

  return { begin, search, handler }
}
