import { type FieldError, Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { conflictOf, normalized, type Task } from '../tasks/task.rules.ts'
import type { Tasks, User } from '../tasks/task.service.ts'
import { lockTasks, type ReadTask } from '../tasks/task.store.ts'
import type { TaskRecords } from '../tasks/task-record.ts'
import type { BulkChange } from './bulk.schema.ts'

export type BulkDeps = { tasks: Tasks; records: TaskRecords; members: OrganizationMembers }

export type Bulk = ReturnType<typeof bulkService>

export function bulkService({ tasks, records, members }: BulkDeps) {
  /**
   * Makes one change in many tasks, or none if one of them refuses it. Refuses NOT_FOUND, INSUFFICIENT_ROLE,
   * VALIDATION_ERROR, STATE_CONFLICT and QUOTA_EXCEEDED.
   */
  const change = (
    scope: TenantScope,
    user: User,
    { orgId, ...body }: BulkChange & { orgId: string },
  ): Promise<Task[]> =>
    transaction(scope, async (tx) => {
      await members.lock(tx, user, { orgId, least: 'member' })
      await tasks.requireAssignee(tx, { orgId, userId: body.change.assigneeId, path: '/body/change/assigneeId' })
      const found = await lockTasks(tx, { orgId, ids: body.ids }, tasks.readerOf(user))
      const byId = new Map(found.map((task) => [task.id, task]))
      refuseAny(body, byId)
      const asked = body.ids.map((id) => byId.get(id) as ReadTask)
      return records.changeAll(tx, asked, normalized(body.change), { origin: 'user', actorId: user.id })
    })

  return { change }
}

/** Refuses all tasks at once that are missing or do not allow the change, each by its place in `ids`. */
function refuseAny({ ids, change }: BulkChange, tasks: Map<string, ReadTask>): void {
  const missing: FieldError[] = []
  const conflicts: FieldError[] = []
  for (const [index, id] of ids.entries()) {
    const path = `/body/ids/${index}`
    const task = tasks.get(id)
    const conflict = task === undefined ? null : conflictOf(task, change)
    if (task === undefined) missing.push({ path, code: 'unknown', message: 'is not a task of the organization' })
    else if (conflict !== null)
      conflicts.push({ path, code: 'state', message: `refuses the change: ${conflict.detail}` })
  }
  const errors = [...missing, ...conflicts]
  if (errors.length === 0) return
  const code = missing.length > 0 ? 'VALIDATION_ERROR' : 'STATE_CONFLICT'
  const detail = `${errors.length} of ${ids.length} tasks refuse the change, so none was changed. \`errors\` names them.`
  throw new Refusal(code, { detail, errors })
}
