import { randomBytes } from 'node:crypto'
import type { UserCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Audit } from '../audit/audit.store.ts'
import type { User } from '../users/user.rules.ts'
import type { AccessTokens } from './access-token.ts'
import { hashRefreshToken, newRefreshToken, successorToken } from './refresh-token.rules.ts'
import { classifySpentToken, refreshExpiry, sessionExpiry } from './session.rules.ts'
import {
  addRefreshToken,
  addSession,
  consumeRefreshToken,
  endSession,
  endUserSessions,
  findRefreshToken,
  type SessionHolder,
  touchSession,
} from './session.store.ts'

/** The result of a login or a refresh. `expiresIn` is in seconds. */
export type IssuedTokens = { accessToken: string; refreshToken: string; expiresIn: number; user: User }

export type SessionDeps = { clock: Clock; secrets: Pick<Secrets, 'derive'>; audit: Audit; tokens: AccessTokens }

export type Sessions = ReturnType<typeof sessionService>

export function sessionService({ clock, secrets, audit, tokens }: SessionDeps) {
  const successorSecret = secrets.derive('refresh')

  const issueTokens = (session: { user: User; sessionId: string }, refreshToken: string, now: Date): IssuedTokens => {
    const { id: userId, tenantId, role } = session.user
    const { token, expiresIn } = tokens.sign({ userId, tenantId, role, sessionId: session.sessionId, now })
    return { accessToken: token, refreshToken, expiresIn, user: session.user }
  }

  /** Starts a session, in the transaction of the login. */
  const start = async (tx: TenantScope, user: User, now: Date): Promise<IssuedTokens> => {
    const sessionId = newId(now)
    const expiresAt = sessionExpiry(now)
    const refreshToken = newRefreshToken(randomBytes)
    await addSession(tx, { id: sessionId, userId: user.id, createdAt: now, expiresAt })
    await storeRefreshToken(tx, refreshToken, { sessionId, sessionExpiresAt: expiresAt }, now)
    return issueTokens({ user, sessionId }, refreshToken, now)
  }

  /** Exchanges a refresh token for its successor and a new access token. Refuses REFRESH_INVALID and REFRESH_REUSED. */
  const refresh = async (scope: TenantScope, token: string): Promise<IssuedTokens> => {
    const tokenHash = hashRefreshToken(token)
    if (tokenHash === null) throw new Refusal('REFRESH_INVALID')
    const now = clock.now()
    const successor = successorToken(token, successorSecret)
    const outcome = await transaction(scope, async (tx) => {
      const holder = await consumeRefreshToken(tx, tokenHash, now)
      if (holder === null) return handleSpentToken(tx, tokenHash, now)
      await storeRefreshToken(tx, successor, holder, now)
      await touchSession(tx, holder.sessionId, now)
      return holder
    })
    // Refuse only after the commit: a rollback would undo the end of a stolen session.
    if (outcome === 'INVALID' || outcome === 'REUSED') throw new Refusal(`REFRESH_${outcome}`)
    return issueTokens(outcome, successor, now)
  }

  const handleSpentToken = async (
    tx: TenantScope,
    tokenHash: Buffer,
    now: Date,
  ): Promise<SessionHolder | 'INVALID' | 'REUSED'> => {
    const spent = await findRefreshToken(tx, tokenHash)
    const kind = classifySpentToken(spent, now)
    if (spent === null || kind === 'INVALID') return 'INVALID'
    if (kind === 'REPEAT') return spent
    const { sessionId, user } = spent
    if (await endSession(tx, { sessionId, reason: 'REFRESH_REUSED', now })) {
      const target = { type: 'user', id: user.id }
      await audit(tx, { action: 'user.refresh_reused', target, outcome: 'DENIED', changes: { sessionId } })
    }
    return 'REUSED'
  }

  /** Ends the caller's session, or with `all` every session of the user. */
  const end = (scope: TenantScope, caller: UserCaller, all: boolean): Promise<void> =>
    transaction(scope, async (tx) => {
      const ending = { reason: 'LOGOUT', now: clock.now() } as const
      if (all) await endUserSessions(tx, { userId: caller.id, ...ending })
      else await endSession(tx, { sessionId: caller.sessionId, ...ending })
      await audit(tx, { action: 'user.logout', target: { type: 'user', id: caller.id }, changes: { all } })
    })

  return { start, refresh, end }
}

type TokenSession = Pick<SessionHolder, 'sessionId' | 'sessionExpiresAt'>

async function storeRefreshToken(
  tx: TenantScope,
  token: string,
  { sessionId, sessionExpiresAt }: TokenSession,
  now: Date,
): Promise<void> {
  const tokenHash = hashRefreshToken(token)
  if (tokenHash === null) throw new Error('A new refresh token has an invalid format.')
  await addRefreshToken(tx, { tokenHash, sessionId, createdAt: now, expiresAt: refreshExpiry(now, sessionExpiresAt) })
}
