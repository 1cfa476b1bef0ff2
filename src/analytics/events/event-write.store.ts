import { arrayText } from '../../storage/array-text.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Entry } from '../summaries/summary.rules.ts'
import type { Fact } from './visit.rules.ts'

// `anly` in ASCII: the class of the locks of days.
const lockClass = sql.raw('1634626681')
const dayMs = 24 * 3600 * 1000

/** Until the transaction ends nobody else counts visits of these days. */
export async function lockDays(tx: PlatformScope, days: string[]): Promise<void> {
  // In order, so that two nodes never wait for each other.
  const numbers = days.map((day) => Date.parse(day) / dayMs).toSorted((a, b) => a - b)
  await run(tx, sql`select pg_advisory_xact_lock(${lockClass}, day) from unnest(${numbers}::int[]) as asked (day)`)
}

/** Those of the ids that are written already. */
export async function writtenIds(tx: PlatformScope, ids: string[]): Promise<Set<string>> {
  const rows = await many(
    tx,
    sql<{
      id: string
    }>`select e.id from unnest(${arrayText(ids)}::uuid[]) as asked (id) join analytics_events e on e.id = asked.id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** When the marks of a day were last made, in milliseconds; those that are not there are left out. */
export async function findMarks(tx: PlatformScope, day: string, seen: string[]): Promise<Map<string, number>> {
  // By their place in the question: an id as text, back and forth, costs more than to find it.
  const rows = await many(
    tx,
    sql<{ place: number; viewedAtMs: number }>`
      select asked.place, (extract(epoch from v.viewed_at) * 1000)::float8 as "viewedAtMs"
      from unnest(${arrayText(seen)}::uuid[]) with ordinality as asked (seen, place)
      -- One look each: a plain join may read all visitors of the day for every batch.
      cross join lateral (select viewed_at from analytics_visitors where day = ${day} and seen = asked.seen limit 1) v`,
  )
  return new Map(rows.map(({ place, viewedAtMs }) => [seen[place - 1] as string, viewedAtMs]))
}

/**
 * Events, the marks of their visitors and what they add to the summaries, in one statement. Nobody else makes marks of
 * these days meanwhile (`lockDays`), so new ones are inserted without looking for others: half the cost of `on conflict`.
 */
export async function insertEntry(tx: PlatformScope, facts: Fact[], entry: Entry): Promise<void> {
  const { newMarks, oldMarks, additions } = entry
  await run(
    tx,
    sql`with events as (${insertedEvents(facts, entry.isRepeat)}),
      new_marks as (
        insert into analytics_visitors (day, seen, viewed_at)
        select g.day, g.seen, to_timestamp(g.at_ms / 1000) from ${given(newMarks)}
      ),
      old_marks as (
        update analytics_visitors v set viewed_at = to_timestamp(g.at_ms / 1000) from ${given(oldMarks)}
        cross join lateral (select ctid from analytics_visitors where day = g.day and seen = g.seen limit 1) place
        where v.ctid = place.ctid
      )
      insert into analytics_summaries as s (day, type, product_id, dimension, key, product_slug, views, raw, bots, uniques)
      select * from unnest(${column(additions, 'day')}::date[], ${column(additions, 'type')}::text[],
        ${column(additions, 'productId')}::uuid[], ${column(additions, 'dimension')}::text[], ${column(additions, 'key')}::text[],
        ${column(additions, 'productSlug')}::text[], ${column(additions, 'views')}::bigint[], ${column(additions, 'raw')}::bigint[],
        ${column(additions, 'bots')}::bigint[], ${column(additions, 'uniques')}::bigint[])
      on conflict (day, type, product_id, dimension, key) do update set
        views = s.views + excluded.views, raw = s.raw + excluded.raw, bots = s.bots + excluded.bots,
        uniques = s.uniques + excluded.uniques, product_slug = coalesce(excluded.product_slug, s.product_slug)`,
  )
}

function given(marks: Entry['newMarks']) {
  return sql`unnest(${column(marks, 'day')}::date[], ${column(marks, 'seen')}::uuid[],
    ${column(marks, 'viewedAtMs')}::float8[]) as g (day, seen, at_ms)`
}

/** What most visits of a batch have in common is sent once for all of them, which halves the cost of a visit. */
function insertedEvents(facts: Fact[], isRepeat: boolean[]) {
  const { kinds, placeOf } = kindsOf(facts)
  return sql`insert into analytics_events (id, type, at, visits, product_id, product_slug, page_slug, doc_slug, download_id,
      version_id, visitor_hash, is_bot, is_repeat, referrer_host, utm, device, agent_family)
    select g.id, k.type, to_timestamp(g.at_ms / 1000), k.visits, k.product_id, k.product_slug, k.page_slug, k.doc_slug, k.download_id,
      k.version_id, g.visitor_hash, k.is_bot, g.is_repeat, k.referrer_host, k.utm, k.device, k.agent_family
    from unnest(${column(facts, 'id')}::uuid[], ${arrayText(facts.map(({ at }) => at.getTime()))}::float8[],
      ${arrayText(facts.map(({ visitor }) => visitor && `\\x${visitor}`))}::bytea[], ${arrayText(isRepeat)}::boolean[],
      ${arrayText(placeOf)}::int[]) as g (id, at_ms, visitor_hash, is_repeat, place)
    join unnest(${column(kinds, 'type')}::text[], ${column(kinds, 'visits')}::int[], ${column(kinds, 'productId')}::uuid[],
      ${column(kinds, 'productSlug')}::text[], ${column(kinds, 'pageSlug')}::text[], ${column(kinds, 'docSlug')}::text[],
      ${column(kinds, 'downloadId')}::uuid[], ${column(kinds, 'versionId')}::uuid[], ${column(kinds, 'isBot')}::boolean[],
      ${column(kinds, 'referrerHost')}::text[], ${arrayText(kinds.map(({ utm }) => utm && JSON.stringify(utm)))}::jsonb[],
      ${column(kinds, 'device')}::text[], ${column(kinds, 'agentFamily')}::text[]) with ordinality as k (type, visits, product_id,
      product_slug, page_slug, doc_slug, download_id, version_id, is_bot, referrer_host, utm, device, agent_family, place)
    on k.place = g.place`
}

/** One visit of each kind, and of which kind each is, counted from 1. */
function kindsOf(facts: Fact[]): { kinds: Fact[]; placeOf: number[] } {
  const kinds: Fact[] = []
  const places = new Map<string, number>()
  const placeOf = facts.map((fact) => {
    const { type, visits, productId, productSlug, pageSlug, docSlug, downloadId, versionId } = fact
    const { isBot, referrerHost, utm, device, agentFamily } = fact
    const what = `${type} ${visits} ${productId} ${productSlug} ${pageSlug} ${docSlug} ${downloadId} ${versionId}`
    const name = `${what} ${isBot} ${device} ${referrerHost} ${agentFamily} ${utm && JSON.stringify(utm)}`
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, kinds.push(fact))
    return kinds.length
  })
  return { kinds, placeOf }
}

type Cell = string | number | boolean | null

function column<Name extends string>(rows: Record<Name, Cell>[], name: Name): string {
  return arrayText(rows.map((row) => row[name]))
}
