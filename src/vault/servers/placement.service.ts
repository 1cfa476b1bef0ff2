import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { addressesAt, highestOffset } from '../wireguard/address.rules.ts'
import {
  type CandidateFilter,
  type ClaimedOffsets,
  claimOffsets,
  claimOffsetsOfFirst,
  listCandidates,
  listRegions,
  lockServers,
  undoClaim,
} from './placement.store.ts'
import { offlineBefore } from './server.rules.ts'

/** An address is not reused for a day, so that logs of that day stay unambiguous. */
const addressReuseDelayMs = 24 * 3600 * 1000

/** `isBuiltInExample`: the built-in record describes no real machine until a node enrolls. */
type PlacementRequest = { region: string | null; isBuiltInExample: boolean; now: Date }

export type Placement = { serverId: string; hostOffset: number; address4: string; address6: string }

/**
 * Assigns a server and an address to a device: the emptiest server, within the region if one is given, and not `except`.
 * The server's row stays locked, so neither capacity nor an address is given out twice. Refuses with VALIDATION_ERROR,
 * CAPACITY_EXHAUSTED.
 */
export async function placeDevice(
  tx: TenantScope,
  { except = null, ...request }: PlacementRequest & { except?: string | null },
): Promise<Placement> {
  const filter = candidateFilter(request, except)
  // A move has two servers to lock.
  const claimed = except === null ? await claimOffsetsOfFirst(tx, filter, { ...claimTerms(request), count: 1 }) : null
  const place = (await toPlacement(tx, claimed)) ?? (await placeOnAny(tx, filter, request))
  if (place !== null) return place
  throw exhausted(request)
}

/**
 * Places several devices on one server, because transactions that lock many servers could deadlock. Refuses with
 * CAPACITY_EXHAUSTED also where each of them alone would find a place.
 */
export async function placeDevices(tx: TenantScope, request: PlacementRequest, count: number): Promise<Placement[]> {
  if (count === 1) return [await placeDevice(tx, request)]
  const terms = { ...claimTerms(request), count }
  const claimed = await claimOffsetsOfFirst(tx, candidateFilter(request, null), terms)
  if (claimed === null) throw exhausted(request)
  const { serverId, freed, firstNew } = claimed
  const offsets = [...freed, ...Array.from({ length: count - freed.length }, (_, index) => firstNew + index)]
  if (Math.max(...offsets) > highestOffset(claimed.subnet4)) throw exhausted(request)
  return offsets.map((hostOffset) => ({ serverId, hostOffset, ...addressesAt(claimed, hostOffset) }))
}

function candidateFilter({ region, isBuiltInExample, now }: PlacementRequest, except: string | null): CandidateFilter {
  return { region, except, isBuiltInExample, aliveSince: offlineBefore(now) }
}

function claimTerms({ now }: PlacementRequest): { freedBefore: Date } {
  return { freedBefore: new Date(now.getTime() - addressReuseDelayMs) }
}

function exhausted({ region }: PlacementRequest): Refusal {
  return new Refusal(
    'CAPACITY_EXHAUSTED',
    region === null ? {} : { detail: `No server in the region ${region} has capacity for another device.` },
  )
}

async function placeOnAny(
  tx: TenantScope,
  filter: CandidateFilter,
  request: PlacementRequest,
): Promise<Placement | null> {
  const { region, except } = filter
  if (region !== null) await refuseUnknownRegion(tx, region)
  for (const serverId of await listCandidates(tx, filter)) {
    // A move locks both servers, in the order of ids, so that two moves cannot deadlock.
    if (except !== null) await lockServers(tx, [except, serverId])
    const place = await toPlacement(tx, await claimOffsets(tx, serverId, { ...claimTerms(request), count: 1 }))
    if (place !== null) return place
  }
  return null
}

async function toPlacement(tx: TenantScope, claimed: ClaimedOffsets | null): Promise<Placement | null> {
  if (claimed === null) return null
  const { serverId, freed, firstNew } = claimed
  const hostOffset = freed[0] ?? firstNew
  if (hostOffset <= highestOffset(claimed.subnet4)) return { serverId, hostOffset, ...addressesAt(claimed, hostOffset) }
  // There is capacity, but every free address was released too recently.
  await undoClaim(tx, serverId)
  return null
}

export async function refuseUnknownRegion(tx: TenantScope, region: string): Promise<void> {
  const regions = await listRegions(tx)
  if (!regions.includes(region))
    throw invalidField('/body/region', {
      code: 'unknown',
      message: `is not one of ${regions.join(', ') || '(there is none yet)'}`,
    })
}
