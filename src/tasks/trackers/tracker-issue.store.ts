import type { LinkedIssue } from '../../inbound/index.ts'
import { maybeOne, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Task } from '../tasks/task.rules.ts'
import { taskColumns } from '../tasks/task.store.ts'

/** The state of an issue that one delivery reported. */
export type IssueState = {
  connectionId: string
  issue: LinkedIssue
  /** The tracker's time. */
  updatedAt: Date
  receivedAt: Date
  effectKey: string
}

export type IssueChange = { id: string; action: 'created' | 'updated' | 'unchanged' }

/**
 * Creates the task of an issue, or takes the right to change it, unless a newer state is stored. Deliveries arrive
 * concurrently and out of order, so one statement decides: the later time of the tracker wins, then the later arrival, then
 * the greater effect key. The result does not depend on the order of writing.
 */
export async function upsertIssueTask(
  tx: TenantScope,
  { connectionId, issue, updatedAt, receivedAt, effectKey }: IssueState,
  { id: newId, now }: { id: string; now: Date },
): Promise<IssueChange> {
  const { status } = issue
  const changed = await maybeOne(
    tx,
    sql<{
      id: string
    }>`insert into tasks (tenant_id, id, title, status, assignee_name, due, source, connection_id, provider,
        external_id, external_key, external_url, external_updated_at, external_received_at, effect_key, link_sync,
        accepted_revision, created_at, updated_at, started_at, completed_at)
      values (${tx.tenantId}, ${newId}, ${issue.title}, ${status}, ${issue.assignee}, ${issue.due}, 'tracker',
        ${connectionId}, ${issue.provider}, ${issue.externalId}, ${issue.key}, ${issue.url}, ${updatedAt}, ${receivedAt},
        ${effectKey}, 'READ_ONLY', 1, ${now}, ${now}, ${status === 'in_progress' ? now : null}, ${status === 'done' ? now : null})
      on conflict (tenant_id, connection_id, external_id) do update set external_key = excluded.external_key,
        external_url = excluded.external_url, external_updated_at = excluded.external_updated_at,
        external_received_at = excluded.external_received_at, effect_key = excluded.effect_key
      where (tasks.external_updated_at, tasks.external_received_at, tasks.effect_key)
        < (excluded.external_updated_at, excluded.external_received_at, excluded.effect_key)
      returning id`,
  )
  if (changed !== null) return { id: changed.id, action: changed.id === newId ? 'created' : 'updated' }
  const { id } = await one(
    tx,
    sql<{ id: string }>`select id from tasks
      where tenant_id = ${tx.tenantId} and connection_id = ${connectionId} and external_id = ${issue.externalId}`,
  )
  return { id, action: 'unchanged' }
}

/** Whose board shows an issue. Null: there is no task of it, or it is on no board. */
export async function findIssueBoard(
  scope: TenantScope,
  { connectionId, issue }: Pick<IssueState, 'connectionId' | 'issue'>,
): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ orgId: string | null }>`select org_id as "orgId" from tasks
      where tenant_id = ${scope.tenantId} and connection_id = ${connectionId} and external_id = ${issue.externalId}`,
  )
  return found?.orgId ?? null
}

/** Whose board shows the issues of a connection. Null: nobody's. */
export async function findConnectionOrganization(
  scope: TenantScope,
  { connectionId }: Pick<IssueState, 'connectionId'>,
): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ orgId: string | null }>`select org_id as "orgId" from webhook_connections
      where tenant_id = ${scope.tenantId} and id = ${connectionId}`,
  )
  return found?.orgId ?? null
}

/** Refuses NOT_FOUND. */
export function lockTask(tx: TenantScope, id: string): Promise<Task> {
  return one(
    tx,
    sql<Task>`select ${taskColumns} from tasks t where t.tenant_id = ${tx.tenantId} and t.id = ${id} for no key update`,
  )
}
