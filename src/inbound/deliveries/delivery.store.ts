import type { Page, PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { erasableRows, firstPart, insertOtherParts, readWithOtherParts } from '../../storage/byte-parts.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import type { Outcome } from '../processing.ts'
import type { SchemeSettings } from '../scheme.ts'
import {
  type Delivery,
  type DeliveryStatus,
  type ReplayedStatus,
  replayedStatuses,
  type TimelineEntry,
  timelineEntriesMax,
} from './delivery.rules.ts'
import type { Cause } from './rejection-causes.ts'

const columns = sql`d.tenant_id as "tenantId", d.id, d.connection_id as "connectionId", c.scheme, c.channel, d.kind,
  d.event_type as "eventType", d.entity_key as "entityKey", d.occurred_at as "occurredAt", d.received_at as "receivedAt",
  d.status, d.run, d.attempts, d.cause, d.detail, d.headers, d.content_type as "contentType", d.body is not null as "hasBody",
  d.body_bytes as "bodyBytes", d.body_sha256 as "bodySha256", d.duplicates, d.outcome, d.timeline`
const joined = sql`webhook_deliveries d join webhook_connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id`

const parts = 'webhook_delivery_parts'

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
  /** Unique within the connection; null where a body may come twice. */
  bodyKey: Buffer | null
  timeline: TimelineEntry[]
}

/** The connection was erased with its tenant since it was found. The sender gets the same answer as a moment later. */
function refuseOrphan(error: unknown): never {
  if (violates(error, 'webhook_deliveries_tenant_id_connection_id_fkey')) throw new Refusal('SIGNATURE_INVALID')
  throw error
}

/** True where the body does not fit into the row of its delivery. */
export function hasOtherParts({ body }: Pick<NewDelivery, 'body'>): boolean {
  return firstPart(body).length < body.length
}

/**
 * False where its key or its body is already stored. Of ten that arrive at once one is inserted, and the others wait for it.
 * `insertWithJob` runs the statement and enqueues the job that processes the delivery. It needs a transaction where the
 * delivery has other parts.
 */
export async function insertDelivery(
  scope: TenantScope,
  delivery: NewDelivery,
  insertWithJob: (insert: Sql) => Promise<boolean>,
): Promise<boolean> {
  const { id, connectionId, kind, deliveryKey, eventType, entityKey, occurredAt, receivedAt, body } = delivery
  const isInserted = await insertWithJob(
    sql`insert into webhook_deliveries (tenant_id, id, connection_id, kind, delivery_key, event_type, entity_key, occurred_at,
        received_at, status, headers, content_type, body, body_bytes, body_sha256, body_key, timeline)
      values (${scope.tenantId}, ${id}, ${connectionId}, ${kind}, ${deliveryKey}, ${eventType}, ${entityKey}, ${occurredAt},
        ${receivedAt}, 'received', ${JSON.stringify(delivery.headers)}::jsonb, ${delivery.contentType}, ${firstPart(body)},
        ${body.length}, ${delivery.bodySha256}, ${delivery.bodyKey}, ${JSON.stringify(delivery.timeline)}::jsonb)
      on conflict do nothing`,
  ).catch(refuseOrphan)
  if (isInserted) await insertOtherParts(scope, parts, { id, bytes: body })
  return isInserted
}

/** Counts a repeat. Returns the id of the stored delivery: the one with the same key, otherwise that with the same body. */
export async function countDuplicate(
  tx: TenantScope,
  { connectionId, kind, deliveryKey, bodyKey }: Pick<NewDelivery, 'connectionId' | 'kind' | 'deliveryKey' | 'bodyKey'>,
): Promise<string> {
  const sameConnection = sql`webhook_deliveries where tenant_id = ${tx.tenantId} and connection_id = ${connectionId}`
  const { id } = await one(
    tx,
    sql<{ id: string }>`update webhook_deliveries set duplicates = duplicates + 1
      where tenant_id = ${tx.tenantId} and id = coalesce(
        (select id from ${sameConnection} and kind = ${kind} and delivery_key = ${deliveryKey}),
        (select id from ${sameConnection} and body_key = ${bodyKey}))
      returning id`,
  )
  return id
}

export type NewRejection = {
  id: string
  connectionId: string
  /** The same for all rejections that are counted in one row. */
  deliveryKey: string
  receivedAt: Date
  cause: Cause
  detail: string
  headers: Record<string, string>
  contentType: string
  bodyBytes: number
  bodySha256: Buffer
}

