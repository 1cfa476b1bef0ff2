import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import { listPage, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { limitsOf } from '../meters/counter.store.ts'
import { type LimitedName, meterOfLimit, meters, type UsedMeter, windowAt } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { limitOfStock, type StockMeter } from '../quotas/quota.rules.ts'
import { stockAmounts } from '../quotas/stock-threshold.store.ts'

export type RankedTenant = { tenantId: string; name: string; amount: number; reserved: number; limit: number | null }

export type RankingQuestion = {
  name: LimitedName
  /** Only those that have used more than so many percent of their limit. */
  over: number | null
  planOf: MeteringDeps['planOf']
  defaultLimits: DefaultLimits
  now: Date
}

/**
 * Tenants by what they have used in the current window or store now, most first. Without `over` an index gives the page of
 * what is counted; with it the limits of all tenants that have used the meter are compared.
 */
export function listTenantsByUse(
  platform: PlatformScope,
  page: PageRequest,
  { name, over, planOf, defaultLimits, now }: RankingQuestion,
): Promise<Page<RankedTenant>> {
  const { meter } = meterOfLimit(name)
  const isStock = meter in limitOfStock
  const rows = isStock ? stockRows(meter as StockMeter, now) : counterRows(name, now)
  const limit = isStock ? lowerLimit(meter as StockMeter, defaultLimits) : sql`u.max_amount`
  const tenantId = sql`g.tenant_id`
  const withLimits = sql`(${limitsOf({ tenantId }, rows, { plan: planOf({ tenantId }, now), now })}) u
    join tenants t on t.id = u.tenant_id and t.deleted_at is null`
  return listPage(platform, page, {
    columns: sql`u.tenant_id as "tenantId", t.name, u.amount, u.reserved, ${limit} as "limit"`,
    from: sql`from ${withLimits} where ${over}::int is null
      or (u.amount + u.reserved) * 100.0 > ${limit} * ${over}::numeric`,
    orderBy: sql`u.amount desc, u.tenant_id`,
    ...(over === null && {
      countFrom: sql`from (${rows}) u join tenants t on t.id = u.tenant_id and t.deleted_at is null`,
    }),
  })
}

function counterRows(name: LimitedName, now: Date): Sql {
  const { meter, span } = meterOfLimit(name)
  return sql`select tenant_id, meter, span, window_start, scope, subject_id, amount, reserved,
      ${name}::text as limited_name, ${meters[meter as UsedMeter].atLimit}::text as at_limit
    from usage_counters where meter = ${meter} and span = ${span} and window_start = ${windowAt(now, span).from}
      and scope = 'tenant'`
}

function stockRows(meter: StockMeter, now: Date): Sql {
  return sql`select tenant_id, ${windowAt(now, 'month').from}::date as window_start, 'tenant' as scope,
      tenant_id as subject_id, ${stockAmounts[meter]}::bigint as amount, 0::bigint as reserved,
      ${meter}::text as limited_name, ${meters[meter].atLimit}::text as at_limit
    from tenant_storage where ${stockAmounts[meter]} > 0`
}

/** Of what is stored the lower of two limits holds: that of the plan, and the older one that is stored with the tenant. */
function lowerLimit(meter: StockMeter, defaultLimits: DefaultLimits): Sql {
  const name = limitOfStock[meter]
  return sql`least(u.max_amount, case when t.limits ? ${name}::text then (t.limits ->> ${name}::text)::bigint
    else ${defaultLimits[name]}::bigint end)`
}
