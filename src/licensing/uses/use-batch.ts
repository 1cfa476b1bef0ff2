import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { microBatch } from '../../storage/micro-batch.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import { consumeUses, type UseGrant, type UseRequest } from './use.store.ts'

/** What became of one who asked: the license as it stands after the own use, or without one. Null: there is no such license. */
export type UseResult = { isGranted: boolean; license: Omit<UseGrant, 'granted'> } | null

/** Takes one use of a license of the scope's tenant, in the scope's transaction where it has one. */
export type ConsumeUse = (scope: TenantScope, licenseId: string) => Promise<UseResult>

/** One who wants one use of a license. `place` names the license among those of all tenants. */
export type UseCaller = Omit<UseRequest, 'uses'> & { place: string }

// A batch is one statement of this many rows at most: some milliseconds.
const sizeMax = 500
// While the disk takes the one, the processor makes the other. More would only make the batches smaller.
const flushesMax = 2
// Licenses that somebody holds locked wait in lanes of their own, and must not use up the connections of all others.
const lanesAtOnce = 2
const lanesWaitingMax = 100

/**
 * Takes uses for all who ask at the same time in one statement and one commit: on one hot license thousands a second
 * would else wait for each other's row lock and disk flush. A license that another transaction holds is passed over
 * and asked for by itself, so that it keeps only its own callers waiting. In a transaction the use is taken there: both
 * are kept or neither.
 */
export function useBatcher(platform: PlatformScope, clock: Clock): ConsumeUse {
  const take = async (scope: Scope, asks: UseCaller[], isPatient: boolean): Promise<UseResult[]> => {
    const { wanted, turns } = groupByLicense(asks)
    return distributeGrants(turns, await consumeUses(scope, wanted, { now: clock.now(), isPatient }))
  }
  const together = microBatch({
    sizeMax,
    flushesMax,
    groupKey: ({ place }: UseCaller) => place,
    flush: (asks: UseCaller[]) => take(platform, asks, false),
  })
  const inTurn = concurrencyLimit(lanesAtOnce, lanesWaitingMax)
  const lanes = new Map<string, { callers: number; take: (ask: UseCaller) => Promise<UseResult> }>()

  const inLane = async (ask: UseCaller): Promise<UseResult> => {
    const flush = (asks: UseCaller[]) => inTurn(() => take(platform, asks, true))
    const { place } = ask
    const lane = lanes.get(place) ?? { callers: 0, take: microBatch({ sizeMax, flush }) }
    lanes.set(place, lane)
    lane.callers += 1
    try {
      return await lane.take(ask)
    } finally {
      lane.callers -= 1
      if (lane.callers === 0) lanes.delete(place)
    }
  }

  return async (scope, licenseId) => {
    const { tenantId } = scope
    const ask = { tenantId, licenseId, place: `${tenantId} ${licenseId}` }
    if (scope.handle.inTransaction) return (await take(scope, [ask], true))[0] ?? null
    if (lanes.has(ask.place)) return inLane(ask)
    return (await together(ask)) ?? inLane(ask)
  }
}

/** Where one stands who asked: for which of the wanted licenses, and as the how manieth, from 1. */
type CallerPosition = { at: number; turn: number }

/** Each license once, with how many want a use of it; and where each asker stands. */
export function groupByLicense(asks: UseCaller[]): { wanted: UseRequest[]; turns: CallerPosition[] } {
  const wanted: UseRequest[] = []
  const places = new Map<string, number>()
  const turns = asks.map(({ place, tenantId, licenseId }) => {
    const at = places.get(place) ?? wanted.push({ tenantId, licenseId, uses: 0 }) - 1
    places.set(place, at)
    const license = wanted[at] as UseRequest
    license.uses += 1
    return { at, turn: license.uses }
  })
  return { wanted, turns }
}

/** Grants go to those who came first. */
export function distributeGrants(turns: CallerPosition[], grantings: (UseGrant | undefined)[]): UseResult[] {
  return turns.map(({ at, turn }) => {
    const granting = grantings[at]
    if (granting === undefined) return null
    const { granted, ...license } = granting
    const isGranted = turn <= granted
    const later = isGranted ? granted - turn : 0
    return { isGranted, license: { ...license, usesCount: license.usesCount - later } }
  })
}
