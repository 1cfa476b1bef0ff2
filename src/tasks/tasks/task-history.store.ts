import { run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ChangedField, Origin } from './task.rules.ts'

export type TaskChange = {
  taskId: string
  /** Of the task after the change. */
  revision: number
  field: ChangedField
  from: string | null
  to: string | null
  origin: Origin
  actorId: string | null
  at: Date
}

export async function insertChanges(tx: TenantScope, changes: TaskChange[]): Promise<void> {
  if (changes.length === 0) return
  await run(
    tx,
    sql`insert into task_changes (tenant_id, task_id, revision, field, from_value, to_value, origin, actor_id, at)
      select ${tx.tenantId}, c.* from unnest(${changes.map(({ taskId }) => taskId)}::uuid[],
        ${changes.map(({ revision }) => revision)}::int[], ${changes.map(({ field }) => field)}::text[],
        ${changes.map(({ from }) => from)}::text[], ${changes.map(({ to }) => to)}::text[],
        ${changes.map(({ origin }) => origin)}::text[], ${changes.map(({ actorId }) => actorId)}::uuid[],
        ${changes.map(({ at }) => at.toISOString())}::timestamptz[]) as c`,
  )
}

/** A removed user's id stays nowhere in the history. */
export async function forgetAssignee(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update task_changes set from_value = null
      where tenant_id = ${tx.tenantId} and field = 'assigneeId' and from_value = ${userId}`,
  )
  await run(
    tx,
    sql`update task_changes set to_value = null
      where tenant_id = ${tx.tenantId} and field = 'assigneeId' and to_value = ${userId}`,
  )
}
