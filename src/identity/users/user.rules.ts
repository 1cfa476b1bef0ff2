import { normalizeEmail } from './email.rules.ts'

export const userRoles = ['USER', 'ADMIN'] as const
export type UserRole = (typeof userRoles)[number]
export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const

type UserStatus = (typeof userStatuses)[number]

/** An end user of a tenant; the hash of the password is no part of it. */
export type User = {
  id: string
  tenantId: string
  email: string
  name: string | null
  role: UserRole
  status: UserStatus
  emailVerified: boolean
  googleLinked: boolean
  lastLoginAt: Date | null
  createdAt: Date
}

const changeable = ['name', 'email', 'role', 'status'] as const

/** What can be changed of a user; an absent member stays as it is. */
type UserChange = Partial<Pick<User, (typeof changeable)[number]>>

/** A changed address is an unproven one. */
export function applyChange(user: User, change: UserChange): User {
  const next = { ...user, ...change }
  return { ...next, emailVerified: user.emailVerified && next.email === user.email }
}

type Differences = Partial<Record<(typeof changeable)[number], { from: unknown; to: unknown }>>

/** What an audit entry says of a change: each member that is now otherwise, before and after. Null: nothing is. */
export function changedMembers(before: User, after: User): Differences | null {
  const members = changeable.filter((member) => before[member] !== after[member])
  if (members.length === 0) return null
  return Object.fromEntries(members.map((member) => [member, { from: before[member], to: after[member] }]))
}

/** The name in a change: absent keeps, null clears. */
export function nameChange({ name }: { name?: string | null }): { name?: string | null } {
  return name === undefined ? {} : { name: name?.trim() ?? null }
}

/** What an audit entry about a user points at. */
export function auditTarget({ id }: User): { type: string; id: string } {
  return { type: 'user', id }
}

/** How an administrator looks for an address: the whole of it, or how it starts. */
export type EmailFilter = { kind: 'exact' | 'prefix'; text: string }

/** A complete address is meant as it is; anything else, and whatever ends in `*`, is the start of one. */
export function parseEmailFilter(text: string): EmailFilter {
  const email = normalizeEmail(text)
  if (email !== null) return { kind: 'exact', text: email }
  return { kind: 'prefix', text: text.normalize('NFKC').trim().toLowerCase().replace(/\*$/, '') }
}
