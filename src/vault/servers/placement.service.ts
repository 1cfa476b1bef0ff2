import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { addressesAt, highestOffset } from '../wireguard/address.rules.ts'
import {
  leavePlace,
  listCandidates,
  listRegions,
  lockServers,
  takeFreedOffset,
  takeNewOffset,
  takePlace,
} from './placement.store.ts'
import { offlineBefore } from './server.rules.ts'

/** Yesterday's logs stay unambiguous: an address is one device's for a whole day after it was given back. */
const addressRestMs = 24 * 3600 * 1000

/** `except`: not on this server. `isBuiltInExample`: the built-in record stands for no machine until a node enrolls for it. */
type Wanted = { region: string | null; except?: string | null; isBuiltInExample: boolean; now: Date }

export type Place = { serverId: string; hostOffset: number; address4: string; address6: string }

/**
 * A place and an address on the emptiest server, of the region where one is named. The server's row stays locked, so
 * neither its capacity nor an address can be given out twice. Refuses with VALIDATION_ERROR, CAPACITY_EXHAUSTED.
 */
export async function placeDevice(
  tx: TenantScope,
  { region, except = null, isBuiltInExample, now }: Wanted,
): Promise<Place> {
  if (region !== null) await refuseUnknownRegion(tx, region)
  const candidates = await listCandidates(tx, { region, except, isBuiltInExample, aliveSince: offlineBefore(now) })
  for (const serverId of candidates) {
    // Who moves needs both servers: in the order of ids, so that two moves do not wait for each other.
    if (except !== null) await lockServers(tx, [except, serverId])
    const place = await takePlaceOn(tx, serverId, now)
    if (place !== null) return place
  }
  throw new Refusal(
    'CAPACITY_EXHAUSTED',
    region === null ? {} : { detail: `No server of the region ${region} has room for another device.` },
  )
}

async function takePlaceOn(tx: TenantScope, serverId: string, now: Date): Promise<Place | null> {
  const subnets = await takePlace(tx, serverId)
  if (subnets === null) return null
  const freed = await takeFreedOffset(tx, serverId, new Date(now.getTime() - addressRestMs))
  const hostOffset = freed ?? (await takeNewOffset(tx, serverId, highestOffset(subnets.subnet4)))
  if (hostOffset !== null) return { serverId, hostOffset, ...addressesAt(subnets, hostOffset) }
  // There is capacity, and every address left still rests.
  await leavePlace(tx, serverId)
  return null
}

async function refuseUnknownRegion(tx: TenantScope, region: string): Promise<void> {
  const regions = await listRegions(tx)
  if (!regions.includes(region))
    throw invalidField('/body/region', {
      code: 'unknown',
      message: `is not one of ${regions.join(', ') || '(there is none yet)'}`,
    })
}