/** Logs a rejection without its body. One row for each cause, connection and minute, so that a flood does not fill the disk. */
export async function recordRejection(scope: TenantScope, refusal: NewRejection): Promise<void> {
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

export type PendingDelivery = Delivery & {
  body: Buffer
  orgId: string | null
  integrationId: string | null
  settings: SchemeSettings
}

/** A delivery that waits for this run, with its body and the organization and settings of its connection; null where it is done, was replayed since, or is gone. */
export async function findPending(
  scope: TenantScope,
  { id, run: runNumber }: DeliveryRun,
): Promise<PendingDelivery | null> {
  const found = await maybeOne(
    scope,
    sql<PendingDelivery>`select ${columns}, d.body, c.org_id as "orgId", c.integration_id as "integrationId", c.settings from ${joined}
      where d.tenant_id = ${scope.tenantId} and d.id = ${id} and d.run = ${runNumber} and d.status in ('received', 'retrying')
        and d.body is not null`,
  )
  if (found === null) return null
  const body = await readWithOtherParts(scope, parts, { id, first: found.body, bytes: found.bodyBytes })
  return body && { ...found, body }
}

export type DeliveryRun = { id: string; run: number }
type AttemptResult = DeliveryRun & {
  status: DeliveryStatus
  attempts: number
  cause: Cause | null
  detail: string | null
  outcome: Outcome | null
  entry: TimelineEntry
}

/** Stores how an attempt ended. False where the delivery no longer waits for this run: undo what the attempt did. */
export async function recordAttempt(scope: TenantScope, result: AttemptResult): Promise<boolean> {
  const { id, status, attempts, cause, detail, outcome, entry } = result
  const updated = await run(
    scope,
    sql`update webhook_deliveries d set status = ${status}, attempts = ${attempts}, cause = ${cause}, detail = ${detail},
        outcome = ${outcome === null ? null : JSON.stringify(outcome)}::jsonb, timeline = ${extendedTimeline(entry)}
      where tenant_id = ${scope.tenantId} and id = ${id} and run = ${result.run} and status in ('received', 'retrying')`,
  )
  return updated > 0
}

/** The timeline with one more entry. A full one loses its oldest. */
function extendedTimeline(entry: TimelineEntry): Sql<unknown> {
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

function searchConditions(scope: TenantScope, { status, connectionId, from, to }: DeliverySearch): Sql<unknown> {
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
  const conditions = searchConditions(scope, search)
  return listPage<Delivery>(scope, page, {
    columns,
    from: sql`from ${joined} where ${conditions}`,
    orderBy: sql`d.received_at desc, d.id desc`,
    countFrom: sql`from webhook_deliveries d where ${conditions}`,
  })
}

export type Replay = DeliveryRun & { connectionId: string; entityKey: string }
const replayed = sql`d.id, d.run, d.connection_id as "connectionId", d.entity_key as "entityKey"`

/** Lets a delivery that is done or dead wait again; null where it is neither, or its body is gone. */
export function reopen(tx: TenantScope, id: string, entry: TimelineEntry): Promise<Replay | null> {
  const statuses: readonly string[] = replayedStatuses
  return maybeOne(
    tx,
    sql<Replay>`update webhook_deliveries d set status = 'received', run = run + 1, attempts = 0, cause = null, detail = null,
        timeline = ${extendedTimeline(entry)}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = any (${[...statuses]}::text[]) and body is not null returning ${replayed}`,
  )
}

export type ReplaySearch = Omit<DeliverySearch, 'status'> & { status: ReplayedStatus; limit: number }

/** The oldest deliveries that can be replayed. */
export async function listReplayable(tx: TenantScope, { limit, ...search }: ReplaySearch): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{
      id: string
    }>`select d.id from webhook_deliveries d where ${searchConditions(tx, search)} and d.body is not null
      order by d.received_at, d.id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

// More rows would make a statement take longer than seconds, even if they have no bodies.
const batchRows = 1000
const done = sql`status in ('processed', 'ignored', 'dead', 'rejected')`
const storedBytes = sql`case when body is null then 0 else body_bytes end`

/** Erases the bodies of some deliveries that are done. Returns how many. */
export function eraseBodies(platform: PlatformScope, before: Date): Promise<number> {
  const rows = sql`from webhook_deliveries where received_at < ${before} and body is not null and ${done}
    order by received_at limit ${batchRows}`
  return run(
    platform,
    sql`with erased as (
        update webhook_deliveries set body = null where ctid = any (${erasableRows({ bytes: storedBytes, rows })})
        returning tenant_id, id),
      without_parts as (
        delete from webhook_delivery_parts p using erased e where p.tenant_id = e.tenant_id and p.owner_id = e.id)
      select from erased`,
  )
}

/** Deletes some deliveries that are done. Returns how many. */
export function deleteDeliveries(platform: PlatformScope, before: Date): Promise<number> {
  const rows = sql`from webhook_deliveries where received_at < ${before} and ${done} order by received_at limit ${batchRows}`
  return run(
    platform,
    sql`delete from webhook_deliveries where ctid = any (${erasableRows({ bytes: storedBytes, rows })})`,
  )
}
