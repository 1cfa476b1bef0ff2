import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { EndpointStatus } from '../endpoints/endpoint.rules.ts'
import type { EventType } from '../events/event-types.ts'
import type { Delivery, DeliveryStatus, Due } from './delivery.rules.ts'
import type { Outcome } from './retry.rules.ts'

/** A try that has begun, with what it needs. */
export type Claimed = {
  body: string
  url: string
  endpointStatus: EndpointStatus
  failingSince: Date | null
  pausedUntil: Date | null
  ratePerMinute: number | null
  secretSealed: Buffer
  previousSecretSealed: Buffer | null
  /** Or this is the last that it is told. */
  isTenantThere: boolean
}

const farewell: EventType = 'tenant.removed'

/** Begins a try; null where it was made already or another node makes it. Of two who begin at once one does. */
export function claimSend(
  scope: TenantScope,
  { endpointId, messageId, attempt }: Due,
  { now, claimedUntil }: { now: Date; claimedUntil: Date },
): Promise<Claimed | null> {
  return maybeOne(
    scope,
    sql<Claimed>`update webhook_sends s set claimed_until = ${claimedUntil}
      from webhook_endpoints e, webhook_messages m, tenants t
      where s.tenant_id = ${scope.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}
        and s.status = 'PENDING' and s.attempts = ${attempt - 1} and (s.claimed_until is null or s.claimed_until <= ${now})
        and e.tenant_id = s.tenant_id and e.id = s.endpoint_id and m.tenant_id = s.tenant_id and m.id = s.message_id and t.id = s.tenant_id
      returning m.body, e.url, e.status as "endpointStatus", e.failing_since as "failingSince", e.paused_until as "pausedUntil",
        e.rate_per_minute as "ratePerMinute", e.secret_sealed as "secretSealed",
        case when e.previous_until > ${now} then e.previous_secret_sealed end as "previousSecretSealed", t.deleted_at is null or m.type = ${farewell} as "isTenantThere"`,
  )
}

/** Whether the try has still to be made, perhaps by another node that is at it. */
export async function isDue(scope: TenantScope, { endpointId, messageId, attempt }: Due): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql`select 1 from webhook_sends where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId} and message_id = ${messageId}
      and status = 'PENDING' and attempts = ${attempt - 1}`,
  )
  return found !== null
}

/** Gives a claimed try back, not made: it is due later, or with null will not be made. */
export async function releaseSend(
  tx: TenantScope,
  { endpointId, messageId, attempt }: Due,
  nextAttemptAt: Date | null,
): Promise<void> {
  await run(
    tx,
    sql`update webhook_sends set claimed_until = null, next_attempt_at = ${nextAttemptAt},
        status = case when ${nextAttemptAt}::timestamptz is null then 'FAILED' else 'PENDING' end
      where tenant_id = ${tx.tenantId} and endpoint_id = ${endpointId} and message_id = ${messageId}
        and status = 'PENDING' and attempts = ${attempt - 1}`,
  )
}

/** Gives a claim back whose try was cut off; another's that came after it is left alone. */
export async function dropClaim(
  scope: TenantScope,
  { endpointId, messageId, attempt }: Due,
  claimedUntil: Date,
): Promise<void> {
  await run(
    scope,
    sql`update webhook_sends set claimed_until = null where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId}
      and message_id = ${messageId} and attempts = ${attempt - 1} and claimed_until = ${claimedUntil}`,
  )
}

/** A delivery whose try ends, as it is by now: it may have been asked for anew, and its endpoint may have moved. */
export function holdSend(
  tx: TenantScope,
  { endpointId, messageId, attempt }: Due,
): Promise<{ failures: number; url: string } | null> {
  return maybeOne(
    tx,
    sql<{ failures: number; url: string }>`select s.failures, e.url from webhook_sends s
      join webhook_endpoints e on e.tenant_id = s.tenant_id and e.id = s.endpoint_id
      where s.tenant_id = ${tx.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}
        and s.status = 'PENDING' and s.attempts = ${attempt - 1} for update of s`,
  )
}

export type Ended = {
  outcome: Outcome
  /** In a row with this try, since the delivery was last asked for. */
  failures: number
  startedAt: Date
  durationMs: number
  status: DeliveryStatus
  nextAttemptAt: Date | null
}

/** Writes down how a try ended. False, and nothing written, where that was done or the endpoint has gone. */
export async function endTry(tx: TenantScope, due: Due, ended: Ended): Promise<boolean> {
  return (await run(tx, sql`with ended as (${endingOf(tx, due, ended)}) ${attemptIn(due, ended)}`)) > 0
}

/**
 * The same for one that was delivered, and the endpoint is no longer failing where `url` is still its address: one
 * statement, so no transaction around it.
 */
export async function endDelivered(
  scope: TenantScope,
  due: Due,
  { url, ...made }: Pick<Ended, 'outcome' | 'startedAt' | 'durationMs'> & { url: string },
): Promise<void> {
  const ended: Ended = { ...made, failures: 0, status: 'DELIVERED', nextAttemptAt: null }
  await run(
    scope,
    sql`with ended as (${endingOf(scope, due, ended)}), well as (
        update webhook_endpoints e set failing_since = null, paused_until = null from ended
        where e.tenant_id = ended.tenant_id and e.id = ended.endpoint_id and e.url = ${url} and (e.failing_since is not null or e.paused_until is not null)
      ) ${attemptIn(due, ended)}`,
  )
}

