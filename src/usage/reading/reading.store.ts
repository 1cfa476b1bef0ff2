import { many, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { UsedMeter } from '../meters/meter.rules.ts'
import type { UsageSubject } from '../usage-subject.ts'
import type { GroupName, UsageLine } from './reading.rules.ts'

export type UsageQuestion = {
  subject: UsageSubject
  /** Both included. */
  from: string
  to: string
  meters: UsedMeter[]
  groupBy: GroupName
  linesMax: number
}

/** At most one line more than `linesMax`. The days of tenants and organizations are read from their counters, which are few. */
export function readUsage(scope: TenantScope, question: UsageQuestion): Promise<UsageLine[]> {
  const { subject, groupBy, linesMax } = question
  const isDetailed = subject.scope === 'user' || ['org', 'user', 'engine'].includes(groupBy)
  return many(
    scope,
    sql<UsageLine>`select ${groupColumns[groupBy]} as "group", meter,
        least(sum(amount), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as amount
      from (${isDetailed ? detailedUses(scope, question) : dayCounters(scope, question)}) uses
      group by 1, 2 order by 1 nulls last, 2 limit ${linesMax + 1}`,
  )
}

const groupColumns: Record<GroupName, Sql> = {
  day: sql`day::text`,
  // From Monday on.
  week: sql`date_trunc('week', day::timestamp)::date::text`,
  month: sql`date_trunc('month', day::timestamp)::date::text`,
  meter: sql`meter`,
  org: sql`org_id::text`,
  user: sql`user_id::text`,
  engine: sql`engine`,
}

function detailedUses({ tenantId }: TenantScope, { subject, from, to, meters }: UsageQuestion): Sql {
  const ofSubject = {
    tenant: sql`true`,
    org: sql`org_id = ${subject.id}`,
    user: sql`user_id = ${subject.id}`,
  }[subject.scope]
  return sql`select day, meter, org_id, user_id, engine, amount from usage_by_day
    where tenant_id = ${tenantId} and ${ofSubject} and day between ${from} and ${to} and meter = any (${meters}::text[])
      and amount > 0`
}

function dayCounters({ tenantId }: TenantScope, { subject, from, to, meters }: UsageQuestion): Sql {
  return sql`select window_start as day, meter, amount from usage_counters
    where tenant_id = ${tenantId} and scope = ${subject.scope} and subject_id = ${subject.id} and span = 'day'
      and window_start between ${from} and ${to} and meter = any (${meters}::text[]) and amount > 0`
}
