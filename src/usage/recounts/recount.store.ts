import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { UsageScope } from '../meters/counter.store.ts'
import type { MeterName } from '../meters/meter.rules.ts'

/** A counter that is not the sum of the uses behind it. `window`: its first day; null for what is stored. */
export type Difference = {
  meter: MeterName
  scope: UsageScope
  subjectId: string
  span: 'month' | 'day' | null
  window: string | null
  counted: number
  expected: number
  /** Put right. */
  isCorrected: boolean
}

/** More would explain nothing. */
const differencesMax = 1000

/** Compares counters with the uses of days since `from`, the first day of a month. All are of one moment. */
export function findDifferences(scope: TenantScope, from: string): Promise<Difference[]> {
  const { tenantId } = scope
  return many(
    scope,
    sql<Difference>`with uses as materialized (
        select meter, day, date_trunc('month', day::timestamp)::date as month, org_id, user_id, amount
        from usage_by_day where tenant_id = ${tenantId} and day >= ${from}
      ), expected as (
        select meter, 'day' as span, day as window_start, 'tenant' as scope, ${tenantId}::uuid as subject_id, sum(amount) as amount
          from uses group by meter, day
        union all select meter, 'month', month, 'tenant', ${tenantId}::uuid, sum(amount) from uses group by meter, month
        union all select meter, 'day', day, 'org', org_id, sum(amount) from uses where org_id is not null group by meter, day, org_id
        union all select meter, 'month', month, 'org', org_id, sum(amount) from uses where org_id is not null
          group by meter, month, org_id
        union all select meter, 'month', month, 'user', user_id, sum(amount) from uses where user_id is not null
          group by meter, month, user_id
      ), counted as (
        select meter, span, window_start, scope, subject_id, amount from usage_counters
        where tenant_id = ${tenantId} and window_start >= ${from} and (scope <> 'user' or span = 'month')
      )
      select meter, scope, subject_id as "subjectId", span, window_start::text as "window",
        coalesce(c.amount, 0)::bigint as counted, coalesce(e.amount, 0)::bigint as expected, false as "isCorrected"
      from counted c full join expected e using (meter, span, window_start, scope, subject_id)
      where coalesce(c.amount, 0) <> coalesce(e.amount, 0)
      order by meter, scope, span, window_start, subject_id limit ${differencesMax}`,
  )
}

/** How many meetings were counted on each day since `from`. */
export async function findMeetingCounts(scope: TenantScope, from: string): Promise<ReadonlyMap<string, number>> {
  const { tenantId } = scope
  const rows = await many(
    scope,
    sql<{ day: string; amount: number }>`select window_start::text as day, amount from usage_counters
      where tenant_id = ${tenantId} and meter = 'meetings' and span = 'day' and window_start >= ${from} and scope = 'tenant'
        and subject_id = ${tenantId}`,
  )
  return new Map(rows.map(({ day, amount }) => [day, amount]))
}

export async function listTenants(platform: PlatformScope): Promise<string[]> {
  const rows = await many(platform, sql<{ id: string }>`select id from tenants where erased_at is null order by id`)
  return rows.map(({ id }) => id)
}

export type Recount = { id: string; createdAt: Date; finishedAt: Date | null; differences: Difference[] | null }

export async function insertRecount(tx: TenantScope, { id, now }: { id: string; now: Date }): Promise<Recount> {
  await run(tx, sql`insert into usage_recounts (tenant_id, id, created_at) values (${tx.tenantId}, ${id}, ${now})`)
  return { id, createdAt: now, finishedAt: null, differences: null }
}

export async function finishRecount(
  tx: TenantScope,
  { id, differences, now }: { id: string; differences: Difference[]; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update usage_recounts set finished_at = ${now}, differences = ${JSON.stringify(differences)}::jsonb
      where tenant_id = ${tx.tenantId} and id = ${id} and finished_at is null`,
  )
}

export function findRecount(scope: TenantScope, id: string): Promise<Recount | null> {
  return maybeOne(
    scope,
    sql<Recount>`select id, created_at as "createdAt", finished_at as "finishedAt", differences from usage_recounts
      where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}
