import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { addressesAt, highestOffset } from '../wireguard/address.rules.ts'
import {
  claimFreedOffset,
  claimNewOffset,
  listCandidates,
  listRegions,
  lockServers,
  releaseSlot,
  reserveSlot,
} from './placement.store.ts'
import { offlineBefore } from './server.rules.ts'

/** An address is not reused for a day, so that logs of that day stay unambiguous. */
const addressReuseDelayMs = 24 * 3600 * 1000

/** `except`: a server to leave out. `isBuiltInExample`: the built-in record describes no real machine until a node enrolls. */
type PlacementRequest = { region: string | null; except?: string | null; isBuiltInExample: boolean; now: Date }

export type Placement = { serverId: string; hostOffset: number; address4: string; address6: string }

/**
 * Assigns a server and an address: the emptiest server, within the region if one is given. The server's row stays locked,
 * so neither capacity nor an address is given out twice. Refuses with VALIDATION_ERROR, CAPACITY_EXHAUSTED.
 */
export async function placeDevice(
  tx: TenantScope,
  { region, except = null, isBuiltInExample, now }: PlacementRequest,
): Promise<Placement> {
  if (region !== null) await refuseUnknownRegion(tx, region)
  const candidates = await listCandidates(tx, { region, except, isBuiltInExample, aliveSince: offlineBefore(now) })
  for (const serverId of candidates) {
    // A move locks both servers, in the order of ids, so that two moves cannot deadlock.
    if (except !== null) await lockServers(tx, [except, serverId])
    const place = await placeOnServer(tx, serverId, now)
    if (place !== null) return place
  }
  throw new Refusal(
    'CAPACITY_EXHAUSTED',
    region === null ? {} : { detail: `No server in the region ${region} has capacity for another device.` },
  )
}

async function placeOnServer(tx: TenantScope, serverId: string, now: Date): Promise<Placement | null> {
  const subnets = await reserveSlot(tx, serverId)
  if (subnets === null) return null
  const freed = await claimFreedOffset(tx, serverId, new Date(now.getTime() - addressReuseDelayMs))
  const hostOffset = freed ?? (await claimNewOffset(tx, serverId, highestOffset(subnets.subnet4)))
  if (hostOffset !== null) return { serverId, hostOffset, ...addressesAt(subnets, hostOffset) }
  // There is capacity, but every free address was released too recently.
  await releaseSlot(tx, serverId)
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
