import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { DueAttempt } from '../delivery-job.ts'
import type { EndpointStatus } from '../endpoint.rules.ts'
import type { EventType } from '../event-types/event-types.ts'
import type { Delivery, DeliveryStatus } from './delivery.rules.ts'
import type { Outcome } from './retry.rules.ts'

/** An attempt that has begun, with what it needs. */
export type ClaimedAttempt = {
  body: string
  url: string
  endpointStatus: EndpointStatus
  failingSince: Date | null
  pausedUntil: Date | null
  ratePerMinute: number | null
  secretSealed: Buffer
  previousSecretSealed: Buffer | null
  /** True for a deleted tenant as well, if this is its last event. */
  isTenantActive: boolean
}

const lastEventOfTenant: EventType = 'tenant.removed'

/** Begins an attempt. Null: it was made already, or another node is making it. Only one of two concurrent callers gets it. */
export function claimAttempt(
  scope: TenantScope,
  { endpointId, messageId, attempt }: DueAttempt,
  { now, claimedUntil }: { now: Date; claimedUntil: Date },
): Promise<ClaimedAttempt | null> {
  return maybeOne(
    scope,
    sql<ClaimedAttempt>`update webhook_sends s set claimed_until = ${claimedUntil}
      from webhook_endpoints e, webhook_messages m, tenants t
      where s.tenant_id = ${scope.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}
        and s.status = 'PENDING' and s.attempts = ${attempt - 1} and (s.claimed_until is null or s.claimed_until <= ${now})
        and e.tenant_id = s.tenant_id and e.id = s.endpoint_id and m.tenant_id = s.tenant_id and m.id = s.message_id and t.id = s.tenant_id
      returning m.body, e.url, e.status as "endpointStatus", e.failing_since as "failingSince", e.paused_until as "pausedUntil",
        e.rate_per_minute as "ratePerMinute", e.secret_sealed as "secretSealed",
        case when e.previous_until > ${now} then e.previous_secret_sealed end as "previousSecretSealed", t.deleted_at is null or m.type = ${lastEventOfTenant} as "isTenantActive"`,
  )
}

/** Whether the attempt is not finished; another node may be making it. */
export async function isAttemptPending(
  scope: TenantScope,
  { endpointId, messageId, attempt }: DueAttempt,
): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql`select 1 from webhook_sends where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId} and message_id = ${messageId}
      and status = 'PENDING' and attempts = ${attempt - 1}`,
  )
  return found !== null
}

