import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Fitting } from '../../kernel/field-rules.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { productSlugs } from '../../kernel/products.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import type { Licenses } from '../../licensing/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering, Quotas } from '../../usage/index.ts'
import type { Device } from '../devices/device.rules.ts'
import { lockDevice } from '../devices/device.store.ts'
import { conflict } from '../faults.ts'
import type { Peers } from '../peers/peer.service.ts'
import type { Endings } from './ending.service.ts'
import type { Session } from './session.rules.ts'
import type { Connect, Disconnect } from './session.schema.ts'
import {
  countOpenSessions,
  findLastSession,
  findOpenSession,
  findSession,
  insertSession,
  lockOpenSessions,
} from './session.store.ts'

export type SessionDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  metering: Pick<Metering, 'requireLeft'>
  licenses: Licenses
  endings: Endings
  peers: Peers
}

export function sessionService({ clock, events, audit, quotas, metering, licenses, endings, peers }: SessionDeps) {
  /**
   * The device's open session, or a new one that takes exactly one use: the lock on the device admits one caller at a
   * time. Refuses with NOT_FOUND, STATE_CONFLICT (suspended device, disabled server), QUOTA_EXCEEDED,
   * USAGE_EXCEEDED, LICENSE_*. `usage`: the limits that hold for a new session.
   */
  async function connect(
    scope: TenantScope,
    userId: string,
    { deviceId, licenseKey = null }: Connect,
  ): Promise<{ session: Session; isNew: boolean; usage: UsagePolicy[] }> {
    if (!isId(deviceId)) throw notFound()
    return transaction(scope, async (tx) => {
      const { maxActiveSessions } = await quotas.lockLimits(tx, userId)
      const device = await lockDevice(tx, userId, deviceId)
      // A session whose license has ended is over, even if housekeeping has not ended it yet.
      await endings.endExpired(tx, deviceId)
      const open = await findOpenSession(tx, deviceId)
      if (open !== null) return { session: open, isNew: false, usage: [] }
      if (device.status !== 'ACTIVE') throw conflict('The device is suspended.')
      if (maxActiveSessions !== null)
        refuseOverQuota('maxActiveSessions', maxActiveSessions, await countOpenSessions(tx))
      const usage = await metering.requireLeft(tx, { meter: 'vpnBytes' })
      return { session: await openSession(tx, device, licenseKey), isNew: true, usage }
    })
  }

  async function openSession(tx: TenantScope, device: Device, licenseKey: string | null): Promise<Session> {
    const now = clock.now()
    const id = newId(now)
    const { id: deviceId, userId, serverId, hasAgent } = device
    const license = await licenses.consumeFor(tx, {
      product: productSlugs.vpn,
      licenseKey,
      operationId: id,
      source: 'SESSION',
    })
    const session = await insertSession(tx, {
      id,
      deviceId,
      userId,
      serverId,
      licenseId: license.licenseId,
      licenseKeyHint: license.keyHint,
      // Without an agent no handshake will ever be reported.
      status: hasAgent ? 'PENDING' : 'ACTIVE',
      connectedAt: now,
    })
    if (!(await peers.want(tx, { deviceId, serverId }))) throw conflict('The server of the device is disabled.')
    await audit(tx, {
      action: 'session.connect',
      target: { type: 'session', id },
      changes: { deviceId, serverId, licenseId: license.licenseId },
    })
    await events.emit(tx, 'session.started', { tenantId: tx.tenantId, sessionId: id, deviceId, userId })
    return session
  }

  /** Ends a session, or returns the ended one. By device, it is the device's last. Refuses with NOT_FOUND, also for a device that never connected. */
  async function disconnect(scope: TenantScope, userId: string, named: Disconnect): Promise<Session> {
    refuseUnlessOne(named)
    const { deviceId, sessionId } = named
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const session =
        deviceId === undefined
          ? await findOwnSession(tx, userId, sessionId)
          : await findLastOfDevice(tx, userId, deviceId)
      if (session === null) throw notFound()
      const open = await lockOpenSessions(tx, { deviceId: session.deviceId })
      await endings.end(
        tx,
        open.filter(({ id }) => id === session.id),
        { reason: 'CLIENT', now },
      )
      return (await findSession(tx, userId, session.id)) ?? session
    })
  }

  return { connect, disconnect }
}

export type Sessions = ReturnType<typeof sessionService>

/** A request names the device or the session. */
export function refuseUnlessOne(named: Fitting<Disconnect>): void {
  if ('deviceId' in named === 'sessionId' in named)
    throw invalidField('/body', { code: 'oneOf', message: 'needs either deviceId or sessionId, not both' })
}

async function findOwnSession(tx: TenantScope, userId: string, sessionId: string | undefined): Promise<Session | null> {
  return sessionId !== undefined && isId(sessionId) ? findSession(tx, userId, sessionId) : null
}

async function findLastOfDevice(tx: TenantScope, userId: string, deviceId: string): Promise<Session | null> {
  if (!isId(deviceId)) return null
  const device = await lockDevice(tx, userId, deviceId)
  return findLastSession(tx, device.id)
}
