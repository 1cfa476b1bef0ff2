import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { many, maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type ChunkKey, keyedChunks } from './passage.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

/** How much there is to search, in one language. */
export type LanguageTotals = { language: Language; chunks: number; words: number }

/** Counts what the reader may read, and nothing else: what is hidden must not show in an order of results. */
export function readTotals(visible: Visibility, scope: TenantScope, asking: Asking): Promise<LanguageTotals[]> {
  return many(
    scope,
    sql<LanguageTotals>`with ${visible.sources(scope, asking)}
      select language, sum(chunk_count)::float8 as chunks, sum(word_count)::float8 as words from indexed_sources
      where tenant_id = ${scope.tenantId} and org_id = ${asking.orgId} and source_id in (select id from visible_sources)
      group by language order by chunks desc, language`,
  )
}

/** So many terms are looked up in some milliseconds. */
const countedAtOnce = 1000

/** In how many chunks that the reader may read each term occurs. Absent: in none. */
export async function countChunks(
  visible: Visibility,
  scope: TenantScope,
  asking: Asking,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const pause = yieldPeriodically()
  for (let from = 0; from < terms.length; from += countedAtOnce) {
    const some = await countSome(visible, { scope, asking }, terms.slice(from, from + countedAtOnce))
    for (const { term, chunks } of some) counts.set(term, chunks)
    await pause()
  }
  return counts
}

function countSome(
  visible: Visibility,
  { scope, asking }: { scope: TenantScope; asking: Asking },
  terms: readonly string[],
): Promise<{ term: string; chunks: number }[]> {
  return many(
    scope,
    sql<{ term: string; chunks: number }>`with ${visible.sources(scope, asking)}
      select wanted.term, found.chunks
      -- One after another, each by its key. As a join, or as a list, the planner may compare every row with every term: without
      -- statistics that took seconds. "is true" keeps the sources from becoming a join.
      from unnest(${terms}::text[]) as wanted(term) cross join lateral (
        select sum(t.chunk_count)::float8 as chunks from indexed_terms t
        where t.tenant_id = ${scope.tenantId} and t.org_id = ${asking.orgId} and t.term = wanted.term
          and (t.source_id in (select id from visible_sources)) is true) as found
      where found.chunks is not null`,
  )
}

export type Candidate = ChunkKey & {
  itemId: string
  kind: 'document' | 'meeting'
  version: number
  language: Language
  wordCount: number
  /** See `countPositions`. */
  vector: string
}

/** `query`: as a text of `tsquery`. `isRare`: so few chunks have it that they are found sooner by their words than one by one. */
export type FindingStep = { query: string; isRare: boolean }

/** As texts of `tsquery`. */
export type ItemConditions = {
  /** Each must be found somewhere in the same document or meeting. */
  required: readonly string[]
  /** None may be found anywhere in the same document or meeting. */
  excluded: readonly string[]
}

/** How many chunks a step finds at most. */
export const foundMax = 1500

export type FoundChunk = Omit<Candidate, 'wordCount' | 'vector'>

/**
 * Chunks that may be what is searched for, at most `foundMax`. Which of too many are found does not depend on what is hidden. They
 * are rated and read by other statements, because the embedded database holds the event loop for as long as one of them runs.
 */
export function findChunks(
  visible: Visibility,
  scope: TenantScope,
  asking: Asking,
  { query, isRare, required, excluded }: FindingStep & ItemConditions,
): Promise<FoundChunk[]> {
  const isInItem = (query: string) => sql`v.id in (select o.indexed_id from indexed_chunks o
    where o.tenant_id = ${scope.tenantId} and o.org_id = ${asking.orgId} and o.terms @@ ${query}::tsquery)`
  const conditions: Sql[] = [...required.map(isInItem), ...excluded.map((query) => sql`not ${isInItem(query)}`)]
  const holds = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  // Named one by one, one document or meeting is looked up by its key, however common the terms are.
  const { documentId, meetingId } = asking.filter
  const isWanted =
    documentId === undefined && meetingId === undefined
      ? sql`c.indexed_id in (select id from wanted)`
      : sql`c.indexed_id = any (array(select id from wanted))`
  // Without the terms themselves: so many are too wide to sort. A prepared statement is planned without the terms, and then chunks are
  // read one by one in their order until enough are found: good for common terms, and all chunks for rare ones. "offset 0"
  // keeps the order out of the plan, so that the index of terms is used.
  return many(
    scope,
    sql<FoundChunk>`with ${visible.items(scope, asking)},
      wanted as materialized (select v.* from visible_items v ${holds})
      select f.indexed_id as "indexedId", f.ordinal, w.item_id as "itemId", w.kind, w.version, w.language
      from (select c.indexed_id, c.ordinal from (
          select indexed_id, ordinal from indexed_chunks
          where tenant_id = ${scope.tenantId} and org_id = ${asking.orgId} and terms @@ ${query}::tsquery
          ${isRare ? sql`offset 0` : sql``}) c
        where ${isWanted} order by c.indexed_id desc, c.ordinal desc limit ${foundMax}) as f
        join wanted w on w.id = f.indexed_id
      order by f.indexed_id desc, f.ordinal desc`,
  )
}

/** How well each chunk fits `query`, a text of `tsquery`. A chunk that does not exist any more is missing. */
export function rateChunks(
  scope: TenantScope,
  query: string,
  keys: readonly ChunkKey[],
): Promise<(ChunkKey & { rate: number })[]> {
  return many(
    scope,
    sql<
      ChunkKey & { rate: number }
    >`select c.indexed_id as "indexedId", c.ordinal, ts_rank(c.terms, ${query}::tsquery) as rate
      from ${keyedChunks(scope, keys)}`,
  )
}

/** What the exact order of chunks depends on. A chunk that does not exist any more is missing. */
export function readVectors(
  scope: TenantScope,
  keys: readonly ChunkKey[],
): Promise<(ChunkKey & Pick<Candidate, 'wordCount' | 'vector'>)[]> {
  return many(
    scope,
    sql<ChunkKey & Pick<Candidate, 'wordCount' | 'vector'>>`select c.indexed_id as "indexedId", c.ordinal,
        c.word_count as "wordCount", c.terms::text as vector
      from ${keyedChunks(scope, keys)}`,
  )
}

export type Searched = { documents: number; meetings: number }

/** How many documents and meetings were searched. */
export async function countSearched(visible: Visibility, scope: TenantScope, asking: Asking): Promise<Searched> {
  const counted = await maybeOne(
    scope,
    sql<Searched>`with ${visible.items(scope, asking)}
      select count(*) filter (where kind = 'document')::int as documents, count(*) filter (where kind = 'meeting')::int as meetings
      from visible_items`,
  )
  return counted ?? { documents: 0, meetings: 0 }
}
