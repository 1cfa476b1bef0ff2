import type { LinkedIssue } from '../../inbound/index.ts'
import { maybeOne, one, readPipelined, sql } from '../../storage/query.ts'
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

export type IssueChange = { task: Task; action: 'created' | 'updated' | 'unchanged' }

/**
 * Creates the task of an issue, or takes the right to change it, unless a newer state is stored. The task is locked.
 * Deliveries arrive concurrently and out of order, so one statement decides: the later time of the tracker wins, then the
 * later arrival, then the greater effect key. The result does not depend on the order of writing.
 */
export async function upsertIssueTask(
  tx: TenantScope,
  { connectionId, issue, updatedAt, receivedAt, effectKey }: IssueState,
  { id: newId, now }: { id: string; now: Date },
): Promise<IssueChange> {
  const { status } = issue
  const changed = await maybeOne(
    tx,
    sql<Task>`insert into tasks as t (tenant_id, id, title, status, assignee_name, due, source, connection_id, provider,
        external_id, external_key, external_url, external_updated_at, external_received_at, effect_key, link_sync,
        accepted_revision, created_at, updated_at, started_at, completed_at)
      values (${tx.tenantId}, ${newId}, ${issue.title}, ${status}, ${issue.assignee}, ${issue.due}, 'tracker',
        ${connectionId}, ${issue.provider}, ${issue.externalId}, ${issue.key}, ${issue.url}, ${updatedAt}, ${receivedAt},
        ${effectKey}, 'READ_ONLY', 1, ${now}, ${now}, ${status === 'in_progress' ? now : null}, ${status === 'done' ? now : null})
      on conflict (tenant_id, connection_id, external_id) do update set external_key = excluded.external_key,
        external_url = excluded.external_url, external_updated_at = excluded.external_updated_at,
        external_received_at = excluded.external_received_at, effect_key = excluded.effect_key
      where (t.external_updated_at, t.external_received_at, t.effect_key)
        < (excluded.external_updated_at, excluded.external_received_at, excluded.effect_key)
      returning ${taskColumns}`,
  )
  if (changed !== null) return { task: changed, action: changed.id === newId ? 'created' : 'updated' }
  const task = await one(
    tx,
    sql<Task>`select ${taskColumns} from tasks t where t.tenant_id = ${tx.tenantId} and t.connection_id = ${connectionId}
      and t.external_id = ${issue.externalId} for no key update`,
  )
  return { task, action: 'unchanged' }
}

/**
 * Whose board shows an issue, and whose shows the issues of its connection. Null: nobody's; `ofIssue` is also null where
 * there is no task of it.
 */
export async function findBoards(
  scope: TenantScope,
  { connectionId, issue }: Pick<IssueState, 'connectionId' | 'issue'>,
): Promise<{ ofIssue: string | null; ofConnection: string | null }> {
  const found = await readPipelined(
    scope,
    sql<{ ofIssue: string | null; ofConnection: string | null }>`select
        (select org_id from tasks where tenant_id = ${scope.tenantId} and connection_id = ${connectionId}
          and external_id = ${issue.externalId}) as "ofIssue",
        (select org_id from webhook_connections where tenant_id = ${scope.tenantId} and id = ${connectionId}) as "ofConnection"`,
  )
  return found ?? { ofIssue: null, ofConnection: null }
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
