import { isoOrNull } from '../../kernel/schemas.ts'
import { formatEndpoint } from '../servers/server.rules.ts'
import { type Device, peerState } from './device.rules.ts'
import type { DeviceAnswer } from './device.schema.ts'

export function deviceView(device: Device): DeviceAnswer {
  return {
    id: device.id,
    tenantId: device.tenantId,
    userId: device.userId,
    deviceName: device.deviceName,
    deviceType: device.deviceType,
    publicKey: device.publicKey,
    assignedIp: device.assignedIp,
    assignedIpv6: device.assignedIpv6,
    status: device.status,
    peerState: peerState(device),
    server: { id: device.serverId, region: device.region, endpoint: formatEndpoint(device) },
    configVersion: device.configVersion,
    lastHandshakeAt: isoOrNull(device.lastHandshakeAt),
    rxBytes: device.rxBytes,
    txBytes: device.txBytes,
    createdAt: device.createdAt.toISOString(),
    revokedAt: isoOrNull(device.revokedAt),
    confirmedAt: isoOrNull(device.removalConfirmedAt),
  }
}
