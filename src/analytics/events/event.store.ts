import { idTimeMs, lowestId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { pageOffset } from '../../kernel/paging.ts'
import { many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Device } from './user-agent.rules.ts'
import { batchMs } from './visit-batch.rules.ts'

export type EventRecord = {
  id: string
  type: string
  at: Date
  visits: number
  productId: string | null
  productSlug: string | null
  pageSlug: string | null
  docSlug: string | null
  downloadId: string | null
  versionId: string | null
  visitorHash: string | null
  isBot: boolean
  isRepeat: boolean
  referrerHost: string | null
  utm: Record<string, string> | null
  device: Device
  agentFamily: string
}

/** `until` is excluded. */
export type EventFilter = { type: string | null; productId: string | null; from: Date; until: Date }

const columns = sql`id, type, at, visits, product_id as "productId", product_slug as "productSlug", page_slug as "pageSlug",
  doc_slug as "docSlug", download_id as "downloadId", version_id as "versionId", replace(visitor::text, '-', '') as "visitorHash",
  is_bot as "isBot", is_repeat as "isRepeat", referrer_host as "referrerHost", utm, device, agent_family as "agentFamily"`

/** Totals are counted up to this; a longer list reports this number. */
export const totalMax = 100_000

/** Ids from one (included) to another (excluded). */
type Span = { type: string | null; productId: string | null; from: string; until: string }

/** Rows that start in the span. */
function rowsInSpan({ type, productId, from, until }: Span) {
  return sql`first_id >= ${from} and first_id < ${until}
    and (${type}::text is null or type = ${type}) and (${productId}::uuid is null or product_id = ${productId})`
}

/** The newest lines of a span, after skipping `offset`. */
async function listNewestLines(
  platform: PlatformScope,
  span: Span,
  { limit, offset }: { limit: number; offset: number },
): Promise<EventRecord[]> {
  // Once the newest rows have enough lines together, older rows cannot contribute.
  const reached = await maybeOne(
    platform,
    sql<{ id: string }>`select first_id as id from (
        select first_id, sum(lines) filter (where last_id < ${span.until}) over (order by first_id desc rows unbounded preceding) as below
        from analytics_batches where ${rowsInSpan(span)}) counted
      where below >= ${offset + limit} order by first_id desc limit 1`,
  )
  const from = reached?.id ?? span.from
  const begun = lowestId(new Date(idTimeMs(from) - batchMs))
  // Details are read only for the requested lines: a page may come after a hundred thousand others.
  return many(
    platform,
    sql<EventRecord>`with found as materialized (
        select b.day, b.seq, l.id from analytics_batches b cross join lateral unnest(b.ids) as l (id)
        where ${rowsInSpan({ ...span, from: begun })} and b.last_id >= ${from} and l.id >= ${from} and l.id < ${span.until}
        order by l.id desc limit ${limit} offset ${offset}),
      rows as (select day, seq, array_agg(id) as wanted from found group by day, seq)
      select ${columns} from rows join analytics_events e using (day, seq) where e.id = any(rows.wanted) order by id desc`,
  )
}

function toSpan({ type, productId, from, until }: EventFilter): Span {
  return { type, productId, from: lowestId(from), until: lowestId(until) }
}

export async function listEvents(
  platform: PlatformScope,
  { page, limit, ...filter }: EventFilter & PageRequest,
): Promise<Page<EventRecord>> {
  const span = toSpan(filter)
  const items = await listNewestLines(platform, span, { limit, offset: pageOffset({ page, limit }) })
  // Rows end with their minute, and periods start at one.
  const { total } = await one(
    platform,
    sql<{ total: number }>`select least(coalesce(sum(lines), 0), ${totalMax})::int as total from
      (select lines from analytics_batches where ${rowsInSpan(span)} limit ${totalMax}) found`,
  )
  return { items, total }
}

/** Newest first, below the id where one is given. */
export function listEventsBelow(
  platform: PlatformScope,
  filter: EventFilter,
  { below, limit }: { below: string | null; limit: number },
): Promise<EventRecord[]> {
  const span = toSpan(filter)
  return listNewestLines(platform, { ...span, until: below ?? span.until }, { limit, offset: 0 })
}

// Long rows have some hundred lines each.
const deletedAtOnce = 500

/** Returns the number of rows. Deletes in batches, because a statement may take only a few seconds. */
export function dropEvents(platform: PlatformScope, before: Date, signal: AbortSignal): Promise<number> {
  return repeatInBatches(signal, () =>
    run(
      platform,
      sql`delete from analytics_batches where (day, seq) in (select day, seq from analytics_batches
        where first_id < ${lowestId(before)} and last_id < ${lowestId(before)} order by first_id limit ${deletedAtOnce})`,
    ),
  )
}

async function repeatInBatches(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteSome()
    total += deleted
    if (deleted < deletedAtOnce || signal.aborted) return total
  }
}
