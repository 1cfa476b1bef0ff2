import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Dimension } from './dimension.rules.ts'
import { type Counts, noProduct } from './summary.rules.ts'

/** Days like `2026-11-21`, both included. */
export type Days = { from: string; to: string }

const sums = sql`sum(views)::bigint as views, sum(raw)::bigint as raw, sum(bots)::bigint as bots, sum(uniques)::bigint as uniques`

type Of = Days & { productId: string | null }

/** What was counted, by type. */
export function totalsByType(
  platform: PlatformScope,
  { from, to, productId }: Of,
): Promise<(Counts & { type: string })[]> {
  return many(
    platform,
    sql<Counts & { type: string }>`select type, ${sums} from analytics_summaries
      where day between ${from} and ${to} and dimension = 'all' and (${productId}::uuid is null or product_id = ${productId})
      group by type`,
  )
}

export type Ranked = Counts & { productId: string | null; productSlug: string | null; key: string }

export type RankQuestion = Of & {
  types: readonly string[]
  dimension: Dimension
  limit: number
  /** Whether the same key of two products is two things. */
  isOfProduct: boolean
}

/** The keys with the most views. */
export function mostViewed(platform: PlatformScope, question: RankQuestion): Promise<Ranked[]> {
  const { from, to, types, dimension, productId, limit, isOfProduct } = question
  return many(
    platform,
    sql<Ranked>`select key, case when ${isOfProduct} then nullif(product_id, ${noProduct}) end as "productId",
        case when ${isOfProduct} then (array_agg(product_slug order by day desc))[1] end as "productSlug", ${sums}
      from analytics_summaries
      where day between ${from} and ${to} and dimension = ${dimension} and type = any(${types}::text[])
        and (${productId}::uuid is null or product_id = ${productId})
      group by 1, 2
      order by sum(views) desc, sum(raw) desc, 1, 2 limit ${limit}`,
  )
}

export type SeriesQuestion = Of & { types: readonly string[]; column: keyof Counts; pageSlug: string | null }

/** The days that have something. */
export function countsByDay(
  platform: PlatformScope,
  { from, to, types, column, productId, pageSlug }: SeriesQuestion,
): Promise<{ day: string; value: number }[]> {
  const dimension: Dimension = pageSlug === null ? 'all' : 'page'
  return many(
    platform,
    sql<{
      day: string
      value: number
    }>`select day::text, sum(${columns[column]})::bigint as value from analytics_summaries
      where day between ${from} and ${to} and dimension = ${dimension} and key = ${pageSlug ?? ''} and type = any(${types}::text[])
        and (${productId}::uuid is null or product_id = ${productId})
      group by day order by day`,
  )
}

const columns = { views: sql`views`, raw: sql`raw`, bots: sql`bots`, uniques: sql`uniques` } as const

/** Whether anything was ever counted of the product. */
export async function isProductCounted(platform: PlatformScope, productId: string): Promise<boolean> {
  const rows = await many(platform, sql`select 1 from analytics_summaries where product_id = ${productId} limit 1`)
  return rows.length > 0
}
