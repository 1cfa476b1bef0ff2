import { many, type Parameter, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { claimKey, type Subject, type UsageScope } from './counter.store.ts'
import { type LimitEffect, meters, type UsageWindow, type UsedMeter } from './meter.rules.ts'

/** The limit of one counter. `percents`: its thresholds, in ascending order. */
export type LimitInForce = {
  scope: UsageScope
  subjectId: string
  limit: number
  plan: string
  effect: LimitEffect
  percents: number[]
}

/** The limits that hold for uses of a meter by one subject, until `endsAt` or until the revision is another one. */
export type LimitsInForce = { revision: string; endsAt: Date | null; limits: LimitInForce[] }

export type MeterOfSubject = { meter: UsedMeter; subject: Subject; window: UsageWindow }

/** Changes with everything that decides about limits of a tenant, but the time. Each tenant has one. */
const revisionOf = (tenantId: Parameter | string): Sql =>
  sql`(select revision from usage_limit_revisions where tenant_id = ${tenantId})`

/** @param planEnd when the plan may be another one, though nothing is changed; null: never. */
export async function readLimitsInForce(
  tx: TenantScope,
  { meter, subject: { orgId = null, userId = null }, window }: MeterOfSubject,
  { plan, planEnd, now }: { plan: Sql; planEnd: Sql; now: Date },
): Promise<LimitsInForce> {
  const { tenantId } = tx
  // All in one statement: the limits and the revision are of one moment.
  const rows = await many(
    tx,
    sql<{ [K in keyof LimitInForce]: LimitInForce[K] | null } & Omit<LimitsInForce, 'limits'>>`
      select v.scope, v.subject_id as "subjectId", l.max_amount as "limit", l.source as plan, l.percents,
        coalesce(l.effect, ${meters[meter].atLimit}) as effect, ${revisionOf(tenantId)} as revision,
        least((select min(until) from usage_overrides where tenant_id = ${tenantId} and meter = ${meter} and until > ${now}),
          (${planEnd})) as "endsAt"
      from (values ('tenant', ${tenantId}::uuid), ('org', ${orgId}), ('user', ${userId})) v (scope, subject_id),
        lateral (select (${plan}) as plan) p,
        lateral usage_limit(${tenantId}, p.plan, ${meter}, v.scope, v.subject_id, ${window.from}, ${now}) l
      where v.subject_id is not null`,
  )
  const { revision: read, endsAt } = rows[0] as Pick<LimitsInForce, 'revision' | 'endsAt'>
  const limits = rows.filter(({ limit }) => limit !== null) as LimitInForce[]
  return { revision: read, endsAt, limits: limits.map(toLimit) }
}

function toLimit({ scope, subjectId, limit, plan, effect, percents }: LimitInForce): LimitInForce {
  return { scope, subjectId, limit, plan, effect, percents }
}

/** The counter of a month after a use, and the revision of the limits. */
export type Counted = { scope: UsageScope; amount: number; revision: string }

/** A statement that changes rows. */
export type Statement = Sql

export async function runStatement(tx: TenantScope, statement: Statement): Promise<void> {
  await run(tx, statement)
}

/**
 * Adds a use of one meter to all counters and to the uses of the day. Each value is sent once: in the embedded database values
 * cost more than rows. Returns nothing for a key that the meter had before: then nothing was added.
 * @param use `write` changes rows too, in the same statement: a statement of its own costs as much as half of the counting.
 */
export function addUse(
  tx: TenantScope,
  use: MeterOfSubject & { day: string; amount: number; key: string | null; write: Sql | null },
  now: Date,
): Promise<Counted[]> {
  const { meter: name, subject, window, day: ofDay, amount: added, key, write } = use
  const tenant = sql.parameter(tx.tenantId)
  const meter = sql.parameter(name)
  const month = sql.parameter(window.from)
  const day = sql.parameter(ofDay)
  const amount = sql.parameter(added)
  const org = subject.orgId ? sql.parameter(subject.orgId) : null
  const user = subject.userId ? sql.parameter(subject.userId) : null
  // The tenant first, in the order in which `count_usage` locks them.
  const others = [
    ...(org === null ? [] : [sql`, (${tenant}, ${meter}, 'month', ${month}, 'org', ${org}::uuid, ${amount})`]),
    ...(org === null ? [] : [sql`, (${tenant}, ${meter}, 'day', ${day}, 'org', ${org}, ${amount})`]),
    ...(user === null ? [] : [sql`, (${tenant}, ${meter}, 'month', ${month}, 'user', ${user}::uuid, ${amount})`]),
  ]
  const claim = key === null ? null : claimKey(tenant, { meter, key, now })
  const onlyIfClaimed = claim === null ? sql`` : sql` where exists (select from claimed)`
  return many(
    tx,
    sql<Counted>`with turn as materialized (select pg_advisory_xact_lock(usage_turn(${tenant}::uuid, ${meter}::text))),
      ${claim === null ? sql`` : sql`claimed as (${claim}), `}counted as (
        insert into usage_counters as c (tenant_id, meter, span, window_start, scope, subject_id, amount)
        select once.* from turn, (values (${tenant}, ${meter}, 'month', ${month}::date, 'tenant', ${tenant}, ${amount}::bigint),
          (${tenant}, ${meter}, 'day', ${day}::date, 'tenant', ${tenant}, ${amount})${sql.join(others, sql``)}) once${onlyIfClaimed}
        on conflict (tenant_id, meter, span, window_start, scope, subject_id) do update set
          amount = least(c.amount + excluded.amount, 9007199254740991)
        returning c.scope, c.span, c.amount
      ), by_day as (
        insert into usage_by_day as d (tenant_id, day, meter, org_id, user_id, engine, amount)
        select * from (values (${tenant}, ${day}, ${meter}, ${org}::uuid, ${user}::uuid, ${subject.engine ?? null}::text,
          ${amount})) once${onlyIfClaimed}
        on conflict (tenant_id, day, meter, org_id, user_id, engine) do update set
          amount = least(d.amount + excluded.amount, 9007199254740991)
      )${write === null ? sql`` : sql`, written as (${write})`}
      select c.scope, c.amount, ${revisionOf(tenant)} as revision from counted c where c.span = 'month'`,
  )
}

/** The thresholds of a counter, in percent, that are reached and were not told for this limit. */
export async function findReached(
  tx: TenantScope,
  { meter, window }: MeterOfSubject,
  { scope, subjectId, limit, percents }: LimitInForce,
  used: number,
): Promise<number[]> {
  const rows = await many(
    tx,
    sql<{
      reached: number[]
    }>`select usage_reached(${tx.tenantId}, ${meter}, 'month', ${window.from}, ${scope}, ${subjectId},
      ${used}::bigint, ${limit}::bigint, ${percents}::smallint[]) as reached`,
  )
  return rows[0]?.reached ?? []
}
