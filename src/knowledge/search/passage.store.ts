import { many, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type ChunkKey = { indexedId: string; ordinal: number }
export type IndexedPart = ChunkKey & { seqs: number[]; starts: number[]; ends: number[] }

/** The keys as rows `wanted`, for a "from". */
export function wantedKeys(keys: readonly ChunkKey[]): Sql {
  return sql`unnest(${keys.map(({ indexedId }) => indexedId)}::uuid[], ${keys.map(({ ordinal }) => ordinal)}::integer[])
    as wanted(id, ordinal)`
}

/** The chunks `c` with these keys, for a "from". */
export function keyedChunks(scope: TenantScope, keys: readonly ChunkKey[]): Sql {
  return sql`${wantedKeys(keys)}
    join indexed_chunks c on c.tenant_id = ${scope.tenantId} and c.indexed_id = wanted.id and c.ordinal = wanted.ordinal`
}

/** Which entries, and which parts of them, belong to chunks of transcripts. */
export function listChunkEntries(scope: TenantScope, keys: readonly ChunkKey[]): Promise<IndexedPart[]> {
  return many(
    scope,
    sql<IndexedPart>`select c.indexed_id as "indexedId", c.ordinal, c.entry_seqs::float8[] as seqs, c.entry_starts as starts,
        c.entry_ends as ends
      from ${keyedChunks(scope, keys)}`,
  )
}

/** Keeps these documents from being deleted until the transaction ends. */
export async function holdDocuments(tx: TenantScope, ids: readonly string[]): Promise<void> {
  await run(
    tx,
    sql`select from documents where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[]) order by id for key share`,
  )
}

export type DocumentChunkKey = { documentId: string; version: number; ordinal: number }

export type StoredChunk = DocumentChunkKey & {
  title: string
  text: string
  start: number
  page: number | null
  headings: string[]
  isCurrent: boolean
}

/**
 * Those of the chunks that exist and whose collection is one of `collections`. `isCurrent`: no later version has replaced
 * theirs. `tag`: only of documents that have it.
 */
export function listDocumentChunks(
  scope: TenantScope,
  { orgId, collections, tag }: { orgId: string; collections: Sql; tag: string | null },
  keys: readonly DocumentChunkKey[],
): Promise<StoredChunk[]> {
  return many(
    scope,
    sql<StoredChunk>`with readable as materialized (${collections})
      select d.id as "documentId", c.version, c.ordinal, d.title, c.text, c.start_at as "start", c.page, c.headings,
        c.version = d.version as "isCurrent"
      from unnest(${keys.map(({ documentId }) => documentId)}::uuid[], ${keys.map(({ version }) => version)}::integer[],
          ${keys.map(({ ordinal }) => ordinal)}::integer[]) as wanted(id, version, ordinal)
        join documents d on d.tenant_id = ${scope.tenantId} and d.id = wanted.id and d.org_id = ${orgId}
        join document_chunks c on c.tenant_id = d.tenant_id and c.document_id = d.id and c.version = wanted.version
          and c.ordinal = wanted.ordinal
      where d.collection_id in (select id from readable) and (${tag}::text is null or ${tag} = any (d.tags))`,
  )
}
