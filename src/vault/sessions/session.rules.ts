export const sessionStatuses = ['PENDING', 'ACTIVE', 'ENDED'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** How a session was opened. */
export const sessionSources = ['CONNECT'] as const
export type SessionSource = (typeof sessionSources)[number]

export const endReasons = [
  'CLIENT',
  'NEVER_CONNECTED',
  'IDLE_TIMEOUT',
  'DEVICE_REVOKED',
  'LICENSE_REVOKED',
  'LICENSE_EXPIRED',
  'QUOTA_EXCEEDED',
  'SERVER_DISABLED',
  'ADMIN',
] as const
export type EndReason = (typeof endReasons)[number]

export type Session = {
  id: string
  deviceId: string
  tenantId: string
  userId: string
  serverId: string
  licenseKeyHint: string
  status: SessionStatus
  source: SessionSource
  connectedAt: Date
  disconnectedAt: Date | null
  endReason: EndReason | null
  lastHandshakeAt: Date | null
  rxBytes: number
  txBytes: number
}

/** A locked session that is about to end. */
export type OpenSession = {
  id: string
  tenantId: string
  deviceId: string
  serverId: string
  status: SessionStatus
  connectedAt: Date
}

/** The use that a session took. */
export type SessionUse = { tenantId: string; licenseId: string; sessionId: string }

/** A PENDING session without a handshake for this long ends as NEVER_CONNECTED. */
const pendingMs = 120_000
/** WireGuard uses the keys of a handshake for this long (REJECT_AFTER_TIME, section 6.1 of its paper): a younger handshake means that the tunnel is up. */
export const keyLifeMs = 180_000
/** A live tunnel makes a handshake about every two minutes: here more than two were missed. */
const idleMs = 300_000

/** Sessions whose time lies at or before these are overdue. */
export function deadlines(now: Date): { pendingSince: Date; idleSince: Date } {
  return { pendingSince: new Date(now.getTime() - pendingMs), idleSince: new Date(now.getTime() - idleMs) }
}
