import type { FieldError } from '../../kernel/refusal.ts'

/** Who may read a meeting beside its owner: nobody, all members of its organization, or those it is shared with. */
export const visibilities = ['private', 'org', 'members'] as const
export type Visibility = (typeof visibilities)[number]

export const shareAccesses = ['read', 'write'] as const
export type ShareAccess = (typeof shareAccesses)[number]

/** What a user may do with a meeting. Who has `write` may also read, and the owner may do everything. */
export const meetingAccesses = ['owner', 'write', 'read'] as const
export type MeetingAccess = (typeof meetingAccesses)[number]

/** Which meetings a list has: those of the user, those of others that the user may read, or both. */
export const meetingScopes = ['own', 'shared', 'all'] as const
export type MeetingScope = (typeof meetingScopes)[number]

export type Share = { userId: string; access: ShareAccess }

export type Sharing = { orgId: string | null; visibility: Visibility; sharedWith: Share[] }

export const notShared: Sharing = { orgId: null, visibility: 'private', sharedWith: [] }

/** As a request sends it. Absent members stay unchanged. Null is a share that does not fit the schema. */
export type SharingChange = {
  orgId?: string | null | undefined
  visibility?: Visibility | undefined
  sharedWith?: readonly (Share | null)[] | undefined
}

export function isSharingChange({ orgId, visibility, sharedWith }: SharingChange): boolean {
  return orgId !== undefined || visibility !== undefined || sharedWith !== undefined
}

/** In another organization nobody keeps a share, and without a `visibility` all members may read. */
export function changeSharing(current: Sharing, change: SharingChange): Sharing {
  const orgId = change.orgId === undefined ? current.orgId : change.orgId
  const isMoved = orgId !== current.orgId
  const implied = isMoved ? (orgId === null ? 'private' : 'org') : current.visibility
  const visibility = change.visibility ?? implied
  const kept = isMoved || visibility === 'private' ? [] : current.sharedWith
  const sharedWith = change.sharedWith?.filter((share) => share !== null) ?? kept
  return { orgId, visibility, sharedWith: sharedWith.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)) }
}

/** The sharing of a meeting as its owner sees it. */
export function sharingOf({
  orgId,
  visibility,
  sharedWith,
}: Omit<Sharing, 'sharedWith'> & { sharedWith: Share[] | null }): Sharing {
  return { orgId, visibility, sharedWith: sharedWith ?? [] }
}

export function isSameSharing(a: Sharing, b: Sharing): boolean {
  const facts = ({ orgId, visibility, sharedWith }: Sharing) =>
    JSON.stringify([orgId, visibility, sharedWith.map(({ userId, access }) => [userId, access])])
  return facts(a) === facts(b)
}

/** What is wrong in a change, no matter who asks for it. */
export function sharingFaults({ orgId, visibility, sharedWith }: Sharing, change: SharingChange): FieldError[] {
  const faults = duplicateFaults(change.sharedWith ?? [])
  if (visibility === 'private' && sharedWith.length > 0)
    faults.push({ path: '/body/sharedWith', code: 'unknown', message: 'must be empty while the meeting is private' })
  if (visibility !== 'private' && orgId === null)
    faults.push({ path: '/body/orgId', code: 'required', message: 'is required unless the meeting is private' })
  return faults
}

function duplicateFaults(shares: readonly (Share | null)[]): FieldError[] {
  const ids = shares.map((share) => share?.userId)
  return ids.flatMap((id, index) =>
    id === undefined || ids.indexOf(id) === index ? [] : [faultOfShare(index, 'duplicate', 'is listed twice')],
  )
}

/** Who is not in `others` cannot get a share. */
export function strangerFaults(shares: readonly (Share | null)[], others: ReadonlySet<string>): FieldError[] {
  return shares.flatMap((share, index) =>
    share === null || others.has(share.userId)
      ? []
      : [faultOfShare(index, 'unknown', 'must be another member of the organization')],
  )
}

function faultOfShare(index: number, code: string, message: string): FieldError {
  return { path: `/body/sharedWith/${index}/userId`, code, message }
}
