import { lowestId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { offsetOf } from '../../kernel/paging.ts'
import { many, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Device } from './agent.rules.ts'

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
  doc_slug as "docSlug", download_id as "downloadId", version_id as "versionId", encode(visitor_hash, 'hex') as "visitorHash",
  is_bot as "isBot", is_repeat as "isRepeat", referrer_host as "referrerHost", utm, device, agent_family as "agentFamily"`

/** Counting goes no further: a list that is longer says that it has so many. */
export const countedMax = 100_000

function wanted({ type, productId, from, until }: EventFilter) {
  return sql`id >= ${lowestId(from)} and id < ${lowestId(until)}
    and (${type}::text is null or type = ${type}) and (${productId}::uuid is null or product_id = ${productId})`
}

export async function listEvents(
  platform: PlatformScope,
  { page, limit, ...filter }: EventFilter & PageRequest,
): Promise<Page<EventRecord>> {
  const items = await many(
    platform,
    sql<EventRecord>`select ${columns} from analytics_events where ${wanted(filter)}
      order by id desc limit ${limit} offset ${offsetOf({ page, limit })}`,
  )
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from
      (select 1 from analytics_events where ${wanted(filter)} limit ${countedMax}) found`,
  )
  return { items, total }
}

/** Newest first, below the id where one is given. */
export function listEventsBelow(
  platform: PlatformScope,
  filter: EventFilter,
  { below, limit }: { below: string | null; limit: number },
): Promise<EventRecord[]> {
  return many(
    platform,
    sql<EventRecord>`select ${columns} from analytics_events
      where ${wanted(filter)} and (${below}::uuid is null or id < ${below}) order by id desc limit ${limit}`,
  )
}

const deletedAtOnce = 5000

/** How many there were. In portions, because a statement may take seconds only. */
export function dropEvents(platform: PlatformScope, before: Date, signal: AbortSignal): Promise<number> {
  return inPortions(signal, () =>
    run(
      platform,
      sql`delete from analytics_events where id in
        (select id from analytics_events where id < ${lowestId(before)} order by id limit ${deletedAtOnce})`,
    ),
  )
}

/** Marks of visitors of earlier days. */
export function dropMarks(platform: PlatformScope, beforeDay: string, signal: AbortSignal): Promise<number> {
  return inPortions(signal, () =>
    run(
      platform,
      sql`delete from analytics_visitors where (day, seen) in
        (select day, seen from analytics_visitors where day < ${beforeDay} order by day, seen limit ${deletedAtOnce})`,
    ),
  )
}

async function inPortions(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteSome()
    total += deleted
    if (deleted < deletedAtOnce || signal.aborted) return total
  }
}
