import { normalizeEmail } from './email.rules.ts'

export const userRoles = ['USER', 'ADMIN'] as const
export type UserRole = (typeof userRoles)[number]
export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const

type UserStatus = (typeof userStatuses)[number]

/** An end user of a tenant, without the password hash. */
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

/** Absent members keep their value. */
type UserChange = Partial<Pick<User, (typeof changeable)[number]>>

/** The user after a change. A new address is not verified. */
export function applyChange(user: User, change: UserChange): User {
  const next = { ...user, ...change }
  return { ...next, emailVerified: user.emailVerified && next.email === user.email }
}

type Differences = Partial<Record<(typeof changeable)[number], { from: unknown; to: unknown }>>

/** The changed members with their old and new values, for the audit log; null if nothing changed. */
export function changedMembers(before: User, after: User): Differences | null {
  const members = changeable.filter((member) => before[member] !== after[member])
  if (members.length === 0) return null
  return Object.fromEntries(members.map((member) => [member, { from: before[member], to: after[member] }]))
}

/** The name of a change, trimmed. Absent keeps the name, null clears it. */
export function nameChange({ name }: { name?: string | null }): { name?: string | null } {
  return name === undefined ? {} : { name: name?.trim() ?? null }
}

/** The target of an audit entry about a user. */
export function auditTarget({ id }: User): { type: string; id: string } {
  return { type: 'user', id }
}

/** A search for a complete address or for the start of one. */
export type EmailFilter = { kind: 'exact' | 'prefix'; text: string }

/** A complete address is searched as it is. Anything else, or a text that ends in `*`, is the start of an address. */
export function parseEmailFilter(text: string): EmailFilter {
  const email = normalizeEmail(text)
  if (email !== null) return { kind: 'exact', text: email }
  return { kind: 'prefix', text: text.normalize('NFKC').trim().toLowerCase().replace(/\*$/, '') }
}
