import type { Page, PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { Outcome } from '../processing.ts'
import type { SchemeSettings } from '../scheme.ts'
import type { Cause } from './causes.ts'
import {
  type Delivery,
  type DeliveryStatus,
  type ReplayedStatus,
  replayedStatuses,
  type TimelineEntry,
  timelineEntriesMax,
} from './delivery.rules.ts'

const columns = sql`d.tenant_id as "tenantId", d.id, d.connection_id as "connectionId", c.scheme, c.channel, d.kind,
  d.event_type as "eventType", d.entity_key as "entityKey", d.occurred_at as "occurredAt", d.received_at as "receivedAt",
  d.status, d.run, d.attempts, d.cause, d.detail, d.headers, d.content_type as "contentType", d.body is not null as "hasBody",
  d.body_bytes as "bodyBytes", d.body_sha256 as "bodySha256", d.duplicates, d.outcome, d.timeline`
const joined = sql`webhook_deliveries d join webhook_connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id`

export type NewDelivery = {
  id: string
  connectionId: string
  kind: 'event' | 'confirmation'
  deliveryKey: string
  eventType: string
  entityKey: string
  occurredAt: Date | null
  receivedAt: Date
  headers: Record<string, string>
  contentType: string
  body: Buffer
  bodySha256: Buffer
  timeline: TimelineEntry[]
}

/** Its connection was erased, with its tenant, since it was looked for: it is told what it would be told a moment later. */
function refuseOrphan(error: unknown): never {
  if (violates(error, 'webhook_deliveries_tenant_id_connection_id_fkey')) throw new Refusal('SIGNATURE_INVALID')
  throw error
}

/** False: it is here already. Of ten that arrive at once one is inserted: the others wait for it. */
export async function insertDelivery(tx: TenantScope, delivery: NewDelivery): Promise<boolean> {
  const { id, connectionId, kind, deliveryKey, eventType, entityKey, occurredAt, receivedAt } = delivery
  const inserted = await run(
    tx,
    sql`insert into webhook_deliveries (tenant_id, id, connection_id, kind, delivery_key, event_type, entity_key, occurred_at,
        received_at, status, headers, content_type, body, body_bytes, body_sha256, timeline)
      values (${tx.tenantId}, ${id}, ${connectionId}, ${kind}, ${deliveryKey}, ${eventType}, ${entityKey}, ${occurredAt},
        ${receivedAt}, 'received', ${JSON.stringify(delivery.headers)}::jsonb, ${delivery.contentType}, ${delivery.body},
        ${delivery.body.length}, ${delivery.bodySha256}, ${JSON.stringify(delivery.timeline)}::jsonb)
      on conflict (tenant_id, connection_id, kind, delivery_key) do nothing`,
  ).catch(refuseOrphan)
  return inserted > 0
}

/** The id of the one that is here already. */
export async function countDuplicate(
  tx: TenantScope,
  { connectionId, kind, deliveryKey }: Pick<NewDelivery, 'connectionId' | 'kind' | 'deliveryKey'>,
): Promise<string> {
  const { id } = await one(
    tx,
    sql<{ id: string }>`update webhook_deliveries set duplicates = duplicates + 1
      where tenant_id = ${tx.tenantId} and connection_id = ${connectionId} and kind = ${kind} and delivery_key = ${deliveryKey}
      returning id`,
  )
  return id
}

export type NewRefusal = {
  id: string
  connectionId: string
  /** The same for all that are counted in one row. */
  deliveryKey: string
  receivedAt: Date
  cause: Cause
  detail: string
  headers: Record<string, string>
  contentType: string
  bodyBytes: number
  bodySha256: Buffer
}

/** Without the body. One row a cause, connection and minute, so that a flood does not fill the disk. */
export async function noteRefusal(scope: TenantScope, refusal: NewRefusal): Promise<void> {
  const { id, connectionId, deliveryKey, receivedAt, cause, detail } = refusal
  await run(
    scope,
    sql`insert into webhook_deliveries (tenant_id, id, connection_id, kind, delivery_key, received_at, status, cause, detail, headers,
        content_type, body_bytes, body_sha256)
      values (${scope.tenantId}, ${id}, ${connectionId}, 'refusal', ${deliveryKey}, ${receivedAt}, 'rejected', ${cause}, ${detail},
        ${JSON.stringify(refusal.headers)}::jsonb, ${refusal.contentType}, ${refusal.bodyBytes}, ${refusal.bodySha256})
      on conflict (tenant_id, connection_id, kind, delivery_key) do update set duplicates = webhook_deliveries.duplicates + 1`,
  ).catch(refuseOrphan)
}

/** Refuses with NOT_FOUND. */
export function getDelivery(scope: TenantScope, id: string): Promise<Delivery> {
  return one(
    scope,
    sql<Delivery>`select ${columns} from ${joined} where d.tenant_id = ${scope.tenantId} and d.id = ${id}`,
  )
}

export type Waiting = Delivery & { body: Buffer; settings: SchemeSettings }

/** One that waits for this run of it, with its body and its connection's settings; null: it is done, was replayed since, or is gone. */
export function findWaiting(scope: TenantScope, { id, run: wanted }: RunOf): Promise<Waiting | null> {
  return maybeOne(
    scope,
    sql<Waiting>`select ${columns}, d.body, c.settings from ${joined}
      where d.tenant_id = ${scope.tenantId} and d.id = ${id} and d.run = ${wanted} and d.status in ('received', 'retrying')
        and d.body is not null`,
  )
}

export type RunOf = { id: string; run: number }
type Ending = RunOf & {
  status: DeliveryStatus
  attempts: number
  cause: Cause | null
  detail: string | null
  outcome: Outcome | null
  entry: TimelineEntry
}

/** How a try ended. False: the delivery does not wait for this run any more, and what the try did must not stay. */
export async function closeTry(scope: TenantScope, ending: Ending): Promise<boolean> {
  const { id, status, attempts, cause, detail, outcome, entry } = ending
  const closed = await run(
    scope,
    sql`update webhook_deliveries d set status = ${status}, attempts = ${attempts}, cause = ${cause}, detail = ${detail},
        outcome = ${outcome === null ? null : JSON.stringify(outcome)}::jsonb, timeline = ${longer(entry)}
      where tenant_id = ${scope.tenantId} and id = ${id} and run = ${ending.run} and status in ('received', 'retrying')`,
  )
  return closed > 0
}

/** The timeline with one entry more; a full one loses its oldest. */
function longer(entry: TimelineEntry): Sql<unknown> {
  const isFull = sql`jsonb_array_length(timeline) >= ${timelineEntriesMax}::int`
  return sql`(case when ${isFull} then timeline - 0 else timeline end) || ${JSON.stringify([entry])}::jsonb`
}

export type DeliverySearch = {
  status?: DeliveryStatus | undefined
  connectionId?: string | undefined
  /** Received at or after. */
  from?: Date | undefined
  /** Received before. */
  to?: Date | undefined
}

function conditionsOf(scope: TenantScope, { status, connectionId, from, to }: DeliverySearch): Sql<unknown> {
  const conditions = [
    sql`d.tenant_id = ${scope.tenantId}`,
    ...(status === undefined ? [] : [sql`d.status = ${status}`]),
    ...(connectionId === undefined ? [] : [sql`d.connection_id = ${connectionId}`]),
    ...(from === undefined ? [] : [sql`d.received_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`d.received_at < ${to}`]),
  ]
  return sql.join(conditions, sql` and `)
}

export async function listDeliveries(
  scope: TenantScope,
  search: DeliverySearch,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const wanted = conditionsOf(scope, search)
  return listPage<Delivery>(scope, page, {
    columns,
    from: sql`from ${joined} where ${wanted}`,
    orderBy: sql`d.received_at desc, d.id desc`,
    countFrom: sql`from webhook_deliveries d where ${wanted}`,
  })
}

export type Replay = RunOf & { connectionId: string; entityKey: string }
const replayed = sql`d.id, d.run, d.connection_id as "connectionId", d.entity_key as "entityKey"`

/** Makes one wait again that is done or dead; null where it is neither, or its body is gone. */
export function reopen(tx: TenantScope, id: string, entry: TimelineEntry): Promise<Replay | null> {
  const statuses: readonly string[] = replayedStatuses
  return maybeOne(
    tx,
    sql<Replay>`update webhook_deliveries d set status = 'received', run = run + 1, attempts = 0, cause = null, detail = null,
        timeline = ${longer(entry)}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = any (${[...statuses]}::text[]) and body is not null returning ${replayed}`,
  )
}

export type ReplaySearch = Omit<DeliverySearch, 'status'> & { status: ReplayedStatus; limit: number }

/** The oldest of those that could be replayed. */
export async function listReplayable(tx: TenantScope, { limit, ...search }: ReplaySearch): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select d.id from webhook_deliveries d where ${conditionsOf(tx, search)} and d.body is not null
      order by d.received_at, d.id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

// A statement may take seconds only.
const changedAtOnce = 1000
const done = sql`status in ('processed', 'ignored', 'dead', 'rejected')`

/** The bodies of some that are done; how many. */
export function forgetBodies(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`update webhook_deliveries set body = null where ctid = any (array(select ctid from webhook_deliveries
      where received_at < ${before} and body is not null and ${done} order by received_at limit ${changedAtOnce}))`,
  )
}

/** Some that are done; how many. */
export function dropDeliveries(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from webhook_deliveries where ctid = any (array(select ctid from webhook_deliveries
      where received_at < ${before} and ${done} order by received_at limit ${changedAtOnce}))`,
  )
}
