import type { Activity, ActivityWindow } from '../../kernel/activity.ts'
import { one, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

export type UsageOverview = { apiCalls: Activity; validations: Activity; connections: Activity }

type Sums = Record<`${keyof UsageOverview}${'Today' | 'LastWeek'}`, number>

/** Of all tenants. A call shows here about a minute later. */
export async function readUsageOverview(
  platform: PlatformScope,
  { today, weekAgo }: ActivityWindow,
): Promise<UsageOverview> {
  const day = today.toISOString().slice(0, 10)
  const sums = await one(
    platform,
    sql<Sums>`select
        coalesce(sum(api_calls) filter (where day = ${day}), 0)::float8 as "apiCallsToday",
        coalesce(sum(api_calls) filter (where day < ${day}), 0)::float8 as "apiCallsLastWeek",
        coalesce(sum(validations) filter (where day = ${day}), 0)::float8 as "validationsToday",
        coalesce(sum(validations) filter (where day < ${day}), 0)::float8 as "validationsLastWeek",
        coalesce(sum(connections) filter (where day = ${day}), 0)::float8 as "connectionsToday",
        coalesce(sum(connections) filter (where day < ${day}), 0)::float8 as "connectionsLastWeek"
      from usage_metrics where day >= ${weekAgo.toISOString().slice(0, 10)} and day <= ${day}`,
  )
  return {
    apiCalls: { today: sums.apiCallsToday, lastWeek: sums.apiCallsLastWeek },
    validations: { today: sums.validationsToday, lastWeek: sums.validationsLastWeek },
    connections: { today: sums.connectionsToday, lastWeek: sums.connectionsLastWeek },
  }
}
