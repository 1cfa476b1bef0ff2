import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { readLimitedCounters } from '../meters/limited-counter.store.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import type { Quotas } from './quota.store.ts'

/** The lower of two limits: the one that is stored with the tenant and the one of its plan. */
export type StorageLimit = {
  bytesMax: number | null
  /** For a refusal. */
  text: string
}

export type ReadStorageLimit = (tx: TenantScope) => Promise<StorageLimit>

/** Refuses TENANT_SUSPENDED, as `readLimits` does. */
export function storageLimitReader({
  clock,
  planOf,
  quotas,
}: {
  clock: Clock
  planOf: MeteringDeps['planOf']
  quotas: Pick<Quotas, 'readLimits'>
}): ReadStorageLimit {
  return async (tx) => {
    const now = clock.now()
    const { maxStorageBytes } = await quotas.readLimits(tx)
    const stored = { bytesMax: maxStorageBytes, text: `The tenant's limit maxStorageBytes is ${maxStorageBytes}` }
    const plan = planOf(tx, now)
    const subject = { scope: 'tenant', id: tx.tenantId } as const
    const [counter] = await readLimitedCounters(tx, {
      ...{ subject, names: ['storageBytes'], plan, licensedPlan: plan, now },
    })
    if (counter === undefined || counter.limit === null) return stored
    const { limit, limitedBy } = counter
    if (maxStorageBytes !== null && maxStorageBytes <= limit) return stored
    const whose = limitedBy === 'OVERRIDE' ? 'that the platform has set' : `of the plan ${limitedBy}`
    return { bytesMax: limit, text: `The limit storageBytes ${whose} is ${limit}` }
  }
}
