import type { HandleIssue, IssueForm, ReceivedDelivery } from '../inbound/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { followIssue } from './task.store.ts'

// A tracker's clock that is further ahead than this is wrong, and must not keep later changes out.
const clockSkewMsMax = 10 * 60 * 1000

/** A task follows the issue of a tracker. Of the connection's settings it reads `ownActor`: who we are in the tracker. */
export function trackerIssues(clock: Clock): HandleIssue {
  return async (tx, received, form) => {
    // What we wrote into the tracker comes back as a delivery, and would go round for ever.
    if (form.actor !== null && form.actor === received.settings['ownActor'])
      return { kind: 'ignored', reason: 'We made this change ourselves.' }
    const { issue } = form
    const now = clock.now()
    const state = {
      connectionId: received.connectionId,
      // Kept also where no task was made of it before: an older change that comes later must not bring it back.
      issue: form.kind === 'issue.deleted' ? { ...issue, status: 'dismissed' as const } : issue,
      updatedAt: changedAt(form, received),
      receivedAt: received.receivedAt,
      effectKey: `task:${received.id}`,
    }
    const { id, action } = await followIssue(tx, state, { id: newId(now), now })
    return { kind: 'processed', effects: [{ kind: 'task', action, targetId: id, status: 'DONE' }] }
  }
}

/** Not every tracker gives deletions a time of their own; then it is when the delivery came, which is after everything told before. */
function changedAt({ kind, updatedAt, notBefore }: IssueForm, { occurredAt, receivedAt }: ReceivedDelivery): Date {
  const told = updatedAt ?? (kind === 'issue.deleted' ? receivedAt : (occurredAt ?? receivedAt))
  const at = notBefore && notBefore > told ? notBefore : told
  return at.getTime() > receivedAt.getTime() + clockSkewMsMax ? receivedAt : at
}
