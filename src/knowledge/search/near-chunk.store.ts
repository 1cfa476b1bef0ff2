import { many, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Candidate } from './candidate.store.ts'
import { type ChunkKey, wantedKeys } from './passage.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

export type NearChunk = Omit<Candidate, 'vector'>

type Near = {
  model: string
  /** A digit for each number, 1 if it is positive. */
  signs: string
  limit: number
  hasPgvector: boolean
}

/** Whether the extension pgvector is there, 0.7 or newer: the first that compares bits. */
export async function findPgvector(scope: TenantScope): Promise<boolean> {
  const { isThere } = await one(
    scope,
    sql<{ isThere: boolean }>`select to_regoperator('<~>(bit,bit)') is not null as "isThere"`,
  )
  return isThere
}

/**
 * Of all chunks that the reader may read, those whose vectors differ from this one in the fewest signs: some ten milliseconds for
 * 20,000 of them. All are compared, also with pgvector. What an index of it finds depends on vectors that the reader may not read.
 */
export function listNearChunks(
  visible: Visibility,
  { scope, asking }: { scope: TenantScope; asking: Asking },
  { model, signs, limit, hasPgvector }: Near,
): Promise<NearChunk[]> {
  const differing = hasPgvector ? sql`v.signs <~> ${signs}::varbit` : sql`bit_count(v.signs # ${signs}::varbit)`
  return many(
    scope,
    sql<NearChunk>`with ${visible.items(scope, asking)},
      near as materialized (
        select v.indexed_id, v.ordinal,
          case when length(v.signs) = ${signs.length}::integer then ${differing} end as distance
        from visible_items w join indexed_vectors v on v.tenant_id = ${scope.tenantId} and v.indexed_id = w.id
        where v.model = ${model} order by distance nulls last, v.indexed_id desc, v.ordinal limit ${limit})
      select w.id as "indexedId", w.item_id as "itemId", w.kind, w.version, w.language, n.ordinal, c.word_count as "wordCount"
      from near n join visible_items w on w.id = n.indexed_id join indexed_chunks c
        on c.tenant_id = ${scope.tenantId} and c.indexed_id = n.indexed_id and c.ordinal = n.ordinal
      where n.distance is not null order by n.distance, w.item_id desc, n.ordinal`,
  )
}

/** The vectors of these chunks, as signed bytes. Those without one of the model are missing. */
export function listVectors(
  scope: TenantScope,
  model: string,
  keys: readonly ChunkKey[],
): Promise<(ChunkKey & { vector: Buffer })[]> {
  return many(
    scope,
    sql<ChunkKey & { vector: Buffer }>`select v.indexed_id as "indexedId", v.ordinal, v.vector
      from ${wantedKeys(keys)}
        join indexed_vectors v on v.tenant_id = ${scope.tenantId} and v.indexed_id = wanted.id and v.ordinal = wanted.ordinal
      where v.model = ${model}`,
  )
}
