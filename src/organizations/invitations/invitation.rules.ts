import { secretToken } from '../../kernel/secret-token.ts'
import type { OrgRole } from '../role.rules.ts'

const storedStatuses = ['pending', 'accepted', 'declined', 'revoked'] as const
export const invitationStatuses = [...storedStatuses, 'expired'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

export type Invitation = {
  id: string
  orgId: string
  /** In its stored form: lower case. */
  email: string
  role: OrgRole
  /** An expired invitation is still stored as pending. */
  status: (typeof storedStatuses)[number]
  /** Null once the user was removed. */
  invitedBy: string | null
  mailId: string
  createdAt: Date
  expiresAt: Date
}

export const invitationToken = secretToken('atrinv_')

const dayMs = 24 * 3600 * 1000
const lifetimeMs = 7 * dayMs
/** How long an invitation is listed after its end. */
export const retentionMs = 90 * dayMs

/** An organization has no more at once. */
export const pendingMax = 200
/** An organization sends no more on one day, in UTC. */
export const sentPerDayMax = 100

export function invitationExpiry(now: Date): Date {
  return new Date(now.getTime() + lifetimeMs)
}

export function statusAt({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): InvitationStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}

/** The name in a mail to somebody who may not know the sender: no punctuation, so no address and no link. */
export function reducedName(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
}
