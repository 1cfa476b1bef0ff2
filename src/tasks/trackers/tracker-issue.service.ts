import type { HandleIssue, IssueForm, ReceivedDelivery } from '../../inbound/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { Limits } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { TaskRecords } from '../tasks/task-record.ts'
import { type PlacementDeps, placeOnBoard } from './placement.ts'
import {
  findBoards,
  findConnectionOrganization,
  type IssueState,
  lockTask,
  upsertIssueTask,
} from './tracker-issue.store.ts'

// A tracker's clock that is further ahead is wrong. It must not block later changes.
const clockSkewMsMax = 10 * 60 * 1000

export type TrackerDeps = PlacementDeps & { records: TaskRecords }

/**
 * Lets a task follow the issue of a tracker, on the board of the connection's organization. The setting `ownActor` of the
 * connection is our own name in the tracker.
 */
export function trackerIssueHandler({ clock, events, members, quotas, records }: TrackerDeps): HandleIssue {
  type Board = { orgId: string; limits: Limits | null }

  /** The board of the issue, locked; or that of the connection, with the tenant's limits, if the issue is on none yet. */
  async function lockBoard(tx: TenantScope, state: IssueState): Promise<Board | null> {
    const { ofIssue, ofConnection } = await findBoards(tx, state)
    if (ofIssue !== null) {
      await members.lockAny(tx, ofIssue)
      return { orgId: ofIssue, limits: null }
    }
    if (ofConnection === null) return null
    const limits = await quotas.lockLimits(tx, null)
    // Read again: while the tenant is locked, no connection moves to another organization.
    const orgId = await findConnectionOrganization(tx, state)
    if (orgId === null) return null
    await members.lockAny(tx, orgId)
    return { orgId, limits }
  }

  return async (tx, received, form) => {
    // Our own changes in the tracker come back as deliveries and would go round in a circle.
    if (form.actor !== null && form.actor === received.settings['ownActor'])
      return { kind: 'ignored', reason: 'The change was made by this service.' }
    const { issue } = form
    const now = clock.now()
    const state = {
      connectionId: received.connectionId,
      // Stored even if there was no task before: an older change that arrives later must not bring the issue back.
      issue: form.kind === 'issue.deleted' ? { ...issue, status: 'dismissed' as const } : issue,
      updatedAt: changeTime(form, received),
      receivedAt: received.receivedAt,
      effectKey: `task:${received.id}`,
    }
    const board = await lockBoard(tx, state)
    const { task, action } = await upsertIssueTask(tx, state, { id: newId(now), now })
    if (task.orgId !== null && task.orgId !== board?.orgId)
      throw new Error('The issue moved to another board meanwhile: its organization is not locked.')
    if (action === 'updated') {
      const { title, status, assignee, due } = state.issue
      await records.change(
        tx,
        task,
        { title, status, assigneeName: assignee, due },
        { origin: 'tracker', actorId: null },
      )
    }
    if (board !== null && board.limits !== null && task.orgId === null) {
      const { orgId, limits } = board
      await placeOnBoard(tx, { orgId, tasks: [await lockTask(tx, task.id)], limits }, events).catch(stayWithoutBoard)
    }
    return { kind: 'processed', effects: [{ kind: 'task', action, targetId: task.id, status: 'DONE' }] }
  }
}

/** An organization that is full loses no issue: administrators of the tenant see it, and its next change tries again. */
function stayWithoutBoard(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'QUOTA_EXCEEDED')) throw error
}

/** Some trackers send no time for a deletion. Then the arrival counts, which is after everything reported before. */
function changeTime({ kind, updatedAt, notBefore }: IssueForm, { occurredAt, receivedAt }: ReceivedDelivery): Date {
  const reported = updatedAt ?? (kind === 'issue.deleted' ? receivedAt : (occurredAt ?? receivedAt))
  const at = notBefore && notBefore > reported ? notBefore : reported
  return at.getTime() > receivedAt.getTime() + clockSkewMsMax ? receivedAt : at
}
