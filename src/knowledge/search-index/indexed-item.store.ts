import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type ItemKind = 'document' | 'meeting'

export type IndexedItem = {
  id: string
  orgId: string
  sourceId: string
  itemId: string
  kind: ItemKind
  version: number
  language: string
  chunkCount: number
  wordCount: number
  /** See `termCountsText`. */
  terms: string
}

export type IndexedChunk = {
  ordinal: number
  /** See `tsVectorText`. */
  vector: string
  wordCount: number
  /** Of a transcript. */
  entries: { seq: number; start: number; end: number }[] | null
}

/** An item that nothing finds yet. */
export async function insertStagedItem(scope: TenantScope, item: IndexedItem, now: Date): Promise<void> {
  await run(
    scope,
    sql`insert into indexed_items (tenant_id, id, org_id, source_id, item_id, kind, version, language, chunk_count, word_count, terms,
        is_live, created_at)
      values (${scope.tenantId}, ${item.id}, ${item.orgId}, ${item.sourceId}, ${item.itemId}, ${item.kind}, ${item.version},
        ${item.language}, ${item.chunkCount}, ${item.wordCount}, ${item.terms}, false, ${now})`,
  )
}

export async function insertChunks(
  scope: TenantScope,
  { id, orgId }: { id: string; orgId: string },
  chunks: readonly IndexedChunk[],
): Promise<void> {
  const values = chunks.map(
    ({ ordinal, vector, wordCount, entries }) =>
      sql`(${scope.tenantId}::uuid, ${id}::uuid, ${ordinal}::integer, ${orgId}::uuid, ${vector}::tsvector, ${wordCount}::integer,
        ${entries?.map(({ seq }) => seq) ?? null}::bigint[], ${entries?.map(({ start }) => start) ?? null}::integer[],
        ${entries?.map(({ end }) => end) ?? null}::integer[])`,
  )
  await run(
    scope,
    sql`insert into indexed_chunks (tenant_id, indexed_id, ordinal, org_id, terms, word_count, entry_seqs, entry_starts, entry_ends)
      values ${sql.join(values, sql`, `)}`,
  )
}

const itemColumns = sql`id, org_id as "orgId", source_id as "sourceId", item_id as "itemId", kind, version, language,
  chunk_count as "chunkCount", word_count::float8 as "wordCount", terms`

/** Locked until the transaction ends. Null: it was deleted. */
export function lockItem(tx: TenantScope, id: string): Promise<IndexedItem | null> {
  return maybeOne(
    tx,
    sql<IndexedItem>`select ${itemColumns} from indexed_items where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

/** What is found of these documents and meetings, locked in one order. */
export function lockLiveItems(tx: TenantScope, itemIds: readonly string[]): Promise<IndexedItem[]> {
  return many(
    tx,
    sql<IndexedItem>`select ${itemColumns} from indexed_items
      where tenant_id = ${tx.tenantId} and item_id = any (${itemIds}::uuid[]) and is_live order by id for update`,
  )
}

export async function makeLive(tx: TenantScope, { id, sourceId }: { id: string; sourceId: string }): Promise<void> {
  await run(
    tx,
    sql`update indexed_items set is_live = true, source_id = ${sourceId} where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** With their chunks. */
export async function deleteItems(tx: TenantScope, ids: readonly string[]): Promise<void> {
  await run(tx, sql`delete from indexed_items where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`)
}

/** What was staged of these documents and meetings, and is not found yet. */
export async function deleteStaged(tx: TenantScope, itemIds: readonly string[]): Promise<void> {
  await run(
    tx,
    sql`delete from indexed_items
      where tenant_id = ${tx.tenantId} and item_id = any (${itemIds}::uuid[]) and not is_live`,
  )
}

/** Of all tenants, at most `limit`. Returns how many were deleted. */
export function deleteStagedBefore(platform: PlatformScope, before: Date, limit: number): Promise<number> {
  return run(
    platform,
    sql`delete from indexed_items where (tenant_id, id) in (
      select tenant_id, id from indexed_items where not is_live and created_at < ${before} order by created_at limit ${limit})`,
  )
}

/** Everything of an organization. */
export async function deleteIndexOfOrganization(tx: TenantScope, orgId: string): Promise<void> {
  const ofOrganization = sql`where tenant_id = ${tx.tenantId} and org_id = ${orgId}`
  await run(tx, sql`delete from indexed_items ${ofOrganization}`)
  await run(tx, sql`delete from indexed_sources ${ofOrganization}`)
  await run(tx, sql`delete from indexed_terms ${ofOrganization}`)
}
