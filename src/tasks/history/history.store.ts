import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { isVisible, type Reader, type TaskKey } from '../tasks/task.store.ts'
import type { TaskChange } from '../tasks/task-history.store.ts'

export type ReadChange = TaskChange & { actorName: string | null }

/** Newest first. What was changed before a proposal was accepted is shown to readers of its meeting alone. */
export function listChanges(
  scope: TenantScope,
  { orgId, id }: TaskKey,
  { reader, ...page }: PageRequest & { reader: Reader },
): Promise<Page<ReadChange>> {
  return listPage<ReadChange>(scope, page, {
    columns: sql`c.task_id as "taskId", c.revision, c.field, c.from_value as "from", c.to_value as "to", c.origin,
      c.actor_id as "actorId", u.name as "actorName", c.at`,
    from: sql`from task_changes c join tasks t on t.tenant_id = c.tenant_id and t.id = c.task_id
      left join users u on u.tenant_id = c.tenant_id and u.id = c.actor_id
      where c.tenant_id = ${scope.tenantId} and c.task_id = ${id} and ${isVisible(scope, { orgId, reader })}
        and (c.revision >= t.accepted_revision or ${reader.readsMeeting})`,
    orderBy: sql`c.revision desc, c.field`,
  })
}
