import type { ActivityWindow } from '../kernel/activity.ts'
import { type Sql, sql } from './sql.ts'

/** The columns of an `Activity`, over rows from `weekAgo` on. */
export function activityColumns(column: Sql, { today }: ActivityWindow): Sql {
  return sql`count(*) filter (where ${column} >= ${today})::int as today, count(*) filter (where ${column} < ${today})::int as "lastWeek"`
}
