import type { Clock } from '../../kernel/clock.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { readLimitedCounters } from '../meters/limited-counter.store.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { limitOfStock, type StockMeter } from './quota.rules.ts'
import type { Quotas } from './quota.store.ts'

/** The lower of two limits: the one that is stored with the tenant and the one of its plan. */
export type StockLimit = {
  meter: StockMeter
  max: number | null
  /** The name of the plan, `OVERRIDE`, or `DEFAULT` for a limit of the installation. */
  source: string
  /** For a refusal. */
  text: string
}

/** Reads the limit of what is stored: of bytes or of documents. Refuses TENANT_SUSPENDED, as `readLimits` does. */
export type ReadStockLimit = (tx: TenantScope, meter: StockMeter) => Promise<StockLimit>

export function stockLimitReader({
  clock,
  defaultLimits,
  planOf,
  quotas,
}: {
  clock: Clock
  defaultLimits: DefaultLimits
  planOf: MeteringDeps['planOf']
  quotas: Pick<Quotas, 'readLimits'>
}): ReadStockLimit {
  return async (tx, meter) => {
    const now = clock.now()
    const name = limitOfStock[meter]
    const { [name]: own } = await quotas.readLimits(tx)
    const source = own === defaultLimits[name] ? 'DEFAULT' : 'OVERRIDE'
    const stored = { meter, max: own, source, text: `The tenant's limit ${name} is ${own}` }
    const plan = planOf(tx, now)
    const subject = { scope: 'tenant', id: tx.tenantId } as const
    const [counter] = await readLimitedCounters(tx, {
      ...{ subject, names: [meter], plan, licensedPlan: plan, now },
    })
    if (counter === undefined || counter.limit === null) return stored
    const { limit, limitedBy } = counter
    if (own !== null && own <= limit) return stored
    const whose = limitedBy === 'OVERRIDE' ? 'that the platform has set' : `of the plan ${limitedBy}`
    return { meter, max: limit, source: limitedBy ?? 'DEFAULT', text: `The limit ${meter} ${whose} is ${limit}` }
  }
}
