import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type TenantScope } from '../storage/scope.ts'
import type { SuspendedBy } from './devices/device.rules.ts'
import { lockDevices, resumeDevices, suspendDevices } from './devices/device.store.ts'
import { revokeDevices } from './devices/revocation.service.ts'
import type { Peers } from './peers/peer.service.ts'
import type { Endings } from './sessions/ending.service.ts'
import { lockOpenSessions } from './sessions/session.store.ts'

export type ReactionDeps = { events: EventBus; clock: Clock; audit: Audit; endings: Endings; peers: Peers }

/** Reacts to changes in other capabilities, within their transaction. `userId` null means all users of the tenant. */
export function subscribeToEvents({ events, clock, audit, endings, peers }: ReactionDeps): void {
  events.on('license.revoked', async (tx, { tenantId, licenseId }) => {
    const scope = inTenant(tx, tenantId)
    await endings.end(scope, await lockOpenSessions(scope, { licenseId }), {
      reason: 'LICENSE_REVOKED',
      now: clock.now(),
    })
  })
  events.on('license.term-changed', async (tx, { tenantId, licenseId }) => {
    // Nodes remove a peer by themselves when its license ends, so they need the new end.
    await peers.refresh(tx, await lockOpenSessions(inTenant(tx, tenantId), { licenseId }))
  })
  events.on('user.suspended', (tx, { tenantId, userId }) => suspend(inTenant(tx, tenantId), userId, 'USER'))
  events.on('user.activated', (tx, { tenantId, userId }) => resume(inTenant(tx, tenantId), userId, 'USER'))
  events.on('user.removed', (tx, { tenantId, userId }) => revoke(inTenant(tx, tenantId), userId))
  events.on('tenant.suspended', (tx, { tenantId }) => suspend(inTenant(tx, tenantId), null, 'TENANT'))
  events.on('tenant.activated', (tx, { tenantId }) => resume(inTenant(tx, tenantId), null, 'TENANT'))
  events.on('tenant.removed', (tx, { tenantId }) => revoke(inTenant(tx, tenantId), null))
  events.on('tenant.erasing', (tx, { tenantId }) => peers.dropTenant(inTenant(tx, tenantId), clock.now()))

  async function suspend(tx: TenantScope, userId: string | null, by: SuspendedBy): Promise<void> {
    // Lock devices before sessions: a connect that is under way holds its device, so we wait for it and then see its session.
    await lockDevices(tx, userId)
    await endings.end(tx, await lockOpenSessions(tx, { userId }), { reason: 'ADMIN', now: clock.now() })
    await record(tx, userId, { action: 'device.suspend', devices: await suspendDevices(tx, userId, by) })
  }

  async function resume(tx: TenantScope, userId: string | null, by: SuspendedBy): Promise<void> {
    await lockDevices(tx, userId)
    await record(tx, userId, { action: 'device.resume', devices: await resumeDevices(tx, userId, by) })
  }

  async function revoke(tx: TenantScope, userId: string | null): Promise<void> {
    const devices = await lockDevices(tx, userId)
    await revokeDevices(tx, { endings, peers, events }, { devices, reach: { userId }, now: clock.now() })
    await record(tx, userId, { action: 'device.revoke', devices: devices.length })
  }

  /** One audit entry for all devices: the owner and the count. */
  async function record(
    tx: TenantScope,
    userId: string | null,
    { action, devices }: { action: string; devices: number },
  ): Promise<void> {
    if (devices === 0) return
    const target = userId === null ? { type: 'tenant', id: tx.tenantId } : { type: 'user', id: userId }
    await audit(tx, { action, target, changes: { devices } })
  }
}
