import type { AdminRole } from '../../http/access/access.ts'
import { secretToken } from '../../kernel/secret-token.ts'

export const sessionLifetimeSeconds = 12 * 3600
/** A session that nobody uses for so long ends. */
export const idleSeconds = 3600
/** A use is written at most so often: that many seconds earlier, at worst, an idle session ends. */
export const activityStepSeconds = 30
export const confirmationSeconds = 600

/** The cookie of a session: 256 random bits. */
export const sessionSecret = secretToken('atrses_')

export type StoredBrowserSession = {
  id: string
  role: AdminRole
  /** Null for the key of the environment. */
  keyId: string | null
  keyName: string
  /** Null: signed in with the key itself. */
  signInLinkId: string | null
  ip: string | null
  createdAt: Date
  lastActiveAt: Date
  expiresAt: Date
  confirmedUntil: Date | null
}

/** When the session ends if nobody uses it. */
export function idleExpiry({
  lastActiveAt,
  expiresAt,
}: Pick<StoredBrowserSession, 'lastActiveAt' | 'expiresAt'>): Date {
  return new Date(Math.min(lastActiveAt.getTime() + idleSeconds * 1000, expiresAt.getTime()))
}

export function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
