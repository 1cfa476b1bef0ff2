import type { Clock } from '../../kernel/clock.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { keyedMicroBatch, microBatch } from '../../storage/micro-batch.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import { consumeUses, type UseGrant, type UseRequest } from './use.store.ts'

/** The license after the caller's own use, or without one if none was granted. Null if there is no such license. */
export type UseResult = { isGranted: boolean; license: Omit<UseGrant, 'granted'> } | null

/** Takes one use of a license of the scope's tenant, inside the scope's transaction if it has one. */
export type ConsumeUse = (scope: TenantScope, licenseId: string) => Promise<UseResult>

/** A caller that wants one use of a license. `licenseRef` identifies the license among those of all tenants. */
export type UseCaller = Omit<UseRequest, 'uses'> & { licenseRef: string }

// A batch is one statement with at most this many rows, which takes some milliseconds.
const sizeMax = 500
// While the disk writes one batch, the processor prepares the other. More would only make the batches smaller.
const flushesMax = 2
// Callers of a locked license wait in a queue per license. These queues must not use up all database connections.
const lockedLicensesAtOnce = 2
const lockedLicensesWaitingMax = 100

/**
 * Takes uses for all parallel callers in one statement and one commit. Without it, thousands of callers per second of one
 * license would wait for each other's row lock and disk flush. A license that another transaction has locked is skipped and
 * retried in its own queue, so that only its own callers wait. Inside a transaction the use is taken there, so that both
 * are committed or neither.
 */
export function useBatcher(platform: PlatformScope, clock: Clock): ConsumeUse {
  const consume = async (scope: Scope, callers: UseCaller[], waitsForLocks: boolean): Promise<UseResult[]> => {
    const { requests, positions } = groupByLicense(callers)
    return distributeGrants(positions, await consumeUses(scope, requests, { now: clock.now(), waitsForLocks }))
  }
  const consumeTogether = microBatch({
    sizeMax,
    flushesMax,
    groupKey: ({ licenseRef }: UseCaller) => licenseRef,
    flush: (callers: UseCaller[]) => consume(platform, callers, false),
  })
  const limited = concurrencyLimit(lockedLicensesAtOnce, lockedLicensesWaitingMax)
  const queued = keyedMicroBatch({
    sizeMax,
    key: ({ licenseRef }: UseCaller) => licenseRef,
    flush: (callers: UseCaller[]) => limited(() => consume(platform, callers, true)),
  })

  return async (scope, licenseId) => {
    const { tenantId } = scope
    const caller = { tenantId, licenseId, licenseRef: `${tenantId} ${licenseId}` }
    if (scope.handle.inTransaction) return (await consume(scope, [caller], true))[0] ?? null
    if (queued.has(caller.licenseRef)) return queued.send(caller)
    return (await consumeTogether(caller)) ?? queued.send(caller)
  }
}

/** The index of a caller's license in the requests, and the caller's rank among its callers, from 1. */
type CallerPosition = { index: number; rank: number }

/** One request per license with its number of callers, and the position of each caller. */
export function groupByLicense(callers: UseCaller[]): { requests: UseRequest[]; positions: CallerPosition[] } {
  const requests: UseRequest[] = []
  const indexes = new Map<string, number>()
  const positions = callers.map(({ licenseRef, tenantId, licenseId }) => {
    const index = indexes.get(licenseRef) ?? requests.push({ tenantId, licenseId, uses: 0 }) - 1
    indexes.set(licenseRef, index)
    const request = requests[index] as UseRequest
    request.uses += 1
    return { index, rank: request.uses }
  })
  return { requests, positions }
}

/** The first callers get the granted uses. */
export function distributeGrants(positions: CallerPosition[], grants: (UseGrant | undefined)[]): UseResult[] {
  return positions.map(({ index, rank }) => {
    const grant = grants[index]
    if (grant === undefined) return null
    const { granted, ...license } = grant
    const isGranted = rank <= granted
    const grantedAfter = isGranted ? granted - rank : 0
    return { isGranted, license: { ...license, usesCount: license.usesCount - grantedAfter } }
  })
}
