import type { Clock } from '../../kernel/clock.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Task, TaskConflict } from '../tasks/task.rules.ts'
import type { TaskChanges, TaskRecords } from '../tasks/task-record.ts'
import { deleteLink, findOrganizationOf, lockTaskOf, saveLink, setSync } from './linked-task.store.ts'

type Deps = { clock: Clock; events: EventBus; members: OrganizationMembers; records: TaskRecords }

export type LinkedTaskChange = Pick<TaskChanges, 'title' | 'status' | 'assigneeId' | 'assigneeName' | 'due'>

export type LinkedTasks = ReturnType<typeof linkedTasks>

/** Tasks that are kept equal with issues of trackers, as seen by who does that. */
export function linkedTasks({ clock, events, members, records }: Deps) {
  /** Locks the organization and the task. Null: it is gone. */
  async function lock(tx: TenantScope, id: string): Promise<Task | null> {
    const orgId = await findOrganizationOf(tx, id)
    if (orgId === null) return null
    await members.lockAny(tx, orgId)
    return lockTaskOf(tx, { orgId, id })
  }

  /** Changes a locked task as its tracker says, and shows where that replaced a change of ours. */
  async function change(
    tx: TenantScope,
    task: Task,
    { changes, conflicts }: { changes: LinkedTaskChange; conflicts: Omit<TaskConflict, 'at'>[] },
  ): Promise<void> {
    const at = clock.now().toISOString()
    const fields = conflicts.map(({ field }) => field)
    // Of a field only the latest conflict is of use.
    const earlier = task.conflicts.filter(({ field }) => !fields.includes(field))
    const shown = conflicts.length === 0 ? {} : { conflicts: [...earlier, ...conflicts.map((it) => ({ ...it, at }))] }
    await records.change(tx, task, { ...changes, ...shown }, { origin: 'tracker', actorId: null })
    if (conflicts.length === 0 || task.orgId === null) return
    await events.emit(tx, 'task.conflicted', { tenantId: tx.tenantId, orgId: task.orgId, taskId: task.id })
  }

  return { lock, change, saveLink, setSync, deleteLink, isMember: members.isMember }
}
