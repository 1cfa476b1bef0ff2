import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { EndReason, OpenSession, Session, SessionStatus, SessionUse } from './session.rules.ts'

// Bytes as float8: exact up to 2^53, nine petabytes, and a number in JavaScript.
export const sessionColumns = sql`s.id, s.device_id as "deviceId", s.tenant_id as "tenantId", s.user_id as "userId", s.server_id as "serverId",
  s.license_key_hint as "licenseKeyHint", s.status, s.source, s.connected_at as "connectedAt", s.disconnected_at as "disconnectedAt",
  s.end_reason as "endReason", s.last_handshake_at as "lastHandshakeAt", s.rx_bytes::float8 as "rxBytes", s.tx_bytes::float8 as "txBytes"`

/** Null also for another user's session. */
export function findSession(scope: TenantScope, userId: string, id: string): Promise<Session | null> {
  return maybeOne(
    scope,
    sql<Session>`select ${sessionColumns} from vpn_sessions s where s.tenant_id = ${scope.tenantId} and s.id = ${id} and s.user_id = ${userId}`,
  )
}

export function findOpenSession(scope: TenantScope, deviceId: string): Promise<Session | null> {
  return maybeOne(
    scope,
    sql<Session>`select ${sessionColumns} from vpn_sessions s
      where s.tenant_id = ${scope.tenantId} and s.device_id = ${deviceId} and s.status <> 'ENDED'`,
  )
}

/** The device's last session, open or ended. */
export function findLastSession(scope: TenantScope, deviceId: string): Promise<Session | null> {
  return maybeOne(
    scope,
    sql<Session>`select ${sessionColumns} from vpn_sessions s
      where s.tenant_id = ${scope.tenantId} and s.device_id = ${deviceId} order by s.connected_at desc, s.id desc limit 1`,
  )
}

export async function countOpenSessions(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{
      total: number
    }>`select count(*)::int as total from vpn_sessions where tenant_id = ${tx.tenantId} and status <> 'ENDED'`,
  )
  return total
}

/** Reads an index that holds only open sessions. */
export async function countOpenSessionsOfAll(platform: PlatformScope): Promise<number> {
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from vpn_sessions where status <> 'ENDED'`,
  )
  return total
}

export type SessionFilter = { userId: string; status: SessionStatus | null; deviceId: string | null }

export async function listSessions(
  scope: TenantScope,
  { userId, status, deviceId }: SessionFilter,
  page: PageRequest,
): Promise<Page<Session>> {
  const found = sql`from vpn_sessions s where s.tenant_id = ${scope.tenantId} and s.user_id = ${userId}
    and (${status}::text is null or s.status = ${status}) and (${deviceId}::uuid is null or s.device_id = ${deviceId})`
  return listPage<Session>(scope, page, {
    columns: sessionColumns,
    from: found,
    orderBy: sql`s.connected_at desc, s.id desc`,
  })
}

export type NewSession = {
  id: string
  deviceId: string
  userId: string
  serverId: string
  licenseId: string
  licenseKeyHint: string
  status: SessionStatus
  connectedAt: Date
}

export function insertSession(tx: TenantScope, session: NewSession): Promise<Session> {
  const { id, deviceId, userId, serverId, licenseId, licenseKeyHint, status, connectedAt } = session
  return one(
    tx,
    sql<Session>`insert into vpn_sessions as s (tenant_id, id, device_id, user_id, server_id, license_id, license_key_hint, status, source, connected_at)
      values (${tx.tenantId}, ${id}, ${deviceId}, ${userId}, ${serverId}, ${licenseId}, ${licenseKeyHint}, ${status}, 'CONNECT', ${connectedAt})
      returning ${sessionColumns}`,
  )
}

const openColumns = sql`s.id, s.tenant_id as "tenantId", s.device_id as "deviceId", s.server_id as "serverId",
  s.status, s.connected_at as "connectedAt"`

/** Selects sessions; several members must all match. */
export type SessionSelector = {
  sessionId?: string
  userId?: string | null
  deviceId?: string
  licenseId?: string
  serverId?: string
}

/** Locks the selected open sessions and their devices in the order of ids. A tenant's scope selects only its own. */
export function lockOpenSessions(
  tx: Scope,
  { sessionId, userId = null, deviceId, licenseId, serverId }: SessionSelector,
): Promise<OpenSession[]> {
  const reach = [
    sql`s.status <> 'ENDED'`,
    ...(tx.kind === 'tenant' ? [sql`s.tenant_id = ${tx.tenantId}`] : []),
    ...(sessionId === undefined ? [] : [sql`s.id = ${sessionId}`]),
    ...(userId === null ? [] : [sql`s.user_id = ${userId}`]),
    ...(deviceId === undefined ? [] : [sql`s.device_id = ${deviceId}`]),
    ...(licenseId === undefined ? [] : [sql`s.license_id = ${licenseId}`]),
    ...(serverId === undefined ? [] : [sql`s.server_id = ${serverId}`]),
  ]
  return many(
    tx,
    sql<OpenSession>`select ${openColumns} from vpn_sessions s join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
      where ${sql.join(reach, sql` and `)} order by d.tenant_id, d.id for update of d, s`,
  )
}

/** Locks the device's open session if its license has ended. The caller has locked the device. */
export function lockExpiredSession(tx: TenantScope, deviceId: string, now: Date): Promise<OpenSession[]> {
  return many(
    tx,
    sql<OpenSession>`select ${openColumns} from vpn_sessions s join licenses l on l.tenant_id = s.tenant_id and l.id = s.license_id
      where s.tenant_id = ${tx.tenantId} and s.device_id = ${deviceId} and s.status <> 'ENDED' and l.expires_at <= ${now} for update of s`,
  )
}

export type Overdue = { now: Date; pendingSince: Date; idleSince: Date; onlineSince: Date; limit: number }

/**
 * Locks overdue sessions and says why each ends. Rows that another node has locked are skipped. A silent node proves
 * nothing about its sessions. The license's end is read from the license, as it may have changed since.
 */
export function lockOverdueSessions(
  tx: PlatformScope,
  { now, pendingSince, idleSince, onlineSince, limit }: Overdue,
): Promise<(OpenSession & { reason: EndReason })[]> {
  const isWatched = sql`(v.has_agent and v.last_seen_at >= ${onlineSince})`
  // While the node was silent, and before the device moved to it, no handshake could be reported.
  const since = (moment: Sql) => sql`greatest(${moment}, v.online_since, s.moved_at)`
  return many(
    tx,
    sql<OpenSession & { reason: EndReason }>`select ${openColumns}, due.reason from vpn_sessions s
      join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
      join vpn_servers v on v.id = s.server_id
      join licenses l on l.tenant_id = s.tenant_id and l.id = s.license_id
      cross join lateral (select case
        when l.expires_at <= ${now} then 'LICENSE_EXPIRED'
        when v.status = 'DISABLED' then 'SERVER_DISABLED'
        when ${isWatched} and s.status = 'PENDING' and ${since(sql`s.connected_at`)} <= ${pendingSince} then 'NEVER_CONNECTED'
        when ${isWatched} and s.status = 'ACTIVE' and ${since(sql`coalesce(s.last_handshake_at, s.connected_at)`)} <= ${idleSince} then 'IDLE_TIMEOUT'
        end as reason) due
      where s.status <> 'ENDED' and due.reason is not null
      order by d.tenant_id, d.id limit ${limit} for update of d, s skip locked`,
  )
}

/** Continues the device's open session on another server. The caller has locked the device. */
export async function moveSession(
  tx: TenantScope,
  { deviceId, serverId, now }: { deviceId: string; serverId: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update vpn_sessions s set server_id = v.id, moved_at = ${now}, status = case when v.has_agent then s.status else 'ACTIVE' end
      from vpn_servers v where s.tenant_id = ${tx.tenantId} and s.device_id = ${deviceId} and s.status <> 'ENDED' and v.id = ${serverId}`,
  )
}

