import { isId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Meeting } from './meeting.rules.ts'
import { findMeeting, lockMeeting } from './meeting.store.ts'

type Caller = { id: string }

/** Whether the user may read the meeting: only the owner may. */
function mayRead(user: Caller, meeting: Meeting): boolean {
  return meeting.userId === user.id
}

/**
 * A meeting that the user may read. Refuses with NOT_FOUND, in the same way for a missing meeting and for somebody
 * else's.
 */
export async function getMeeting(scope: TenantScope, user: Caller, id: string): Promise<Meeting> {
  const meeting = isId(id) ? await findMeeting(scope, id) : null
  if (meeting === null || !mayRead(user, meeting)) throw notFound()
  return meeting
}

/** The user's own meeting, locked until the transaction ends. Refuses with NOT_FOUND. */
export async function lockOwnMeeting(tx: TenantScope, user: Caller, id: string): Promise<Meeting> {
  if (!isId(id)) throw notFound()
  const meeting = await lockMeeting(tx, id)
  if (meeting.userId !== user.id) throw notFound()
  return meeting
}
