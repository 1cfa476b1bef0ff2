const dayMs = 24 * 3600 * 1000

/** A session ends after this long without a refresh. */
const idleMs = 30 * dayMs
/** A session ends after this long, however much it is used. */
const sessionMs = 90 * dayMs
/** Allows for a lost answer and for two tabs that refresh at once. A stolen copy is usually sent later. */
const graceMs = 30_000

export function sessionExpiry(now: Date): Date {
  return new Date(now.getTime() + sessionMs)
}

/** A refresh token is valid as long as a session may be idle, but never longer than its session. */
export function refreshExpiry(now: Date, sessionExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + idleMs, sessionExpiresAt.getTime()))
}

export type SpentToken = { usedAt: Date | null; expiresAt: Date; sessionExpiresAt: Date; sessionRevokedAt: Date | null }

/**
 * Classifies a refresh token that could not be consumed (RFC 9700 section 4.14.2). REPEAT: the client repeats its request
 * and gets the same successor. REUSED: two clients have the token, and nobody can tell which of them stole it.
 */
export function classifySpentToken(token: SpentToken | null, now: Date): 'INVALID' | 'REPEAT' | 'REUSED' {
  if (token === null || token.usedAt === null || token.sessionRevokedAt !== null) return 'INVALID'
  if (token.expiresAt <= now || token.sessionExpiresAt <= now) return 'INVALID'
  return now.getTime() - token.usedAt.getTime() <= graceMs ? 'REPEAT' : 'REUSED'
}
