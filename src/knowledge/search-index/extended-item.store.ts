import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { digest, type IndexedItem } from './indexed-item.store.ts'

/** An indexed transcript that can be extended. */
export type ExtendableItem = Pick<IndexedItem, 'id' | 'language' | 'version'> & { lastChange: number }

/** Null where there is none with this title. */
export function findExtendable(
  scope: TenantScope,
  { id, orgId, title }: { id: string; orgId: string; title: string },
): Promise<ExtendableItem | null> {
  return maybeOne(
    scope,
    sql<ExtendableItem>`select id, language, version, last_change::float8 as "lastChange" from indexed_items
      where tenant_id = ${scope.tenantId} and item_id = ${id} and org_id = ${orgId} and is_live
        and last_change is not null and title_digest = ${digest(title)}`,
  )
}

/** A chunk and where its first entry begins. */
export type ChunkStart = { ordinal: number; seq: number; start: number }

/** The last chunk that ends before an entry. Null: the entry is in the first one. */
export function findLastChunkBefore(
  scope: TenantScope,
  { indexedId, seq }: { indexedId: string; seq: number },
): Promise<ChunkStart | null> {
  return maybeOne(
    scope,
    sql<ChunkStart>`select ordinal, entry_seqs[1]::float8 as seq, entry_starts[1] as start from indexed_chunks
      where tenant_id = ${scope.tenantId} and indexed_id = ${indexedId} and entry_seqs[cardinality(entry_seqs)] < ${seq}
      order by ordinal desc limit 1`,
  )
}

type Rest = { id: string; fromOrdinal: number }

const isRest = ({ tenantId }: TenantScope, { id, fromOrdinal }: Rest) =>
  sql`tenant_id = ${tenantId} and indexed_id = ${id} and ordinal >= ${fromOrdinal}`

/** The terms of an item's last chunks, each with the number of those that have it. */
export function countTermsOfRest(
  tx: TenantScope,
  rest: Rest,
  prefixLength: number,
): Promise<{ term: string; count: number }[]> {
  return many(
    tx,
    sql<{ term: string; count: number }>`select substr(lexeme, ${prefixLength + 1}) as term, count(*)::int as count
      from indexed_chunks cross join unnest(terms) where ${isRest(tx, rest)} group by lexeme`,
  )
}

/** Returns how many words each of them had. */
export async function deleteRest(tx: TenantScope, rest: Rest): Promise<number[]> {
  const deleted = sql<{
    words: number
  }>`delete from indexed_chunks where ${isRest(tx, rest)} returning word_count as words`
  return (await many(tx, deleted)).map(({ words }) => words)
}

/** Some of its chunks may have no vectors now. */
export async function completeExtension(
  tx: TenantScope,
  item: Pick<IndexedItem, 'id' | 'version' | 'chunkCount' | 'wordCount' | 'terms' | 'lastChange'>,
): Promise<void> {
  await run(
    tx,
    sql`update indexed_items set version = ${item.version}, chunk_count = ${item.chunkCount}, word_count = ${item.wordCount},
        terms = ${item.terms}, last_change = ${item.lastChange}, vector_model = null
      where tenant_id = ${tx.tenantId} and id = ${item.id}`,
  )
}
