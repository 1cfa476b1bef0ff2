import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { EventBus } from '../../storage/events.ts'
import type { Scope } from '../../storage/scope.ts'
import type { Peers } from '../peers/peer.service.ts'
import type { Peer } from '../peers/peer.store.ts'
import type { Endings } from '../sessions/ending.service.ts'
import { lockOpenSessions, type SessionSelector } from '../sessions/session.store.ts'

/** Revokes locked devices. `reach` selects their sessions: one device's, a user's, or all of the tenant's. */
export async function revokeDevices(
  tx: Scope,
  { endings, peers, events }: { endings: Endings; peers: Peers; events: EventBus },
  { devices, reach, now }: { devices: Peer[]; reach: SessionSelector; now: Date },
): Promise<void> {
  await endings.close(tx, await lockOpenSessions(tx, reach), { reason: 'DEVICE_REVOKED', now })
  await peers.revoke(tx, devices, now)
  // The recorded answers hold the private keys.
  await eraseStoredAnswers(
    tx,
    devices.map(({ deviceId }) => deviceId),
  )
  for (const [tenantId, own] of Map.groupBy(devices, (device) => device.tenantId))
    await events.emit(tx, 'devices.revoked', { tenantId, deviceIds: own.map(({ deviceId }) => deviceId) })
}
