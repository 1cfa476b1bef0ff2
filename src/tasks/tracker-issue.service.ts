import type { HandleIssue, IssueForm, ReceivedDelivery } from '../inbound/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { upsertIssueTask } from './task.store.ts'

// A tracker's clock that is further ahead is wrong. It must not block later changes.
const clockSkewMsMax = 10 * 60 * 1000

/** Lets a task follow the issue of a tracker. The setting `ownActor` of the connection is our own name in the tracker. */
export function trackerIssueHandler(clock: Clock): HandleIssue {
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
    const { id, action } = await upsertIssueTask(tx, state, { id: newId(now), now })
    return { kind: 'processed', effects: [{ kind: 'task', action, targetId: id, status: 'DONE' }] }
  }
}

/** Some trackers send no time for a deletion. Then the arrival counts, which is after everything reported before. */
function changeTime({ kind, updatedAt, notBefore }: IssueForm, { occurredAt, receivedAt }: ReceivedDelivery): Date {
  const reported = updatedAt ?? (kind === 'issue.deleted' ? receivedAt : (occurredAt ?? receivedAt))
  const at = notBefore && notBefore > reported ? notBefore : reported
  return at.getTime() > receivedAt.getTime() + clockSkewMsMax ? receivedAt : at
}
