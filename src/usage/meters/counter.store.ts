import { many, maybeOne, type Parameter, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import {
  type LimitEffect,
  type LimitedName,
  type MeterName,
  meters,
  type Span,
  type UsageWindow,
  type UsedMeter,
} from './meter.rules.ts'

export const usageScopes = ['tenant', 'org', 'user'] as const
export type UsageScope = (typeof usageScopes)[number]

/** Whose use it is. The tenant's is counted always. */
export type Subject = { orgId?: string | null; userId?: string | null; engine?: 'local' | 'llm' | null }

/** What a use adds to the counters of the tenant, and of its organization and user. */
export type CounterChange = {
  subject: Subject
  /** The day to which the use belongs. */
  day: string
  /** In the order in which their counters are locked. */
  meters: { meter: UsedMeter; amount: number; reserved: number }[]
  /** Refused above a limit unless the limit says `TELL`. */
  isRefusable: boolean
  /** What had this key before is not counted again. */
  key: string | null
}

/**
 * Claims the key of a use, as a part of the statement that counts it: returns a row only for the first one. Waits for one with
 * the same key that is just being counted.
 */
export function claimKey(
  tenantId: Parameter | string,
  { meter, key, now }: { meter: Parameter | string; key: string; now: Date },
): Sql {
  return sql`insert into usage_reports (tenant_id, meter, key, reported_at) values (${tenantId}, ${meter}, ${key}, ${now})
    on conflict do nothing returning tenant_id`
}

/** A counter that has a limit, after a use. */
export type LimitedCounter = {
  meter: MeterName
  span: Span
  scope: UsageScope
  subjectId: string
  limitedName: LimitedName
  /** Used and reserved together; where the use was refused, without it. */
  used: number
  isRefused: boolean
  limit: number
  /** The name of the plan, `OVERRIDE` or `OWN`; of what is stored also `DEFAULT`. */
  plan: string
  /** What happens at this limit. */
  effect: LimitEffect
  /** The thresholds that are reached and were not told for this limit, in percent. */
  reached: number[]
}

/** The plan of a tenant, as a subquery. Null where there is none: then nothing has a limit but by an override. */
export type PlanOf = (tenant: { tenantId: Sql | string }, now: Date) => Sql<string | null>

/** When that plan may be another one, though nothing is changed, as a subquery. Null: never. */
export type PlanEndOf = (tenant: { tenantId: Sql | string }, now: Date) => Sql<Date | null>

/** Adds columns to counters, as a query: the limit of each (`max_amount`, null without one), `soft`, `effect` and `source`. */
export function limitsOf(
  { tenantId }: { tenantId: Sql | string },
  counters: Sql,
  { plan, now }: { plan: Sql; now: Date },
): Sql {
  return sql`select g.*, l.max_amount, l.soft, coalesce(l.effect, g.at_limit) as effect, l.source
    from (${counters}) g, lateral (select (${plan}) as plan) p,
      lateral usage_limit(${tenantId}, p.plan, g.limited_name, g.scope, g.subject_id, g.window_start, ${now}) l`
}

/**
 * Adds to all counters, or refuses: then `isRefused` of the last one is true, and the transaction must be rolled back, because
 * the use has been added. One statement, so that two callers cannot both take the last of a limit. Returns the counters
 * that have a limit.
 */
export function addToCounters(
  tx: TenantScope,
  { subject, day, meters: changed, isRefusable, key }: CounterChange,
  { plan, now }: { plan: Sql; now: Date },
): Promise<LimitedCounter[]> {
  const { orgId = null, userId = null, engine = null } = subject
  const [{ meter } = { meter: '' }] = changed
  const claim = key === null ? null : claimKey(tx.tenantId, { meter, key, now })
  return many(
    tx,
    sql<LimitedCounter>`${claim === null ? sql`` : sql`with claimed as (${claim})`} select meter, span, scope, subject_id as "subjectId", limited_name as "limitedName", used,
        max_amount as "limit", source as plan, effect, reached, is_refused as "isRefused"
      from ${claim === null ? sql`` : sql`claimed, lateral `}count_usage(${claim === null ? sql`${tx.tenantId}` : sql`claimed.tenant_id`},
        (${plan}), ${now}, ${day}, ${orgId}, ${userId}, ${engine},
        ${changed.map(({ meter }) => meter)}, ${changed.map(({ amount }) => amount)}::bigint[],
        ${changed.map(({ reserved }) => reserved)}::bigint[], ${changed.map(({ meter }) => meters[meter].atLimit)},
        ${isRefusable})`,
  )
}

/** The counters of a month that have a limit: of the tenant, and of its organization and user. `isRefused`: it is reached, and refuses. */
export function listLimited(
  tx: TenantScope,
  { meter, window, subject: { orgId, userId } }: { meter: UsedMeter; window: UsageWindow; subject: Subject },
  { plan, now }: { plan: Sql; now: Date },
): Promise<LimitedCounter[]> {
  const { tenantId } = tx
  const own = (scope: UsageScope, id: string | null | undefined): Sql =>
    id
      ? sql`union all select ${scope}, ${id}::uuid, o.*
          from usage_limit(${tenantId}, null, ${meter}, ${scope}, ${id}, ${window.from}, ${now}) o`
      : sql``
  return many(
    tx,
    sql<LimitedCounter>`select ${meter} as meter, 'month' as span, l.scope, l.subject_id as "subjectId",
        ${meter} as "limitedName", coalesce(c.amount, 0) as used, l.max_amount as "limit", l.source as plan,
        coalesce(l.effect, ${meters[meter].atLimit}) as effect, '{}'::smallint[] as reached,
        coalesce(l.effect, ${meters[meter].atLimit}) = 'REFUSE' and coalesce(c.amount, 0) >= l.max_amount as "isRefused"
      from (select 'tenant' as scope, ${tenantId}::uuid as subject_id, t.*
          from usage_tenant_limit(${tenantId}, (${plan}), ${meter}, ${window.from}, ${now}) t
        ${own('org', orgId)} ${own('user', userId)}) l
      left join usage_counters c on c.tenant_id = ${tenantId} and c.meter = ${meter} and c.span = 'month'
        and c.window_start = ${window.from} and c.scope = l.scope and c.subject_id = l.subject_id
      where l.max_amount is not null`,
  )
}

export type OpenReservation = {
  id: string
  meter: UsedMeter
  amount: number
  day: string
  orgId: string | null
  userId: string | null
}

export async function insertReservation(
  tx: TenantScope,
  { id, meter, amount, day, orgId, userId, createdAt }: OpenReservation & { createdAt: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into usage_reservations (tenant_id, id, meter, amount, day, org_id, user_id, created_at)
      values (${tx.tenantId}, ${id}, ${meter}, ${amount}, ${day}, ${orgId}, ${userId}, ${createdAt})`,
  )
}

/** Deletes a reservation and returns it. Null if it is closed already. */
export function closeReservation(tx: TenantScope, id: string): Promise<Omit<OpenReservation, 'id'> | null> {
  return maybeOne(
    tx,
    sql<Omit<OpenReservation, 'id'>>`delete from usage_reservations where tenant_id = ${tx.tenantId} and id = ${id}
      returning meter, amount, day::text, org_id as "orgId", user_id as "userId"`,
  )
}
