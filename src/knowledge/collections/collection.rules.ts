import type { OrgRole } from '../../organizations/index.ts'

export const accessWords = ['open', 'restricted'] as const
/** `open`: to all members of the organization. `restricted`: to the listed ones. */
export type CollectionAccess = (typeof accessWords)[number]

export const memberAccessWords = ['read', 'write'] as const
export type MemberAccess = (typeof memberAccessWords)[number]

export type CollectionMember = { userId: string; access: MemberAccess }

/** A collection as somebody sees it who may read it. */
export type Collection = {
  id: string
  orgId: string
  name: string
  access: CollectionAccess
  members: CollectionMember[]
  documentCount: number
  revision: number
  createdAt: Date
  updatedAt: Date
  /** What the list says of the reader; null for who is not in it. */
  ownAccess: MemberAccess | null
}

export const collectionsMax = 200
export const membersMax = 200

type Rights = Pick<Collection, 'access' | 'ownAccess'>

/** Adds documents. A viewer of the organization never does. */
export function mayWrite({ access, ownAccess }: Rights, role: OrgRole): boolean {
  return role !== 'viewer' && (access === 'open' || ownAccess === 'write')
}

/** Changes and deletes the collection, and others' documents in it. A role alone opens no restricted one. */
export function mayManage(collection: Rights, role: OrgRole): boolean {
  return collection.access === 'open' ? role === 'owner' || role === 'admin' : mayWrite(collection, role)
}

export const historyActions = ['created', 'updated', 'memberSet', 'memberRemoved'] as const
export type HistoryAction = (typeof historyActions)[number]

export type CollectionChange = {
  revision: number
  action: HistoryAction
  fields: string[]
  actorId: string | null
  userId: string | null
  at: Date
}
