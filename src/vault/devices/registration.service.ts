import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { keyedMicroBatch } from '../../storage/micro-batch.ts'
import { pipelined, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { BuiltInServer } from '../servers/built-in.service.ts'
import { type Placement, placeDevices } from '../servers/placement.service.ts'
import { type Config, toConfig } from './device.config.ts'
import type { NewDevice } from './device.schema.ts'
import { countDevices, countDevicesOfUsers, insertDevice } from './device.store.ts'
import type { DeviceKeys, NewKeyPair } from './device-keys.ts'

export type RegistrationDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  keys: DeviceKeys
  builtInServer: BuiltInServer
}

type Registration = {
  scope: TenantScope
  userId: string
  id: string
  asked: NewDevice
  keys: NewKeyPair
  now: Date
}

/** A transaction of this many takes some 30 ms, for which others wait who create something for the tenant. */
const togetherMax = 50
/** Further ones are told to come again: they would wait for seconds. */
const waitingMax = 500

/**
 * Registers devices. Those of one tenant and region that arrive while a transaction runs share the next one: each would
 * wait for the tenant's lock anyway, and one by one they cost twice as much. If any of them is refused, nothing of the
 * transaction happened, and each is tried alone.
 */
export function registrationService(deps: RegistrationDeps) {
  const { clock, keys } = deps
  const { send: registerSoon } = keyedMicroBatch<Registration, PromiseSettledResult<Config>>({
    sizeMax: togetherMax,
    waitingMax,
    key: ({ scope, asked }) => `${scope.tenantId} ${asked.region ?? ''}`,
    flush: (registrations) => registerEach(deps, registrations),
  })

  /** Refuses with VALIDATION_ERROR, QUOTA_EXCEEDED, CAPACITY_EXHAUSTED, and STATE_CONFLICT for a public key in use. */
  return async (scope: TenantScope, userId: string, asked: NewDevice): Promise<Config> => {
    const now = clock.now()
    const id = newId(now)
    const made = keys.create({ tenantId: scope.tenantId, id }, asked.publicKey ?? null)
    const registration = { scope, userId, id, asked, keys: made, now }
    // An idempotent request brings its own transaction, in which its answer is recorded.
    if (scope.handle.inTransaction) return registerAlone(deps, registration)
    const outcome = await registerSoon(registration)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}

async function registerEach(
  deps: RegistrationDeps,
  registrations: Registration[],
): Promise<PromiseSettledResult<Config>[]> {
  try {
    return (await registerTogether(deps, registrations)).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    if (!(error instanceof Refusal) || registrations.length === 1) throw error
  }
  const outcomes: PromiseSettledResult<Config>[] = []
  // Each is told its own outcome, also if a later one fails.
  for (const one of registrations) outcomes.push(...(await Promise.allSettled([registerAlone(deps, one)])))
  return outcomes
}

async function registerAlone(deps: RegistrationDeps, registration: Registration): Promise<Config> {
  const [config] = await registerTogether(deps, [registration])
  return config as Config
}

/** All in one transaction; refuses if one of them must be refused, or if one server has no room for all of them. */
async function registerTogether(deps: RegistrationDeps, registrations: Registration[]): Promise<Config[]> {
  const [first] = registrations
  if (first === undefined) return []
  // Without the key of a real server nobody has its private key: see `prepareBuiltInServer`.
  const isBuiltInExample = deps.builtInServer.publicKey === null
  return transaction(first.scope, async (tx) => {
    const request = { region: first.asked.region ?? null, isBuiltInExample, now: first.now }
    // In this order on the wire: the tenant is locked before a server.
    const [, places] = await pipelined([
      refuseOverLimits(tx, deps.quotas, registrations),
      placeDevices(tx, request, registrations.length),
    ])
    return pipelined(registrations.map((one, index) => record(tx, deps, one, places[index] as Placement)))
  })
}

async function record(
  { handle }: TenantScope,
  { audit, events }: RegistrationDeps,
  { scope, userId, id, asked, keys, now }: Registration,
  place: Placement,
): Promise<Config> {
  const tx = { ...scope, handle }
  const { deviceType } = asked
  const row = { ...keys.sealed, id, userId, deviceName: asked.deviceName.trim(), deviceType, place, createdAt: now }
  const changes = { deviceType, serverId: place.serverId, assignedIp: place.address4 }
  const [device] = await pipelined([
    insertDevice(tx, row),
    audit(tx, { action: 'device.create', target: { type: 'device', id }, changes }),
    events.emit(tx, 'device.registered', { tenantId: tx.tenantId, deviceId: id, userId }),
  ])
  return toConfig(device, keys.open)
}

/** In the order of ids, so that two transactions cannot deadlock on users. */
async function refuseOverLimits(tx: TenantScope, quotas: Quotas, registrations: Registration[]): Promise<void> {
  const users = Map.groupBy(registrations, ({ userId }) => userId)
  const [locked, counts] = await pipelined([
    pipelined([...users.keys()].sort().map((userId) => quotas.lockLimits(tx, userId))),
    countDevicesOfUsers(tx, [...users.keys()]),
  ])
  const { maxDevices = null, maxDevicesPerUser = null } = locked[0] ?? {}
  // The tenant's own devices are counted only if those of all tenants would be too many for it.
  const others = registrations.length - 1
  if (maxDevices !== null && (counts[0]?.ofAll ?? 0) + others >= maxDevices)
    refuseOverQuota('maxDevices', maxDevices, (await countDevices(tx)) + others)
  if (maxDevicesPerUser === null) return
  for (const { userId, ofUser } of counts)
    refuseOverQuota('maxDevicesPerUser', maxDevicesPerUser, ofUser + (users.get(userId)?.length ?? 1) - 1)
}