/** Ends locked open sessions. For one that is still PENDING, and so never connected, the license is owed its use. */
export async function closeSessions(
  tx: Scope,
  sessions: OpenSession[],
  { reason, now }: { reason: EndReason; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update vpn_sessions s set status = 'ENDED', end_reason = ${reason}, disconnected_at = ${now}, is_use_owed = s.status = 'PENDING'
      from unnest(${sessions.map(({ tenantId }) => tenantId)}::uuid[], ${sessions.map(({ id }) => id)}::uuid[]) as ended (tenant_id, id)
      where s.tenant_id = ended.tenant_id and s.id = ended.id`,
  )
}

/** Claims uses that the caller must now give back. Skips those that another node has claimed. */
export function claimOwedUses(tx: PlatformScope, limit: number): Promise<SessionUse[]> {
  return claimUses(tx, sql`is_use_owed`, limit)
}

/** Claims uses that were given back too early, and that the caller must now take again. Skips as `claimOwedUses` does. */
export function claimDueUses(tx: PlatformScope, limit: number): Promise<SessionUse[]> {
  return claimUses(tx, sql`is_use_due`, limit)
}

function claimUses(tx: PlatformScope, column: Sql, limit: number): Promise<SessionUse[]> {
  return many(
    tx,
    sql<SessionUse>`with claimed as materialized (
        select tenant_id, id from vpn_sessions where ${column} limit ${limit} for update skip locked
      )
      update vpn_sessions s set ${column} = false from claimed where s.tenant_id = claimed.tenant_id and s.id = claimed.id
      returning s.tenant_id as "tenantId", s.license_id as "licenseId", s.id as "sessionId"`,
  )
}

export type UsageDay = { day: string; connections: number; rxBytes: number; txBytes: number }

/** Sessions of the user by the UTC day of their connect; days without any are left out. */
export function usageByDay(
  scope: TenantScope,
  { userId, from, until }: { userId: string; from: Date; until: Date },
): Promise<UsageDay[]> {
  return many(
    scope,
    sql<UsageDay>`select (connected_at at time zone 'UTC')::date::text as day, count(*)::int as connections,
        sum(rx_bytes)::float8 as "rxBytes", sum(tx_bytes)::float8 as "txBytes"
      from vpn_sessions
      where tenant_id = ${scope.tenantId} and user_id = ${userId} and connected_at >= ${from} and connected_at < ${until}
      group by 1 order by 1`,
  )
}
