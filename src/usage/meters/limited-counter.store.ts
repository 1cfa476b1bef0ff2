import { many, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { limitsOf, type UsageScope } from './counter.store.ts'
import { type LimitEffect, type LimitedName, meterOfLimit, meters, windowAt } from './meter.rules.ts'

/** What is used in the current window, and the limit of it. Stored things are not in counters: theirs is 0. */
export type CounterWithLimit = {
  name: LimitedName
  used: number
  reserved: number
  limit: number | null
  soft: number | null
  atLimit: LimitEffect
  /** The name of the plan, `OVERRIDE` or `OWN`. */
  limitedBy: string | null
  /** The tenant has the plan of the installation, and none by a license. */
  isDefaultPlan: boolean
}

export function readLimitedCounters(
  scope: TenantScope,
  {
    subject,
    names,
    plan,
    licensedPlan,
    now,
  }: {
    subject: { scope: UsageScope; id: string }
    names: LimitedName[]
    plan: Sql
    licensedPlan: Sql
    now: Date
  },
): Promise<CounterWithLimit[]> {
  const asked = names.map((name) => {
    const { meter, span } = meterOfLimit(name)
    return { name, meter, span, from: windowAt(now, span).from, atLimit: meters[meter].atLimit }
  })
  const given = sql`select meter, span, window_start, ${subject.scope}::text as scope, ${subject.id}::uuid as subject_id,
      limited_name, at_limit, place
    from unnest(${asked.map(({ meter }) => meter)}::text[], ${asked.map(({ span }) => span)}::text[],
        ${asked.map(({ from }) => from)}::date[], ${names}::text[], ${asked.map(({ atLimit }) => atLimit)}::text[])
      with ordinality as asked (meter, span, window_start, limited_name, at_limit, place)`
  // `limit 1`: each counter is found by its key. Else PostgreSQL joins them with all that the subject has ever had, and plans that
  // anew each time.
  return many(
    scope,
    sql<CounterWithLimit>`select l.limited_name as name, coalesce(c.amount, 0) as used, coalesce(c.reserved, 0) as reserved,
        l.max_amount as "limit", l.soft, l.effect as "atLimit", l.source as "limitedBy",
        (${licensedPlan}) is null as "isDefaultPlan"
      from (${limitsOf(scope, given, { plan, now })}) l
      left join lateral (select c.amount, c.reserved from usage_counters c where c.tenant_id = ${scope.tenantId}
        and c.meter = l.meter and c.span = l.span and c.window_start = l.window_start and c.scope = l.scope
        and c.subject_id = l.subject_id limit 1) c on true
      order by l.place`,
  )
}
