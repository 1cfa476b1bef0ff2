import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { limitsOf } from '../meters/counter.store.ts'
import { type LimitedName, meterOfLimit, meters, windowAt } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'

export type RankedTenant = { tenantId: string; name: string; amount: number; reserved: number; limit: number | null }

export type RankingQuestion = {
  name: LimitedName
  /** Only those that have used more than so many percent of their limit. */
  over: number | null
  planOf: MeteringDeps['planOf']
  now: Date
}

/**
 * Tenants by what they have used in the current window, most first. Without `over` an index gives the page; with it the limits
 * of all tenants that have used the meter are compared.
 */
export function listTenantsByUse(
  platform: PlatformScope,
  page: PageRequest,
  { name, over, planOf, now }: RankingQuestion,
): Promise<Page<RankedTenant>> {
  const { meter, span } = meterOfLimit(name)
  const counters = sql`select tenant_id, meter, span, window_start, scope, subject_id, amount, reserved,
      ${name}::text as limited_name, ${meters[meter].atLimit}::text as at_limit
    from usage_counters where meter = ${meter} and span = ${span} and window_start = ${windowAt(now, span).from}
      and scope = 'tenant'`
  const withLimits = (given: Sql) => {
    const tenantId = sql`g.tenant_id`
    return sql`(${limitsOf({ tenantId }, given, { plan: planOf({ tenantId }, now), now })}) u
      join tenants t on t.id = u.tenant_id and t.deleted_at is null`
  }
  return listPage(platform, page, {
    columns: sql`u.tenant_id as "tenantId", t.name, u.amount, u.reserved, u.max_amount as "limit"`,
    from: sql`from ${withLimits(counters)} where ${over}::int is null
      or (u.amount + u.reserved) * 100.0 > u.max_amount * ${over}::numeric`,
    orderBy: sql`u.amount desc, u.tenant_id`,
    ...(over === null && {
      countFrom: sql`from (${counters}) u join tenants t on t.id = u.tenant_id and t.deleted_at is null`,
    }),
  })
}
