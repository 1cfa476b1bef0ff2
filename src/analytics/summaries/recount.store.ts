import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { type Counts, noProduct, type Summary } from './summary.rules.ts'

/** Visitors are split into this many slices by the first digit of their hash: a whole day may be too much for one statement. */
export const recountSlices = 16

/** A day's summaries from its events, for one slice of visitors. Visits without a visitor are in the first slice. */
export function recountSlice(
  platform: PlatformScope,
  { day, slice }: { day: string; slice: number },
): Promise<Summary[]> {
  return many(
    platform,
    sql<Summary>`select ${day}::text as day, e.type, coalesce(e.product_id, ${noProduct}::uuid)::text as "productId", p.dimension, p.key,
        max(e.product_slug) as "productSlug",
        coalesce(sum(e.visits) filter (where not e.is_bot and not e.is_repeat), 0)::bigint as views,
        coalesce(sum(e.visits) filter (where not e.is_bot), 0)::bigint as raw,
        coalesce(sum(e.visits) filter (where e.is_bot), 0)::bigint as bots,
        count(distinct e.visitor) filter (where p.is_counted) as uniques
      from analytics_events e cross join lateral (values
          ('all', '', true),
          ('page', case when e.download_id is null then coalesce(e.doc_slug, e.page_slug) end, true),
          ('download', e.download_id::text, true),
          ('version', e.version_id::text, false),
          ('referrer', coalesce(e.referrer_host, ''), false),
          ('device', e.device, false)
        ) as p (dimension, key, is_counted)
      where e.day = ${day} and p.key is not null
        and (e.visitor is null and ${slice} = 0 or left(e.visitor::text, 1) = to_hex(${slice}::int))
      group by 2, 3, 4, 5`,
  )
}

export function listSummaries(platform: PlatformScope, day: string): Promise<Summary[]> {
  return many(
    platform,
    sql<Summary>`select day::text, type, product_id::text as "productId", dimension, key, product_slug as "productSlug",
        views, raw, bots, uniques
      from analytics_summaries where day = ${day}`,
  )
}

/** Sets one line to its correct value; an empty line is deleted. */
export async function correctSummary(
  tx: PlatformScope,
  { day, type, productId, dimension, key, ...to }: Summary,
): Promise<void> {
  const { productSlug, views, raw, bots, uniques } = to
  if (isEmpty(to)) {
    await run(
      tx,
      sql`delete from analytics_summaries where day = ${day} and type = ${type} and product_id = ${productId}
        and dimension = ${dimension} and key = ${key}`,
    )
    return
  }
  await run(
    tx,
    sql`insert into analytics_summaries (day, type, product_id, dimension, key, product_slug, views, raw, bots, uniques)
      values (${day}, ${type}, ${productId}, ${dimension}, ${key}, ${productSlug}, ${views}, ${raw}, ${bots}, ${uniques})
      on conflict (day, type, product_id, dimension, key) do update
        set views = excluded.views, raw = excluded.raw, bots = excluded.bots, uniques = excluded.uniques`,
  )
}

function isEmpty({ raw, bots }: Counts): boolean {
  return raw === 0 && bots === 0
}
