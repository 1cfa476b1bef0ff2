import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Peers } from '../peers/peer.service.ts'
import type { ServerNotifier } from '../peers/server-notifier.ts'
import type { BuiltInServer } from '../servers/built-in.service.ts'
import { placeDevice } from '../servers/placement.service.ts'
import { releasePlacement } from '../servers/placement.store.ts'
import { isOnline } from '../servers/server.rules.ts'
import type { Endings } from '../sessions/ending.service.ts'
import { moveSession } from '../sessions/session.store.ts'
import { type Config, toConfig } from './device.config.ts'
import type { Device } from './device.rules.ts'
import type { DeviceChange, Move, NewKeys } from './device.schema.ts'
import {
  getConfiguredDevice,
  getDevice,
  lockDevice,
  moveToPlacement,
  type Owner,
  renameDevice,
  replaceKeys,
} from './device.store.ts'
import type { DeviceKeys } from './device-keys.ts'
import { registrationService } from './registration.service.ts'
import { revokeDevices } from './revocation.service.ts'

export type DeviceDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  keys: DeviceKeys
  endings: Endings
  peers: Peers
  acknowledgements: ServerNotifier
  builtInServer: BuiltInServer
}

/** A node that is online applies a change in a fraction of this. */
const confirmationMsMax = 2_000
/** How often to look again, in case the notification from another node of the service was lost. */
const confirmationRecheckMs = 500

export function deviceService(deps: DeviceDeps) {
  const { clock, events, audit, keys, endings, peers, acknowledgements } = deps
  // Without the key of a real server nobody has its private key: see `prepareBuiltInServer`.
  const isBuiltInExample = deps.builtInServer.publicKey === null

  /** Refuses with NOT_FOUND. */
  function rename(scope: TenantScope, userId: string, id: string, { deviceName }: DeviceChange): Promise<Device> {
    return transaction(scope, async (tx) => {
      const device = await lockDevice(tx, userId, id)
      const to = deviceName?.trim() ?? device.deviceName
      if (to === device.deviceName) return device
      await renameDevice(tx, id, to)
      const changes = { deviceName: { from: device.deviceName, to } }
      await audit(tx, { action: 'device.update', target: { type: 'device', id }, changes })
      return { ...device, deviceName: to }
    })
  }

  /**
   * Final: ends the sessions, removes the peer and releases the address. Waits a moment for the server's node to confirm
   * the removal, if that node is online. Refuses with NOT_FOUND, also a second time.
   */
  async function revoke(scope: TenantScope, userId: Owner, id: string): Promise<Device> {
    const { serverId } = await getDevice(scope, userId, id)
    const acknowledged = acknowledgements.watch(serverId)
    try {
      await revokeNow(scope, userId, id)
      const overAtMs = performance.now() + confirmationMsMax
      let device = await getDevice(scope, userId, id)
      while (device.removalConfirmedAt === null && isOnline(device, clock.now())) {
        const leftMs = overAtMs - performance.now()
        if (leftMs <= 0 || acknowledgements.isEnded()) break
        await acknowledged.next(Math.min(leftMs, confirmationRecheckMs))
        device = await getDevice(scope, userId, id)
      }
      return device
    } finally {
      acknowledged.close()
    }
  }

  async function revokeNow(scope: TenantScope, userId: Owner, id: string): Promise<void> {
    const now = clock.now()
    await transaction(scope, async (tx) => {
      const { tenantId, serverId } = await lockDevice(tx, userId, id)
      const devices = [{ tenantId, deviceId: id, serverId }]
      await revokeDevices(tx, { endings, peers, events }, { devices, reach: { deviceId: id }, now })
      await audit(tx, { action: 'device.revoke', target: { type: 'device', id } })
    })
  }

  /** Replaces the keys; an open session continues with the new ones. Refuses with NOT_FOUND, STATE_CONFLICT. */
  async function rotate(
    scope: TenantScope,
    userId: string,
    id: string,
    { publicKey = null }: NewKeys,
  ): Promise<Config> {
    const made = keys.create({ tenantId: scope.tenantId, id }, publicKey)
    return transaction(scope, async (tx) => {
      const { serverId } = await lockDevice(tx, userId, id)
      await peers.retireKey(tx, { deviceId: id, serverId, now: clock.now() })
      await replaceKeys(tx, id, made.sealed)
      await audit(tx, { action: 'device.rotate', target: { type: 'device', id } })
      return deviceConfig(tx, userId, id)
    })
  }

  /**
   * Moves the device to another server with new addresses and the same keys; an open session continues there. Refuses
   * with NOT_FOUND, VALIDATION_ERROR, CAPACITY_EXHAUSTED.
   */
  async function move(scope: TenantScope, userId: string, id: string, { region = null }: Move): Promise<Config> {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const device = await lockDevice(tx, userId, id)
      const { serverId: from, isPeerWanted } = device
      const place = await placeDevice(tx, { region, except: from, isBuiltInExample, now })
      await peers.retireKey(tx, { deviceId: id, serverId: from, now })
      await releasePlacement(tx, { serverId: from, deviceId: id, now })
      await moveToPlacement(tx, { id, place, configVersion: device.configVersion + 1 })
      await moveSession(tx, { deviceId: id, serverId: place.serverId, now })
      if (isPeerWanted) await peers.want(tx, { deviceId: id, serverId: place.serverId })
      const changes = {
        serverId: { from, to: place.serverId },
        assignedIp: { from: device.assignedIp, to: place.address4 },
      }
      await audit(tx, { action: 'device.move', target: { type: 'device', id }, changes })
      return deviceConfig(tx, userId, id)
    })
  }

  /** The configuration file; incomplete if the service never had the private key. Refuses with NOT_FOUND, also for a revoked device. */
  async function deviceConfig(scope: TenantScope, userId: string, id: string): Promise<Config> {
    const device = await getConfiguredDevice(scope, userId, id)
    return toConfig(device, keys.open(device, device))
  }

  return { register: registrationService(deps), rename, revoke, rotate, move, deviceConfig }
}

export type Devices = ReturnType<typeof deviceService>
