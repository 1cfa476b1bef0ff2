import { lowestId } from '../../kernel/ids.ts'
import { smallintArray, uuidArray } from '../../storage/array-bytes.ts'
import { arrayText } from '../../storage/array-text.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Summary } from '../summaries/summary.rules.ts'
import type { VisitRecord } from './visit.rules.ts'
import { type Batch, batchMs, type Kind } from './visit-batch.rules.ts'

// `anly` in ASCII: the class of the locks of days.
const lockClass = sql.raw('1634626681')
const dayMs = 24 * 3600 * 1000

/** Stops others from counting visits of these days until the transaction ends. */
export async function lockDays(tx: PlatformScope, days: string[]): Promise<void> {
  // In order, so that two nodes cannot deadlock.
  const numbers = days.map((day) => Date.parse(day) / dayMs).toSorted((a, b) => a - b)
  await run(tx, sql`select pg_advisory_xact_lock(${lockClass}, day) from unnest(${numbers}::int[]) as asked (day)`)
}

/** The ids of visits that are already written. */
export async function writtenIds(tx: PlatformScope, facts: VisitRecord[]): Promise<Set<string>> {
  const moments = facts.map(({ at }) => at.getTime())
  const from = lowestId(new Date(Math.min(...moments) - batchMs))
  const until = lowestId(new Date(Math.max(...moments) + 1))
  const rows = await many(
    tx,
    sql<{ id: string }>`select l.id from analytics_batches b cross join lateral unnest(b.ids) as l (id)
      where b.first_id >= ${from} and b.first_id < ${until} and l.id = any(${uuidArray(facts.map(({ id }) => id))}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** `visitors` as 32 hexadecimal digits each. */
export type WrittenBatch = Omit<Batch, 'day'> & { seq: number }

/** A day's batches with a higher number than this, in order. */
export async function listBatchesSince(
  scope: PlatformScope,
  { day, seq, limit }: { day: string; seq: number; limit: number },
): Promise<WrittenBatch[]> {
  // As text: the driver needs ten times as long for an array.
  const rows = await many(
    scope,
    sql<{
      seq: number
      type: string
      productId: string | null
      kinds: Kind[]
      ids: string
      visitors: string
      kindsOf: string
    }>`select seq, type, product_id as "productId", kinds, array_to_string(ids, ',') as ids,
        replace(array_to_string(visitors, ',', ''), '-', '') as visitors, array_to_string(kinds_of, ',') as "kindsOf"
      from analytics_batches where day = ${day} and seq > ${seq} order by seq limit ${limit}`,
  )
  return rows.map(({ ids, visitors, kindsOf, ...row }) => ({
    ...row,
    ids: ids.split(','),
    visitors: visitors.split(',').map((visitor) => visitor || null),
    kindsOf: kindsOf.split(',').map(Number),
  }))
}

/**
 * Inserts visits and adds them to the summaries, in one statement.
 * @returns the last batch number of each day.
 */
export function insertEntry(
  tx: PlatformScope,
  batches: Batch[],
  additions: Summary[],
): Promise<{ day: string; seq: number }[]> {
  return many(
    tx,
    sql<{ day: string; seq: number }>`with written as (${insertedBatches(batches)}),
      counted as (
        insert into analytics_summaries as s (day, type, product_id, dimension, key, product_slug, views, raw, bots, uniques)
        select * from unnest(${column(additions, 'day')}::date[], ${column(additions, 'type')}::text[],
          ${column(additions, 'productId')}::uuid[], ${column(additions, 'dimension')}::text[], ${column(additions, 'key')}::text[],
          ${column(additions, 'productSlug')}::text[], ${column(additions, 'views')}::bigint[], ${column(additions, 'raw')}::bigint[],
          ${column(additions, 'bots')}::bigint[], ${column(additions, 'uniques')}::bigint[])
        on conflict (day, type, product_id, dimension, key) do update set
          views = s.views + excluded.views, raw = s.raw + excluded.raw, bots = s.bots + excluded.bots,
          uniques = s.uniques + excluded.uniques, product_slug = coalesce(excluded.product_slug, s.product_slug)
      )
      select day::text, max(seq)::bigint as seq from written group by day`,
  )
}

/** All batches share one array per column, and each takes its part. */
function insertedBatches(batches: Batch[]) {
  let lineAt = 1
  const rows = batches.map(({ day, type, productId, kinds, ids }) => {
    const [firstLine, lines] = [lineAt, ids.length]
    lineAt += lines
    return { day, type, product_id: productId, ...idRange(ids), first_line: firstLine, lines, kinds }
  })
  return sql`insert into analytics_batches (day, type, product_id, first_id, last_id, lines, kinds, ids, visitors, kinds_of)
    select b.day, b.type, b.product_id, b.first_id, b.last_id, b.lines, b.kinds,
      l.ids[b.first_line : b.first_line + b.lines - 1], l.visitors[b.first_line : b.first_line + b.lines - 1],
      l.kinds_of[b.first_line : b.first_line + b.lines - 1]
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b (day date, type text, product_id uuid, first_id uuid,
        last_id uuid, first_line integer, lines integer, kinds jsonb)
      cross join (select ${uuidArray(batches.flatMap(({ ids }) => ids))}::uuid[] as ids,
        ${uuidArray(batches.flatMap(({ visitors }) => visitors))}::uuid[] as visitors,
        ${smallintArray(batches.flatMap(({ kindsOf }) => kindsOf))}::smallint[] as kinds_of) l
    returning day, seq`
}

/** The lowest and the highest id. */
function idRange(ids: string[]): { first_id: string; last_id: string } {
  let [first, last] = [ids[0] as string, ids[0] as string]
  for (const id of ids) {
    if (id < first) first = id
    if (id > last) last = id
  }
  return { first_id: first, last_id: last }
}

type Cell = string | number | boolean | null

function column<Name extends string>(rows: Record<Name, Cell>[], name: Name): string {
  return arrayText(rows.map((row) => row[name]))
}