function endingOf(scope: TenantScope, { endpointId, messageId, attempt }: Due, ended: Ended) {
  const { failures, status, nextAttemptAt } = ended
  return sql`update webhook_sends set attempts = ${attempt}, failures = ${failures},
      status = ${status}, next_attempt_at = ${nextAttemptAt}, claimed_until = null
    where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId} and message_id = ${messageId}
      and status = 'PENDING' and attempts = ${attempt - 1}
    returning tenant_id, endpoint_id, message_id`
}

function attemptIn({ attempt }: Due, { outcome, startedAt, durationMs }: Ended) {
  return sql`insert into webhook_attempts (tenant_id, endpoint_id, message_id, number, started_at, duration_ms, result, status_code, answer)
    select tenant_id, endpoint_id, message_id, ${attempt}, ${startedAt}, ${durationMs}, ${outcome.result}, ${outcome.statusCode}, ${outcome.answer}
    from ended`
}

const triesShown = 10

const delivery = sql`s.message_id as "messageId", m.type as "eventType", s.status, s.attempts, s.next_attempt_at as "nextAttemptAt",
  s.created_at as "createdAt", coalesce((select jsonb_agg(to_jsonb(a) order by a.number desc) from (
    select number, started_at as "startedAt", duration_ms as "durationMs", result, status_code as "statusCode", answer
    from webhook_attempts where tenant_id = s.tenant_id and endpoint_id = s.endpoint_id and message_id = s.message_id
    order by number desc limit ${triesShown}) a), '[]') as tries`
const joined = sql`from webhook_sends s join webhook_messages m on m.tenant_id = s.tenant_id and m.id = s.message_id`

export type DeliverySearch = PageRequest & { endpointId: string; status: DeliveryStatus | null }

export async function listDeliveries(
  scope: TenantScope,
  { endpointId, status, ...page }: DeliverySearch,
): Promise<Page<Delivery>> {
  const found = sql`where s.tenant_id = ${scope.tenantId} and s.endpoint_id = ${endpointId} and (${status}::text is null or s.status = ${status})`
  return listPage<Delivery>(scope, page, {
    columns: delivery,
    from: sql`${joined} ${found}`,
    orderBy: sql`s.message_id desc`,
    countFrom: sql`from webhook_sends s ${found}`,
  })
}

type Place = { endpointId: string; messageId: string }

export async function findDelivery(scope: TenantScope, { endpointId, messageId }: Place): Promise<Delivery | null> {
  if (!isId(endpointId) || !isId(messageId)) return null
  return maybeOne(
    scope,
    sql<Delivery>`select ${delivery} ${joined} where s.tenant_id = ${scope.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}`,
  )
}

const afresh = (now: Date) => sql`status = 'PENDING', failures = 0, next_attempt_at = ${now}`
const dueColumns = sql`s.endpoint_id as "endpointId", s.message_id as "messageId", s.attempts + 1 as attempt`

/** Due now, with all tries again, whatever became of it before. Null: there is none. */
export async function reopenSend(tx: TenantScope, { endpointId, messageId }: Place, now: Date): Promise<Due | null> {
  if (!isId(messageId)) return null
  return maybeOne(
    tx,
    sql<Due>`update webhook_sends s set ${afresh(now)}
      where s.tenant_id = ${tx.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId} returning ${dueColumns}`,
  )
}

export type Recovery = { endpointId: string; since: Date; limit: number; now: Date }

/** The same for the oldest that failed since a moment. */
export function reopenFailed(tx: TenantScope, { endpointId, since, limit, now }: Recovery): Promise<Due[]> {
  return many(
    tx,
    sql<Due>`update webhook_sends s set ${afresh(now)}
      where s.tenant_id = ${tx.tenantId} and s.endpoint_id = ${endpointId} and s.message_id in (
        select message_id from webhook_sends where tenant_id = ${tx.tenantId} and endpoint_id = ${endpointId}
          and status = 'FAILED' and created_at >= ${since} order by message_id limit ${limit} for update)
      returning ${dueColumns}`,
  )
}

export async function countFailed(
  scope: TenantScope,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`select count(*)::int as total from webhook_sends
      where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId} and status = 'FAILED' and created_at >= ${since}`,
  )
  return total
}

/** Deliveries that nobody makes although they have been due for long: their job died. They are due anew. */
export function reopenForgotten(
  tx: PlatformScope,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<(Due & { tenantId: string })[]> {
  return many(
    tx,
    sql<Due & { tenantId: string }>`update webhook_sends s set next_attempt_at = ${now} from (
        select tenant_id, endpoint_id, message_id from webhook_sends
        where status = 'PENDING' and next_attempt_at < ${before} and (claimed_until is null or claimed_until <= ${now})
        order by next_attempt_at limit ${limit} for update skip locked) f
      where s.tenant_id = f.tenant_id and s.endpoint_id = f.endpoint_id and s.message_id = f.message_id
      returning s.tenant_id as "tenantId", ${dueColumns}`,
  )
}

/** From an index that holds waiting ones alone. */
export async function countWaiting(platform: PlatformScope): Promise<number> {
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from webhook_sends where status = 'PENDING'`,
  )
  return total
}
