import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { StoredVector } from './vector.rules.ts'

/** A chunk to make a vector of. A document's has its text, and a transcript's the parts of entries that it consists of. */
export type ChunkToEmbed = { ordinal: number; itemId: string } & (
  | { kind: 'document'; title: string; headings: string[]; text: string }
  | { kind: 'meeting'; seqs: number[]; starts: number[]; ends: number[] }
)

type ItemKey = { indexedId: string; model: string }

/** Those of an item after a place that have no vector of the model. None once the item can no longer be found. */
export function listChunksToEmbed(
  scope: TenantScope,
  { indexedId, model, after, limit }: ItemKey & { after: number; limit: number },
): Promise<ChunkToEmbed[]> {
  return many(
    scope,
    sql<ChunkToEmbed>`select c.ordinal, i.item_id as "itemId", i.kind, d.title, t.headings, t.text,
        c.entry_seqs::float8[] as seqs, c.entry_starts as starts, c.entry_ends as ends
      from indexed_items i join indexed_chunks c on c.tenant_id = i.tenant_id and c.indexed_id = i.id
        left join documents d on i.kind = 'document' and d.tenant_id = i.tenant_id and d.id = i.item_id
        left join document_chunks t on t.tenant_id = d.tenant_id and t.document_id = d.id and t.version = i.version
          and t.ordinal = c.ordinal
      where i.tenant_id = ${scope.tenantId} and i.id = ${indexedId} and i.is_live and c.ordinal > ${after}
        and (i.kind = 'meeting' or t.text is not null)
        and not exists (select from indexed_vectors v where v.tenant_id = c.tenant_id and v.indexed_id = c.indexed_id
          and v.ordinal = c.ordinal and v.model = ${model})
      order by c.ordinal limit ${limit}`,
  )
}

/** One for each place. Whose chunk is gone is left out. */
export async function saveVectors(
  scope: TenantScope,
  { indexedId, model }: ItemKey,
  vectors: readonly (StoredVector & { ordinal: number })[],
): Promise<void> {
  const values = vectors.map(
    ({ ordinal, signs, bytes }) => sql`(${ordinal}::integer, ${signs}::varbit, ${bytes}::bytea)`,
  )
  await run(
    scope,
    sql`with made (ordinal, signs, vector) as (values ${sql.join(values, sql`, `)}),
        kept as (select c.ordinal from indexed_chunks c
          where c.tenant_id = ${scope.tenantId} and c.indexed_id = ${indexedId} and c.ordinal in (select ordinal from made) for key share)
      insert into indexed_vectors (tenant_id, indexed_id, ordinal, model, signs, vector)
      select ${scope.tenantId}::uuid, ${indexedId}::uuid, made.ordinal, ${model}, made.signs, made.vector
      from made join kept on kept.ordinal = made.ordinal
      on conflict (tenant_id, indexed_id, ordinal) do update set model = excluded.model, signs = excluded.signs, vector = excluded.vector`,
  )
}

/** All chunks of the item have vectors of the model. */
export async function markEmbedded(scope: TenantScope, { indexedId, model }: ItemKey): Promise<void> {
  await run(
    scope,
    sql`update indexed_items set vector_model = ${model} where tenant_id = ${scope.tenantId} and id = ${indexedId}`,
  )
}

export type EmbeddableItem = { tenantId: string; id: string; isEmbedded: boolean }

/** What is found of all tenants, and whether all of it has vectors of the model: the first ones after a key. */
export function listEmbeddable(
  platform: PlatformScope,
  { model, after, limit }: { model: string; after: { tenantId: string; id: string } | null; limit: number },
): Promise<EmbeddableItem[]> {
  const isAfter = after === null ? sql`true` : sql`(tenant_id, id) > (${after.tenantId}, ${after.id})`
  return many(
    platform,
    sql<EmbeddableItem>`select tenant_id as "tenantId", id, vector_model is not distinct from ${model} as "isEmbedded"
      from indexed_items where ${isAfter} and is_live order by tenant_id, id limit ${limit}`,
  )
}
