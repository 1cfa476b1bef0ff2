import { isoOrNull } from '../../kernel/schemas.ts'
import type { Session } from './session.rules.ts'
import type { SessionAnswer } from './session.schema.ts'

export function sessionView(session: Session): SessionAnswer {
  return {
    id: session.id,
    deviceId: session.deviceId,
    tenantId: session.tenantId,
    userId: session.userId,
    serverId: session.serverId,
    licenseKeyHint: session.licenseKeyHint,
    status: session.status,
    source: session.source,
    connectedAt: session.connectedAt.toISOString(),
    disconnectedAt: isoOrNull(session.disconnectedAt),
    endReason: session.endReason,
    lastHandshakeAt: isoOrNull(session.lastHandshakeAt),
    rxBytes: session.rxBytes,
    txBytes: session.txBytes,
  }
}
