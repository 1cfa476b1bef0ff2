import type { Clock } from '../../kernel/clock.ts'
import { microBatch } from '../../storage/micro-batch.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Judged } from '../licenses/license.rules.ts'
import { type Granting, takeUses, type UseAsk } from './use.store.ts'

/** What became of one who asked: the license as it stands after the own use, or without one. Null: there is no such license. */
export type Taken = { isGranted: boolean; license: Judged } | null

export type TakeUse = (scope: TenantScope, ask: Omit<UseAsk, 'tenantId'>) => Promise<Taken>

// A batch is one statement of this many rows at most: some milliseconds.
const sizeMax = 500

/**
 * Takes uses for all who ask at the same time in one statement and one commit: on one hot license thousands a second
 * would else wait for each other's row lock and disk flush. In a transaction the use is taken there: both are kept or
 * neither.
 */
export function useBatch(platform: PlatformScope, clock: Clock): TakeUse {
  const flush = async (scope: TenantScope | PlatformScope, asks: UseAsk[]): Promise<Taken[]> =>
    handOut(asks, await takeUses(scope, asks, clock.now()))
  const batch = microBatch({ sizeMax, flush: (asks: UseAsk[]) => flush(platform, asks) })
  return async (scope, ask) => {
    const whole = { ...ask, tenantId: scope.tenantId }
    if (!scope.handle.inTransaction) return batch(whole)
    return (await flush(scope, [whole]))[0] ?? null
  }
}

/** Exported for its test. Grants go to those who came first. */
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
