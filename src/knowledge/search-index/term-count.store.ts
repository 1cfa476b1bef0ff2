import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { many, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { IndexedItem } from './indexed-item.store.ts'
import { termBatches } from './term-counts.rules.ts'

/** The terms of one statement: it must not block the embedded database for long. */
const batchTerms = 500

type Counted = Pick<IndexedItem, 'orgId' | 'sourceId' | 'kind' | 'language' | 'chunkCount' | 'wordCount' | 'terms'>

/** Adds an item to the counts of its source. Locks them in one order; so must every other change of the same source. */
export async function addCounts(tx: TenantScope, item: Counted): Promise<void> {
  const { orgId, sourceId } = item
  await run(
    tx,
    sql`insert into indexed_sources as s (tenant_id, org_id, source_id, language, kind, chunk_count, word_count)
      values (${tx.tenantId}, ${orgId}, ${sourceId}, ${item.language}, ${item.kind}, ${item.chunkCount}, ${item.wordCount})
      on conflict (tenant_id, org_id, source_id, language) do update
        set chunk_count = s.chunk_count + excluded.chunk_count, word_count = s.word_count + excluded.word_count`,
  )
  const pause = yieldPeriodically()
  for (const batch of termBatches(item.terms, batchTerms)) {
    await run(tx, addTerms(tx, item, batch))
    await pause()
  }
}

/** Takes an item out of the counts of its source. Terms without any item are deleted. */
export async function removeCounts(tx: TenantScope, item: Counted): Promise<void> {
  const { orgId, sourceId } = item
  const source = sql`tenant_id = ${tx.tenantId} and org_id = ${orgId} and source_id = ${sourceId}`
  if (item.kind === 'meeting') {
    // The source is this meeting and nothing else.
    await run(tx, sql`delete from indexed_sources where ${source}`)
    await run(tx, sql`delete from indexed_terms where ${source}`)
    return
  }
  await run(
    tx,
    sql`update indexed_sources set chunk_count = chunk_count - ${item.chunkCount}, word_count = word_count - ${item.wordCount}
      where ${source} and language = ${item.language}`,
  )
  await run(tx, sql`delete from indexed_sources where ${source} and chunk_count <= 0`)
  const pause = yieldPeriodically()
  for (const { terms, counts } of termBatches(item.terms, batchTerms)) {
    await takeTerms(tx, item, new Map(terms.map((term, index) => [term, -(counts[index] ?? 0)])))
    await pause()
  }
}

/** What is added to an item, or taken out of it. Terms in the order in which they are locked. */
export type CountChange = {
  chunks: number
  words: number
  terms: ReadonlyMap<string, number>
}

/** Changes the counts of a source by what has changed in one of its items. */
export async function changeCounts(
  tx: TenantScope,
  item: Counted,
  { chunks, words, terms }: CountChange,
): Promise<void> {
  await run(
    tx,
    sql`update indexed_sources set chunk_count = chunk_count + ${chunks}, word_count = word_count + ${words}
      where tenant_id = ${tx.tenantId} and org_id = ${item.orgId} and source_id = ${item.sourceId} and language = ${item.language}`,
  )
  const changed = [...terms].filter(([, count]) => count !== 0)
  for (let from = 0; from < changed.length; from += batchTerms)
    await takeTerms(tx, item, new Map(changed.slice(from, from + batchTerms)))
}

/** Adds to the counts of terms, and deletes those that nothing has any more. */
async function takeTerms(tx: TenantScope, item: Counted, counts: ReadonlyMap<string, number>): Promise<void> {
  const added = { terms: [...counts.keys()], counts: [...counts.values()] }
  const changed = await many(
    tx,
    sql<{ place: string; count: number }>`${addTerms(tx, item, added)}
      returning t.ctid::text as place, t.chunk_count as count`,
  )
  const unused = changed.filter(({ count }) => count <= 0).map(({ place }) => place)
  // They are locked, so their places stay.
  if (unused.length > 0) await run(tx, sql`delete from indexed_terms where ctid = any (${unused}::tid[])`)
}

/**
 * Adds to the counts of terms, or takes from them. An upsert finds each row by the whole primary key, where an update that
 * is joined with the terms would read the whole source for each batch.
 */
const addTerms = (
  tx: TenantScope,
  { orgId, sourceId }: Counted,
  { terms, counts }: { terms: string[]; counts: number[] },
): Sql => sql`insert into indexed_terms as t (tenant_id, org_id, term, source_id, chunk_count)
  select ${tx.tenantId}, ${orgId}, added.term, ${sourceId}, added.count
  from unnest(${terms}::text[], ${counts}::integer[]) as added(term, count)
  on conflict (tenant_id, org_id, term, source_id) do update set chunk_count = t.chunk_count + excluded.chunk_count`
