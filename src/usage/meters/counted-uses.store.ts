import { many, type Sql, sql } from '../../storage/query.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { LimitedCounter, PlanOf } from './counter.store.ts'
import { type CountedMeter, dayStart, windowAt } from './meter.rules.ts'
import type { CounterInWindow } from './usage-exceeded.ts'

/** Uses of a day that were counted in memory. */
export type CountedUse = {
  tenantId: string
  day: string
  meter: CountedMeter
  orgId: string | null
  userId: string | null
  amount: number
}

/** Counters that have reached thresholds, by tenant. */
export type ReachedCounters = { tenantId: string; reached: CounterInWindow[] }[]

/** Adds uses to the counters, with a statement for each tenant and day, in this order. The tenants must exist. */
export async function addCountedUses(
  tx: PlatformScope,
  uses: CountedUse[],
  { planOf, now }: { planOf: PlanOf; now: Date },
): Promise<ReachedCounters> {
  const all: ReachedCounters = []
  const byDay = Map.groupBy(uses, ({ tenantId, day }) => `${tenantId} ${day}`)
  for (const [, ofDay] of [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { tenantId, day } = ofDay[0] as CountedUse
    const scope = scopeToTenant(tx, tenantId)
    const counters = await addUsesOfDay(scope, { day, uses: ofDay }, { plan: planOf(scope, now), now })
    const reached = counters.map((counter) => ({ counter, window: windowAt(dayStart(day), counter.span) }))
    if (reached.length > 0) all.push({ tenantId, reached })
  }
  return all
}

type TenantUses = { meter: CountedMeter; day: string; uses: { tenantId: string; amount: number }[] }

/** Adds uses of one meter and day to the counters of many tenants, in one statement. The tenants must exist. */
export async function addTenantUses(
  tx: PlatformScope,
  { meter, day, uses }: TenantUses,
  { planOf, now }: { planOf: PlanOf; now: Date },
): Promise<ReachedCounters> {
  const rows = await many(
    tx,
    sql<LimitedCounter & { tenantId: string }>`select t.tenant_id as "tenantId", ${counterColumns}
      from (select * from unnest(${uses.map(({ tenantId }) => tenantId)}::uuid[], ${uses.map(({ amount }) => amount)}::bigint[])
          as u (tenant_id, amount) order by tenant_id) t,
        lateral count_usage_of_day(t.tenant_id, (${planOf({ tenantId: sql`t.tenant_id` }, now)}), ${now}, ${day},
          array[${meter}], array[null::uuid], array[null::uuid], array[t.amount])`,
  )
  return rows.map(({ tenantId, ...counter }) => ({
    tenantId,
    reached: [{ counter, window: windowAt(dayStart(day), counter.span) }],
  }))
}

const counterColumns = sql`meter, span, scope, subject_id as "subjectId", limited_name as "limitedName", used,
  max_amount as "limit", source as plan, effect, reached, is_refused as "isRefused"`

/** Returns the counters that have reached thresholds. What is counted like this is refused nowhere. */
function addUsesOfDay(
  tx: TenantScope,
  { day, uses }: { day: string; uses: CountedUse[] },
  { plan, now }: { plan: Sql; now: Date },
): Promise<LimitedCounter[]> {
  return many(
    tx,
    sql<LimitedCounter>`select ${counterColumns}
      from count_usage_of_day(${tx.tenantId}, (${plan}), ${now}, ${day}, ${uses.map(({ meter }) => meter)},
        ${uses.map(({ orgId }) => orgId)}::uuid[], ${uses.map(({ userId }) => userId)}::uuid[],
        ${uses.map(({ amount }) => amount)}::bigint[])`,
  )
}
