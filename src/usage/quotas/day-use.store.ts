import { many, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { UsedMeter } from '../meters/meter.rules.ts'
import type { UsageSubject } from '../usage-subject.ts'

export type DayUse = { meter: UsedMeter; day: string; amount: number }

/** By meter and day, both days included. The cost grows with the subject's own uses of these days, and nothing else. */
export function readDayUses(
  scope: TenantScope,
  { subject, from, to }: { subject: UsageSubject; from: string; to: string },
): Promise<DayUse[]> {
  if (subject.scope === 'user')
    return many(
      scope,
      sql<DayUse>`select meter, day::text, sum(amount)::bigint as amount from usage_by_day
        where tenant_id = ${scope.tenantId} and user_id = ${subject.id} and day between ${from} and ${to} group by 1, 2`,
    )
  return many(
    scope,
    sql<DayUse>`select meter, window_start::text as day, amount from usage_counters
      where tenant_id = ${scope.tenantId} and scope = ${subject.scope} and subject_id = ${subject.id} and span = 'day'
        and window_start between ${from} and ${to}`,
  )
}
