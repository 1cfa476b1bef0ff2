import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
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
  /** Of a transcript that can be extended: the number of the last write that is indexed. */
  lastChange: number | null
}

export type IndexedChunk = {
  ordinal: number
  /** See `tsVectorText`. */
  vector: string
  wordCount: number
  /** Of a transcript. */
  entries: { seq: number; start: number; end: number }[] | null
}

/** Where the documents and meetings are. */
const itemTables = { document: sql.raw('documents'), meeting: sql.raw('meetings') }

/** As `title_digest`. */
export const digest = (text: string | Sql) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/**
 * An item that nothing finds yet. Returns whether its document or meeting is there: held while the row is written, so that
 * the transaction that deletes it sees the row.
 */
export async function insertStagedItem(
  scope: TenantScope,
  item: IndexedItem & { title: string },
  now: Date,
): Promise<boolean> {
  const inserted = await run(
    scope,
    sql`insert into indexed_items (tenant_id, id, org_id, source_id, item_id, kind, version, language, chunk_count, word_count, terms,
        title_digest, last_change, is_live, created_at)
      select tenant_id, ${item.id}, org_id, ${item.sourceId}, id, ${item.kind}, ${item.version}, ${item.language},
        ${item.chunkCount}, ${item.wordCount}, ${item.terms}, ${digest(item.title)}, ${item.lastChange}, false, ${now}
      from ${itemTables[item.kind]} where tenant_id = ${scope.tenantId} and id = ${item.itemId} and org_id = ${item.orgId}
      for key share`,
  )
  return inserted > 0
}

/** Returns whether the item is still there. */
export async function completeStaged(
  scope: TenantScope,
  { id, chunkCount, wordCount, terms }: Pick<IndexedItem, 'id' | 'chunkCount' | 'wordCount' | 'terms'>,
): Promise<boolean> {
  const updated = await run(
    scope,
    sql`update indexed_items set chunk_count = ${chunkCount}, word_count = ${wordCount}, terms = ${terms}
      where tenant_id = ${scope.tenantId} and id = ${id} and not is_live`,
  )
  return updated > 0
}

/** Returns whether the item is still there. */
export async function insertChunks(
  scope: TenantScope,
  { id, orgId }: { id: string; orgId: string },
  chunks: readonly IndexedChunk[],
): Promise<boolean> {
  const values = chunks.map(
    ({ ordinal, vector, wordCount, entries }) =>
      sql`(${ordinal}::integer, ${vector}::tsvector, ${wordCount}::integer,
        ${entries?.map(({ seq }) => seq) ?? null}::bigint[], ${entries?.map(({ start }) => start) ?? null}::integer[],
        ${entries?.map(({ end }) => end) ?? null}::integer[])`,
  )
  const inserted = await run(
    scope,
    sql`with item as (select from indexed_items where tenant_id = ${scope.tenantId} and id = ${id} for key share)
      insert into indexed_chunks (tenant_id, indexed_id, org_id, ordinal, terms, word_count, entry_seqs, entry_starts, entry_ends)
      select ${scope.tenantId}::uuid, ${id}::uuid, ${orgId}::uuid, chunk.*
      from item cross join (values ${sql.join(values, sql`, `)}) as chunk`,
  )
  return inserted > 0
}

const itemColumns = sql`id, org_id as "orgId", source_id as "sourceId", item_id as "itemId", kind, version, language,
  chunk_count as "chunkCount", word_count::float8 as "wordCount", terms, last_change::float8 as "lastChange"`

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

export type ItemVersion = { tenantId: string; itemId: string; version: number; title: string }

/** Of all tenants: those of the items of which exactly this version is found, under this title. */
export function listFound(platform: PlatformScope, items: readonly ItemVersion[]): Promise<{ itemId: string }[]> {
  return many(
    platform,
    sql<{ itemId: string }>`select i.item_id as "itemId"
      from unnest(${items.map(({ tenantId }) => tenantId)}::uuid[], ${items.map(({ itemId }) => itemId)}::uuid[],
          ${items.map(({ version }) => version)}::integer[], ${items.map(({ title }) => title)}::text[])
          as wanted(tenant_id, item_id, version, title)
        join indexed_items i on i.tenant_id = wanted.tenant_id and i.item_id = wanted.item_id and i.version = wanted.version
      where i.is_live and i.title_digest = ${digest(sql`wanted.title`)}`,
  )
}

/** With their chunks. */
export async function deleteItems(tx: TenantScope, ids: readonly string[]): Promise<void> {
  await run(tx, sql`delete from indexed_items where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`)
}

/** One staged item, unless it was published. */
export async function deleteUnpublished(scope: TenantScope, id: string): Promise<void> {
  await run(scope, sql`delete from indexed_items where tenant_id = ${scope.tenantId} and id = ${id} and not is_live`)
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
