import type { LinkedIssue } from '../inbound/index.ts'
import { maybeOne, one, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'

/** The state of an issue that one delivery reported. */
export type IssueState = {
  connectionId: string
  issue: LinkedIssue
  /** The tracker's time. */
  updatedAt: Date
  receivedAt: Date
  effectKey: string
}

export type TaskChange = { id: string; action: 'created' | 'updated' | 'unchanged' }

/**
 * Creates or updates the task of an issue, unless a newer state is stored. Deliveries arrive concurrently and out of
 * order, so one statement decides: the later time of the tracker wins, then the later arrival, then the greater effect
 * key. The result does not depend on the order of writing.
 */
export async function upsertIssueTask(
  tx: TenantScope,
  { connectionId, issue, updatedAt, receivedAt, effectKey }: IssueState,
  newTask: { id: string; now: Date },
): Promise<TaskChange> {
  const changed = await maybeOne(
    tx,
    sql<{ id: string }>`insert into tasks (tenant_id, id, title, status, assignee, due, source, connection_id, provider,
        external_id, external_key, external_url, external_updated_at, external_received_at, effect_key, created_at, updated_at)
      values (${tx.tenantId}, ${newTask.id}, ${issue.title}, ${issue.status}, ${issue.assignee}, ${issue.due}, 'tracker',
        ${connectionId}, ${issue.provider}, ${issue.externalId}, ${issue.key}, ${issue.url}, ${updatedAt}, ${receivedAt},
        ${effectKey}, ${newTask.now}, ${newTask.now})
      on conflict (tenant_id, connection_id, external_id) do update set title = excluded.title, status = excluded.status,
        assignee = excluded.assignee, due = excluded.due, external_key = excluded.external_key,
        external_url = excluded.external_url, external_updated_at = excluded.external_updated_at,
        external_received_at = excluded.external_received_at, effect_key = excluded.effect_key, updated_at = excluded.updated_at
      where (tasks.external_updated_at, tasks.external_received_at, tasks.effect_key)
        < (excluded.external_updated_at, excluded.external_received_at, excluded.effect_key)
      returning id`,
  )
  if (changed !== null) return { id: changed.id, action: changed.id === newTask.id ? 'created' : 'updated' }
  const { id } = await one(
    tx,
    sql<{ id: string }>`select id from tasks
      where tenant_id = ${tx.tenantId} and connection_id = ${connectionId} and external_id = ${issue.externalId}`,
  )
  return { id, action: 'unchanged' }
}
