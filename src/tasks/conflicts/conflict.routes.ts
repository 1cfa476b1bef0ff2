import { noContent } from '../../http/answer.ts'
import { requireRevision } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import type { Target, Tasks } from '../tasks/task.service.ts'
import type { TaskRecords } from '../tasks/task-record.ts'

type Deps = { tasks: Tasks; records: TaskRecords; members: OrganizationMembers }

export function conflictRoute({ tasks, records, members }: Deps): Route {
  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const dismiss = (scope: TenantScope, { user, orgId, id, ifMatch }: Target, field: string): Promise<void> =>
    transaction(scope, async (tx) => {
      await members.lock(tx, user, { orgId, least: 'member' })
      const task = await tasks.lock(tx, { user, orgId, id })
      requireRevision(ifMatch, task)
      const conflicts = task.conflicts.filter((conflict) => conflict.field !== field)
      if (conflicts.length === task.conflicts.length) throw notFound()
      await records.change(tx, task, { conflicts }, { origin: 'user', actorId: user.id })
    })

  return route({
    method: 'DELETE',
    path: `${base}/:taskId/conflicts/:field`,
    name: 'dismissOrgTaskConflict',
    tag,
    summary: 'Dismiss a conflict of a task with its issue',
    description:
      'For members, admins and owners. `field` is that of the conflict. Keeps the value of the tracker. To choose another value, change the task instead; that also ends the conflict.',
    access,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, taskId: id, field }, headers }) => {
      await dismiss(scope, { user, orgId, id, ifMatch: headers['if-match'] }, field)
      return noContent()
    },
  })
}
