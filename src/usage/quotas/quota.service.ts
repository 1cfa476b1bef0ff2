import type { Clock } from '../../kernel/clock.ts'
import { laterDay, utcDay } from '../../kernel/period.ts'
import type { DefaultLimits, LimitName } from '../../kernel/quota.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { UsageScope } from '../meters/counter.store.ts'
import { type CounterWithLimit, readLimitedCounters } from '../meters/limited-counter.store.ts'
import { limitedNames, meterOfLimit, meters, type UsedMeter } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import type { UsageSubject } from '../usage-subject.ts'
import { type DayUse, readDayUses } from './day-use.store.ts'
import { historyDays } from './forecast.rules.ts'
import {
  limitOfStock,
  lowerLimit,
  type Quota,
  quotaOfMeter,
  quotaOfStoredLimit,
  type StockMeter,
  storedLimitNames,
} from './quota.rules.ts'
import { readStoredLimits } from './quota.store.ts'

/** How much there is now. `subjectId`: the organization or the user, for limits that each of them has. */
export type CountNow = (scope: TenantScope, subjectId: string) => Promise<number>

/** What a capability can count, by whose limit it is and by the name of the limit. */
export type LimitCounts = Partial<Record<UsageScope, Partial<Record<LimitName, CountNow>>>>

export type QuotaListDeps = {
  clock: Clock
  defaultLimits: DefaultLimits
  planOf: MeteringDeps['planOf']
  /** The same without the plan of the installation: null where that one holds. */
  licensedPlanOf: MeteringDeps['planOf']
  /** A function, because the capabilities are created later. */
  limitCounts(): LimitCounts[]
}

export type QuotaList = ReturnType<typeof quotaList>

/** All limits of a tenant, an organization or a user, and what is used of each. */
export function quotaList({ clock, defaultLimits, planOf, licensedPlanOf, limitCounts }: QuotaListDeps) {
  return async (scope: TenantScope, subject: UsageSubject): Promise<Quota[]> => {
    const now = clock.now()
    const today = utcDay(now)
    // What is stored is counted for the whole tenant only.
    const names = limitedNames.filter(
      (name) => subject.scope === 'tenant' || meters[meterOfLimit(name).meter].kind !== 'stock',
    )
    const plans = { plan: planOf(scope, now), licensedPlan: licensedPlanOf(scope, now) }
    const counters = await readLimitedCounters(scope, { subject, names, ...plans, now })
    const history = { subject, from: laterDay(today, -historyDays), to: laterDay(today, -1) }
    const uses = Map.groupBy(await readDayUses(scope, history), ({ meter }) => meter)
    const stored = await storedQuotas(scope, subject)
    const quotaOf = (counter: CounterWithLimit): Quota => {
      const { meter } = meterOfLimit(counter.name)
      const days = dayAmounts(uses.get(meter as UsedMeter) ?? [])
      const older = meter in limitOfStock ? limitOfStock[meter as StockMeter] : null
      const own = stored.find((quota) => quota.meter === older)
      if (own === undefined) return quotaOfMeter(counter, { now, days })
      return lowerLimit(quotaOfMeter({ ...counter, used: own.used }, { now, days }), own)
    }
    return [...counters.map(quotaOf), ...stored]
  }

  async function storedQuotas(scope: TenantScope, subject: UsageSubject): Promise<Quota[]> {
    const counts: Partial<Record<LimitName, CountNow>> = Object.assign(
      {},
      ...limitCounts().map((ofCapability) => ofCapability[subject.scope]),
    )
    const limits = await readStoredLimits(scope, defaultLimits)
    const quotas: Quota[] = []
    for (const name of storedLimitNames) {
      const count = counts[name]
      if (count !== undefined) quotas.push(quotaOfStoredLimit(name, limits[name], await count(scope, subject.id)))
    }
    return quotas
  }
}

function dayAmounts(uses: DayUse[]): ReadonlyMap<string, number> {
  return new Map(uses.map(({ day, amount }) => [day, amount]))
}
