import type { Activity, ActivityWindow } from '../kernel/activity.ts'
import { activityColumns } from '../storage/activity.ts'
import { one, sql } from '../storage/query.ts'
import { rowCountExceptTenants } from '../storage/row-counts.ts'
import type { PlatformScope } from '../storage/scope.ts'

export type IdentityOverview = { tenants: number; users: number; newTenants: Activity; newUsers: Activity }

const deletedTenants = sql`select id from tenants where deleted_at is not null`

export async function readOverview(platform: PlatformScope, window: ActivityWindow): Promise<IdentityOverview> {
  const createdAt = sql`created_at`
  const { tenants, ...newTenants } = await one(
    platform,
    sql<Activity & { tenants: number }>`select count(*)::int as tenants,
        count(*) filter (where created_at >= ${window.today})::int as today,
        count(*) filter (where created_at >= ${window.weekAgo} and created_at < ${window.today})::int as "lastWeek"
      from tenants where deleted_at is null`,
  )
  const newUsers = await one(
    platform,
    sql<Activity>`select ${activityColumns(createdAt, window)} from users where created_at >= ${window.weekAgo}`,
  )
  return { tenants, users: await rowCountExceptTenants(platform, 'users', deletedTenants), newTenants, newUsers }
}
