import type { Clock } from '../../kernel/clock.ts'
import { turns } from '../../kernel/turns.ts'
import { microBatch } from '../../storage/micro-batch.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { Judged } from '../licenses/license.rules.ts'
import { type Granting, takeUses, type UseAsk } from './use.store.ts'

/** What became of one who asked: the license as it stands after the own use, or without one. Null: there is no such license. */
export type Taken = { isGranted: boolean; license: Judged } | null

export type TakeUse = (scope: TenantScope, ask: Omit<UseAsk, 'tenantId'>) => Promise<Taken>

// A batch is one statement of this many rows at most: some milliseconds.
const sizeMax = 500
// Licenses that somebody holds locked wait in lanes of their own, and must not use up the connections of all others.
const lanesAtOnce = 2
const lanesWaitingMax = 100

/**
 * Takes uses for all who ask at the same time in one statement and one commit: on one hot license thousands a second
 * would else wait for each other's row lock and disk flush. A license that another transaction holds is passed over
 * and asked for by itself, so that it keeps only its own callers waiting. In a transaction the use is taken there: both
 * are kept or neither.
 */
export function useBatch(platform: PlatformScope, clock: Clock): TakeUse {
  const take = async (scope: Scope, asks: UseAsk[], isPatient: boolean): Promise<Taken[]> =>
    handOut(asks, await takeUses(scope, asks, { now: clock.now(), isPatient }))
  const together = microBatch({ sizeMax, flush: (asks: UseAsk[]) => take(platform, asks, false) })
  const inTurn = turns(lanesAtOnce, lanesWaitingMax)
  const lanes = new Map<string, { callers: number; take: (ask: UseAsk) => Promise<Taken> }>()

  const inLane = async (place: string, ask: UseAsk): Promise<Taken> => {
    const flush = (asks: UseAsk[]) => inTurn(() => take(platform, asks, true))
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

  return async (scope, ask) => {
    const whole = { ...ask, tenantId: scope.tenantId }
    if (scope.handle.inTransaction) return (await take(scope, [whole], true))[0] ?? null
    const place = placeOf(whole.tenantId, whole.licenseId)
    if (lanes.has(place)) return inLane(place, whole)
    return (await together(whole)) ?? inLane(place, whole)
  }
}

/** Grants go to those who came first. */
export function handOut(asks: UseAsk[], grantings: Granting[]): Taken[] {
  const byLicense = new Map(grantings.map((granting) => [placeOf(granting.tenantId, granting.id), granting]))
  const served = new Map<Granting, number>()
  return asks.map(({ tenantId, licenseId }) => {
    const granting = byLicense.get(placeOf(tenantId, licenseId))
    if (granting === undefined) return null
    const turn = (served.get(granting) ?? 0) + 1
    served.set(granting, turn)
    const isGranted = turn <= granting.granted
    const later = isGranted ? granting.granted - turn : 0
    return { isGranted, license: { ...granting, usesCount: granting.usesCount - later } }
  })
}

function placeOf(tenantId: string, licenseId: string): string {
  return `${tenantId} ${licenseId}`
}
