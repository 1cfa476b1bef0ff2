import { run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { IndexedItem } from './indexed-item.store.ts'
import { readTermCounts } from './term-counts.rules.ts'

/** The terms of one statement: it must not block the embedded database for long. */
const batchTerms = 500

type Counted = Pick<IndexedItem, 'orgId' | 'sourceId' | 'kind' | 'language' | 'chunkCount' | 'wordCount' | 'terms'>

/** Adds an item to the counts of its source. Locks them in one order; so must whoever changes the same source. */
export async function addCounts(tx: TenantScope, item: Counted): Promise<void> {
  const { orgId, sourceId } = item
  await run(
    tx,
    sql`insert into indexed_sources as s (tenant_id, org_id, source_id, language, kind, chunk_count, word_count)
      values (${tx.tenantId}, ${orgId}, ${sourceId}, ${item.language}, ${item.kind}, ${item.chunkCount}, ${item.wordCount})
      on conflict (tenant_id, org_id, source_id, language) do update
        set chunk_count = s.chunk_count + excluded.chunk_count, word_count = s.word_count + excluded.word_count`,
  )
  for (const { terms, counts } of batches(item.terms))
    await run(
      tx,
      sql`insert into indexed_terms as t (tenant_id, org_id, term, source_id, chunk_count)
        select ${tx.tenantId}, ${orgId}, added.term, ${sourceId}, added.count
        from unnest(${terms}::text[], ${counts}::integer[]) as added(term, count)
        on conflict (tenant_id, org_id, term, source_id) do update set chunk_count = t.chunk_count + excluded.chunk_count`,
    )
}

/** Takes an item out of the counts of its source. What nothing has any more is deleted. */
export async function removeCounts(tx: TenantScope, item: Counted): Promise<void> {
  const { orgId, sourceId } = item
  const source = sql`tenant_id = ${tx.tenantId} and org_id = ${orgId} and source_id = ${sourceId}`
  await run(
    tx,
    sql`update indexed_sources set chunk_count = chunk_count - ${item.chunkCount}, word_count = word_count - ${item.wordCount}
      where ${source} and language = ${item.language}`,
  )
  await run(tx, sql`delete from indexed_sources where ${source} and chunk_count <= 0`)
  for (const { terms, counts } of batches(item.terms)) {
    await run(
      tx,
      sql`update indexed_terms t set chunk_count = t.chunk_count - removed.count
        from unnest(${terms}::text[], ${counts}::integer[]) as removed(term, count)
        where ${source} and t.term = removed.term`,
    )
    await run(tx, sql`delete from indexed_terms where ${source} and term = any (${terms}::text[]) and chunk_count <= 0`)
  }
}

function* batches(text: string): Generator<{ terms: string[]; counts: number[] }> {
  const all = [...readTermCounts(text)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let from = 0; from < all.length; from += batchTerms) {
    const batch = all.slice(from, from + batchTerms)
    yield { terms: batch.map(([term]) => term), counts: batch.map(([, count]) => count) }
  }
}
