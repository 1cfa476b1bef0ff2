import { many, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** `due`: a day, `YYYY-MM-DD`. */
export type OwnTask = { title: string; due: string | null }

/** The open tasks of a user in all organizations, the earliest due first: at most `max`, and how many there are. */
export async function listOwnTasks(
  scope: TenantScope,
  { userId, max }: { userId: string; max: number },
): Promise<{ tasks: OwnTask[]; count: number }> {
  const own = sql`from tasks t
    join organization_members m on m.tenant_id = t.tenant_id and m.org_id = t.org_id and m.user_id = t.assignee_id
    where t.tenant_id = ${scope.tenantId} and t.assignee_id = ${userId} and t.status in ('open', 'in_progress')`
  const tasks = await many(
    scope,
    sql<OwnTask>`select t.title, t.due::text as due ${own} order by t.due nulls last, t.created_at, t.id limit ${max}`,
  )
  const { count } = await one(scope, sql<{ count: number }>`select count(*)::int as count ${own}`)
  return { tasks, count }
}
