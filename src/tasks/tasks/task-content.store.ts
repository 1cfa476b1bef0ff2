import { isId } from '../../kernel/ids.ts'
import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { TaskSource, TaskStatus } from './task.rules.ts'

/** What a task says, for those who write it elsewhere. It is of an organization, or of nobody any more. */
export type TaskContent = {
  orgId: string | null
  title: string
  description: string
  status: TaskStatus
  source: TaskSource
  isAccepted: boolean
  assigneeId: string | null
  /** It follows an issue of a tracker, and cannot become another one. */
  isReadOnly: boolean
  /** A day, `YYYY-MM-DD`. */
  due: string | null
}

/** Null for an unknown or malformed id. Whether somebody may read it is for the caller to ask. */
export async function findTaskContent(scope: TenantScope, taskId: string): Promise<TaskContent | null> {
  if (!isId(taskId)) return null
  return maybeOne(
    scope,
    sql<TaskContent>`select org_id as "orgId", title, description, status, source, accepted_revision is not null as "isAccepted",
        assignee_id as "assigneeId", coalesce(link_sync = 'READ_ONLY', false) as "isReadOnly", due::text as due from tasks where tenant_id = ${scope.tenantId} and id = ${taskId}`,
  )
}
