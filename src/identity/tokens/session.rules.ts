const dayMs = 24 * 3600 * 1000

/** After so long without a refresh a session has ended. */
const idleMs = 30 * dayMs
/** No session outlives this, however much it is used. */
const sessionMs = 90 * dayMs
/** Room for a lost answer and for two tabs that refresh at once; a thief's copy comes later than that. */
const graceMs = 30_000

export function sessionExpiry(now: Date): Date {
  return new Date(now.getTime() + sessionMs)
}

/** A refresh token lives as long as a session may idle, but never longer than its session. */
export function refreshExpiry(now: Date, sessionExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + idleMs, sessionExpiresAt.getTime()))
}

export type SpentToken = { usedAt: Date | null; expiresAt: Date; sessionExpiresAt: Date; sessionRevokedAt: Date | null }

/**
 * What a refresh token means that could not be taken (RFC 9700 section 4.14.2). REPEAT: its holder asks again and gets
 * the same successor. REUSED: two hold it, and nobody can tell which of them is the thief.
 */
export function classifySpentToken(token: SpentToken | null, now: Date): 'INVALID' | 'REPEAT' | 'REUSED' {
  if (token === null || token.usedAt === null || token.sessionRevokedAt !== null) return 'INVALID'
  if (token.expiresAt <= now || token.sessionExpiresAt <= now) return 'INVALID'
  return now.getTime() - token.usedAt.getTime() <= graceMs ? 'REPEAT' : 'REUSED'
}
