import type { UserCaller } from '../../http/access/callers.ts'
import { maybeOne, readPipelined, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { User } from '../users/user.rules.ts'
import { userColumns } from '../users/user.store.ts'
import type { SpentToken } from './session.rules.ts'

type EndReason = 'LOGOUT' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET' | 'REFRESH_REUSED' | 'USER_SUSPENDED'

/** The session and user of a refresh token. */
export type SessionHolder = { sessionId: string; sessionExpiresAt: Date; user: User }

type SessionColumns = { sessionId: string; sessionExpiresAt: Date }
type NewSession = { id: string; userId: string; createdAt: Date; expiresAt: Date }

export async function addSession(tx: TenantScope, { id, userId, createdAt, expiresAt }: NewSession): Promise<void> {
  await run(
    tx,
    sql`insert into user_sessions (tenant_id, id, user_id, created_at, expires_at, last_used_at)
      values (${tx.tenantId}, ${id}, ${userId}, ${createdAt}, ${expiresAt}, ${createdAt})`,
  )
}

type NewRefreshToken = { tokenHash: Buffer; sessionId: string; createdAt: Date; expiresAt: Date }

export async function addRefreshToken(tx: TenantScope, token: NewRefreshToken): Promise<void> {
  const { tokenHash, sessionId, createdAt, expiresAt } = token
  await run(
    tx,
    sql`insert into refresh_tokens (token_hash, tenant_id, session_id, created_at, expires_at)
      values (${tokenHash}, ${tx.tenantId}, ${sessionId}, ${createdAt}, ${expiresAt})`,
  )
}

/** Marks a valid refresh token as used and returns its session; null for any other. Of two parallel calls only one succeeds. */
export async function consumeRefreshToken(
  tx: TenantScope,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionHolder | null> {
  const row = await maybeOne(
    tx,
    sql<User & SessionColumns>`update refresh_tokens r set used_at = ${now}
      from user_sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
      where r.token_hash = ${tokenHash} and r.tenant_id = ${tx.tenantId} and r.used_at is null and r.expires_at > ${now}
        and s.tenant_id = r.tenant_id and s.id = r.session_id and s.revoked_at is null and s.expires_at > ${now}
      returning s.id as "sessionId", s.expires_at as "sessionExpiresAt", ${userColumns}`,
  )
  if (row === null) return null
  const { sessionId, sessionExpiresAt, ...user } = row
  return { sessionId, sessionExpiresAt, user }
}

export async function findRefreshToken(
  scope: TenantScope,
  tokenHash: Buffer,
): Promise<(SessionHolder & SpentToken) | null> {
  const row = await maybeOne(
    scope,
    sql<User & SpentToken & SessionColumns>`select r.used_at as "usedAt", r.expires_at as "expiresAt",
        s.id as "sessionId", s.expires_at as "sessionExpiresAt", s.revoked_at as "sessionRevokedAt", ${userColumns}
      from refresh_tokens r
        join user_sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id
        join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
      where r.token_hash = ${tokenHash} and r.tenant_id = ${scope.tenantId}`,
  )
  if (row === null) return null
  const { usedAt, expiresAt, sessionId, sessionExpiresAt, sessionRevokedAt, ...user } = row
  return { usedAt, expiresAt, sessionId, sessionExpiresAt, sessionRevokedAt, user }
}

export async function touchSession(tx: TenantScope, sessionId: string, now: Date): Promise<void> {
  await run(
    tx,
    sql`update user_sessions set last_used_at = ${now} where tenant_id = ${tx.tenantId} and id = ${sessionId}`,
  )
}

type Ending = { reason: EndReason; now: Date }

/** False if the session had already ended. */
export async function endSession(
  tx: TenantScope,
  { sessionId, reason, now }: Ending & { sessionId: string },
): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update user_sessions set revoked_at = ${now}, revoked_reason = ${reason}
      where tenant_id = ${tx.tenantId} and id = ${sessionId} and revoked_at is null`,
  )
  return ended > 0
}

/** Ends all sessions of a user, except `exceptSessionId`. */
export async function endUserSessions(
  tx: TenantScope,
  { userId, exceptSessionId = null, reason, now }: Ending & { userId: string; exceptSessionId?: string | null },
): Promise<void> {
  await run(
    tx,
    sql`update user_sessions set revoked_at = ${now}, revoked_reason = ${reason}
      where tenant_id = ${tx.tenantId} and user_id = ${userId} and revoked_at is null
        and (${exceptSessionId}::uuid is null or id <> ${exceptSessionId})`,
  )
}

/**
 * The caller with an access token of this session; null if the session has ended, or the user or tenant is gone. One
 * statement, because every request of a user runs it. Suspending a user ends its sessions, but this still finds the
 * suspended user, so that the refusal can say why.
 */
export function findUserCaller(
  platform: PlatformScope,
  sessionId: string,
  tenantId: string,
  now: Date,
): Promise<UserCaller | null> {
  return readPipelined(
    platform,
    sql<UserCaller>`select u.id, s.id as "sessionId", u.tenant_id as "tenantId", u.email, u.role,
        u.status = 'SUSPENDED' as "isUserSuspended", t.products as "tenantProducts", t.status = 'SUSPENDED' as "isTenantSuspended",
        (t.limits ->> 'requestsPerWindow')::int as "requestsPerWindow"
      from user_sessions s
        join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
        join tenants t on t.id = s.tenant_id
      where s.tenant_id = ${tenantId} and s.id = ${sessionId} and s.expires_at > ${now}
        and (s.revoked_at is null or u.status = 'SUSPENDED') and t.deleted_at is null`,
  )
}

/** Deletes sessions that ended before the given time, with their tokens, and tokens that expired before it. */
export async function deleteEndedSessions(platform: PlatformScope, before: Date): Promise<void> {
  await run(platform, sql`delete from user_sessions where revoked_at < ${before} or expires_at < ${before}`)
  await run(platform, sql`delete from refresh_tokens where expires_at < ${before}`)
}
