import { isId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Meeting, MeetingForUser } from './meeting.rules.ts'
import { findMeeting, lockMeeting } from './meeting.store.ts'
import type { MeetingAccess } from './sharing.rules.ts'

type Caller = { id: string }

/** What a change needs. */
export type NeededAccess = Exclude<MeetingAccess, 'read'>

/**
 * A meeting that the user may read. Refuses with NOT_FOUND, in the same way for a missing meeting and for somebody
 * else's.
 */
export async function getMeeting(scope: TenantScope, user: Caller, id: string): Promise<MeetingForUser> {
  const meeting = isId(id) ? await findMeeting(scope, { id, userId: user.id }) : null
  if (meeting === null) throw notFound()
  return meeting
}

/** Refuses with NOT_FOUND also those who may only read or write the meeting. */
export async function requireOwnMeeting(scope: TenantScope, user: Caller, id: string): Promise<void> {
  if ((await getMeeting(scope, user, id)).access !== 'owner') throw notFound()
}

/**
 * A meeting and what was read of it. The access is checked before and after: the meeting may have been closed to a reader,
 * or handed to another owner, and what was written since is for others alone. Refuses with NOT_FOUND.
 */
export async function readMeeting<T>(
  scope: TenantScope,
  { user, id }: { user: Caller; id: string },
  read: (meeting: MeetingForUser) => Promise<T>,
): Promise<{ meeting: MeetingForUser; found: T }> {
  const meeting = await getMeeting(scope, user, id)
  const found = await read(meeting)
  await getMeeting(scope, user, id)
  return { meeting, found }
}

/** The meeting, locked until the transaction ends. Refuses with NOT_FOUND, and readers with INSUFFICIENT_ROLE. */
export async function lockMeetingFor(
  tx: TenantScope,
  { user, id }: { user: Caller; id: string },
  needed: NeededAccess,
): Promise<Meeting> {
  if (!isId(id)) throw notFound()
  const meeting = await lockMeeting(tx, id)
  if (meeting.userId === user.id) return meeting
  // In a statement of its own, which sees what was shared while the lock was waited for.
  requireAccess(await getMeeting(tx, user, id), needed)
  return meeting
}

/** Refuses with INSUFFICIENT_ROLE. */
export function requireAccess({ access }: Pick<MeetingForUser, 'access'>, needed: NeededAccess): void {
  if (access === 'owner' || access === needed) return
  const detail =
    needed === 'owner'
      ? 'Only the owner of the meeting may do this.'
      : 'The meeting is shared with you for reading. Its owner decides who may change it.'
  throw new Refusal('INSUFFICIENT_ROLE', { detail })
}