/** Releases a claimed attempt that was not made. It is due later, or with null it is not made at all. */
export async function releaseAttempt(
  tx: TenantScope,
  { endpointId, messageId, attempt }: DueAttempt,
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

/** Removes the claim of an attempt that was cut off, but not a later claim of another node. */
export async function clearClaim(
  scope: TenantScope,
  { endpointId, messageId, attempt }: DueAttempt,
  claimedUntil: Date,
): Promise<void> {
  await run(
    scope,
    sql`update webhook_sends set claimed_until = null where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId}
      and message_id = ${messageId} and attempts = ${attempt - 1} and claimed_until = ${claimedUntil}`,
  )
}

/** Locks a delivery whose attempt ends and reads its current state: it may have been restarted, and the URL may have changed. */
export function lockDelivery(
  tx: TenantScope,
  { endpointId, messageId, attempt }: DueAttempt,
): Promise<{ failures: number; url: string } | null> {
  return maybeOne(
    tx,
    sql<{ failures: number; url: string }>`select s.failures, e.url from webhook_sends s
      join webhook_endpoints e on e.tenant_id = s.tenant_id and e.id = s.endpoint_id
      where s.tenant_id = ${tx.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}
        and s.status = 'PENDING' and s.attempts = ${attempt - 1} for update of s`,
  )
}

export type FinishedAttempt = {
  outcome: Outcome
  /** Consecutive failures including this one, since the delivery was last restarted. */
  failures: number
  startedAt: Date
  durationMs: number
  status: DeliveryStatus
  nextAttemptAt: Date | null
}

/** Records the result of an attempt. False, with nothing written: it was recorded already, or the endpoint was deleted. */
export async function recordAttempt(tx: TenantScope, due: DueAttempt, ended: FinishedAttempt): Promise<boolean> {
  return (await run(tx, sql`with ended as (${finishUpdate(tx, due, ended)}) ${attemptInsert(due, ended)}`)) > 0
}

/**
 * Records a successful attempt, and clears the failures of the endpoint if it still has this URL. One statement, so it
 * needs no transaction.
 */
export async function recordSuccess(
  scope: TenantScope,
  due: DueAttempt,
  { url, ...made }: Pick<FinishedAttempt, 'outcome' | 'startedAt' | 'durationMs'> & { url: string },
): Promise<boolean> {
  const ended: FinishedAttempt = { ...made, failures: 0, status: 'DELIVERED', nextAttemptAt: null }
  const recorded = await run(
    scope,
    sql`with ended as (${finishUpdate(scope, due, ended)}), well as (
        update webhook_endpoints e set failing_since = null, paused_until = null from ended
        where e.tenant_id = ended.tenant_id and e.id = ended.endpoint_id and e.url = ${url} and (e.failing_since is not null or e.paused_until is not null)
      ) ${attemptInsert(due, ended)}`,
  )
  return recorded > 0
}

function finishUpdate(scope: TenantScope, { endpointId, messageId, attempt }: DueAttempt, ended: FinishedAttempt) {
  const { failures, status, nextAttemptAt } = ended
  return sql`update webhook_sends set attempts = ${attempt}, failures = ${failures},
      status = ${status}, next_attempt_at = ${nextAttemptAt}, claimed_until = null
    where tenant_id = ${scope.tenantId} and endpoint_id = ${endpointId} and message_id = ${messageId}
      and status = 'PENDING' and attempts = ${attempt - 1}
    returning tenant_id, endpoint_id, message_id`
}

function attemptInsert({ attempt }: DueAttempt, { outcome, startedAt, durationMs }: FinishedAttempt) {
  return sql`insert into webhook_attempts (tenant_id, endpoint_id, message_id, number, started_at, duration_ms, result, status_code, answer)
    select tenant_id, endpoint_id, message_id, ${attempt}, ${startedAt}, ${durationMs}, ${outcome.result}, ${outcome.statusCode}, ${outcome.answer}
    from ended`
}

const attemptsShown = 10

const delivery = sql`s.message_id as "messageId", m.type as "eventType", s.status, s.attempts, s.next_attempt_at as "nextAttemptAt",
  s.created_at as "createdAt", coalesce((select jsonb_agg(to_jsonb(a) order by a.number desc) from (
    select number, started_at as "startedAt", duration_ms as "durationMs", result, status_code as "statusCode", answer
    from webhook_attempts where tenant_id = s.tenant_id and endpoint_id = s.endpoint_id and message_id = s.message_id
    order by number desc limit ${attemptsShown}) a), '[]') as tries`
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

type DeliveryKey = { endpointId: string; messageId: string }

export async function findDelivery(
  scope: TenantScope,
  { endpointId, messageId }: DeliveryKey,
): Promise<Delivery | null> {
  if (!isId(endpointId) || !isId(messageId)) return null
  return maybeOne(
    scope,
    sql<Delivery>`select ${delivery} ${joined} where s.tenant_id = ${scope.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId}`,
  )
}

const restarted = (now: Date) => sql`status = 'PENDING', failures = 0, next_attempt_at = ${now}`
const dueColumns = sql`s.endpoint_id as "endpointId", s.message_id as "messageId", s.attempts + 1 as attempt`

/** Makes a delivery due now with all retries, whatever its state. Null: there is no such delivery. */
export async function restartDelivery(
  tx: TenantScope,
  { endpointId, messageId }: DeliveryKey,
  now: Date,
): Promise<DueAttempt | null> {
  if (!isId(messageId)) return null
  return maybeOne(
    tx,
    sql<DueAttempt>`update webhook_sends s set ${restarted(now)}
      where s.tenant_id = ${tx.tenantId} and s.endpoint_id = ${endpointId} and s.message_id = ${messageId} returning ${dueColumns}`,
  )
}

export type Recovery = { endpointId: string; since: Date; limit: number; now: Date }

/** The same for the oldest deliveries that failed since a time. */
export function restartFailed(tx: TenantScope, { endpointId, since, limit, now }: Recovery): Promise<DueAttempt[]> {
  return many(
    tx,
    sql<DueAttempt>`update webhook_sends s set ${restarted(now)}
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

/** Restarts deliveries that have been overdue for long: their jobs were lost. */
export function restartStalled(
  tx: PlatformScope,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<(DueAttempt & { tenantId: string })[]> {
  return many(
    tx,
    sql<DueAttempt & { tenantId: string }>`update webhook_sends s set next_attempt_at = ${now} from (
        select tenant_id, endpoint_id, message_id from webhook_sends
        where status = 'PENDING' and next_attempt_at < ${before} and (claimed_until is null or claimed_until <= ${now})
        order by next_attempt_at limit ${limit} for update skip locked) f
      where s.tenant_id = f.tenant_id and s.endpoint_id = f.endpoint_id and s.message_id = f.message_id
      returning s.tenant_id as "tenantId", ${dueColumns}`,
  )
}

/** Uses a partial index of pending deliveries. */
export async function countPending(platform: PlatformScope): Promise<number> {
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from webhook_sends where status = 'PENDING'`,
  )
  return total
}
