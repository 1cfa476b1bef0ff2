export const deviceStatuses = ['ACTIVE', 'SUSPENDED', 'REVOKED'] as const
export type DeviceStatus = (typeof deviceStatuses)[number]

export const peerStates = ['NONE', 'PENDING', 'APPLIED', 'REMOVING'] as const
export type PeerState = (typeof peerStates)[number]

/** What suspends a device: a suspended tenant or user. It is active again once both are active. */
export type SuspendedBy = 'TENANT' | 'USER'

export type Device = {
  id: string
  tenantId: string
  userId: string
  deviceName: string
  deviceType: string
  publicKey: string
  assignedIp: string
  assignedIpv6: string
  status: DeviceStatus
  isPeerWanted: boolean
  /** Whether the server's node has acknowledged the last change of the peer. */
  isPeerAcknowledged: boolean
  serverId: string
  region: string
  endpointHost: string
  endpointPort: number
  hasAgent: boolean
  /** When the node of the server last reported. */
  lastSeenAt: Date | null
  configVersion: number
  lastHandshakeAt: Date | null
  rxBytes: number
  txBytes: number
  createdAt: Date
  revokedAt: Date | null
  /** When the server's node removed the revoked device. */
  removalConfirmedAt: Date | null
}

/** How far the server has applied the device. Without an agent nobody reports, so what is wanted counts as applied. */
export function peerState({
  hasAgent,
  isPeerWanted,
  isPeerAcknowledged,
}: Pick<Device, 'hasAgent' | 'isPeerWanted' | 'isPeerAcknowledged'>): PeerState {
  const isDone = !hasAgent || isPeerAcknowledged
  if (isPeerWanted) return isDone ? 'APPLIED' : 'PENDING'
  return isDone ? 'NONE' : 'REMOVING'
}
