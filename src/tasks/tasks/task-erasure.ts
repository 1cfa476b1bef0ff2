import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import { inTenant, type Scope, type TenantScope } from '../../storage/scope.ts'
import {
  type DeletedProposal,
  deleteProposals,
  deleteTasksOfOrganization,
  eraseEvidence,
  forgetConflicts,
  forgetProposed,
  unassignTasks,
} from './task-erasure.store.ts'
import { forgetAssignee } from './task-history.store.ts'
import type { RecordDeps } from './task-record.ts'
import { releaseTasks } from './task-release.ts'

/**
 * What happens to tasks when somebody leaves or is removed, when an organization or a meeting is deleted, and when a meeting
 * moves to another organization.
 */
export function eraseWithOthers({ clock, events, audit }: RecordDeps): void {
  events.on('org.member.left', async (scope, { tenantId, orgId, userId }) => {
    const tx = inTenant(scope, tenantId)
    const taskIds = await unassignTasks(tx, { orgId, userId, now: clock.now() })
    if (taskIds.length === 0) return
    const changes = { userId, tasks: taskIds.length }
    await audit(tx, { action: 'task.unassign', target: { type: 'org', id: orgId }, changes })
    await events.emit(tx, 'org.tasks.changed', { tenantId, orgId, taskIds })
  })
  // `organizations` gets the event first, and ends the memberships: only then is all in the history.
  events.on('user.removed', async (scope, { tenantId, userId }) => {
    const tx = inTenant(scope, tenantId)
    await forgetAssignee(tx, userId)
    await forgetConflicts(tx, userId)
  })
  events.on('org.deleted', async (scope, { tenantId, orgId, erased }) => {
    const tx = inTenant(scope, tenantId)
    const taskIds = await deleteTasksOfOrganization(tx, orgId)
    await eraseStoredAnswers(tx, taskIds)
    erased['tasks'] = taskIds.length
  })
  const eraseEvidenceOf = async (
    scope: Scope,
    { tenantId, meetingIds }: { tenantId: string; meetingIds: string[] },
  ) => {
    const tx = inTenant(scope, tenantId)
    await removeProposals(tx, meetingIds)
    const accepted = await eraseEvidence(tx, meetingIds)
    // Answers to changes of accepted tasks hold their evidence, too.
    await eraseStoredAnswers(
      tx,
      accepted.map(({ id }) => id),
    )
    for (const [orgId, changed] of Map.groupBy(accepted, (task) => task.orgId))
      if (orgId !== null)
        await events.emit(tx, 'org.tasks.changed', { tenantId, orgId, taskIds: changed.map(({ id }) => id) })
  }
  events.on('meetings.deleted', eraseEvidenceOf)
  events.on('transcript.erased', eraseEvidenceOf)
  events.on('meetings.moved', async (scope, { tenantId, meetingIds }) => {
    const tx = inTenant(scope, tenantId)
    const proposals = await removeProposals(tx, meetingIds)
    // Where the meeting is now, somebody may decide on them.
    const taskIds = proposals.filter(({ status }) => status === 'proposed').map(({ id }) => id)
    await forgetProposed(tx, { meetingIds, taskIds })
  })

  async function removeProposals(tx: TenantScope, meetingIds: string[]): Promise<DeletedProposal[]> {
    const proposals = await deleteProposals(tx, meetingIds)
    await releaseTasks(tx, proposals, events)
    return proposals
  }
}
