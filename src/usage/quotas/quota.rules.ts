import { type LimitName, limitNames } from '../../kernel/quota.ts'
import type { CounterWithLimit } from '../meters/limited-counter.store.ts'
import {
  type LimitEffect,
  type LimitedName,
  meterOfLimit,
  meters,
  type UsageWindow,
  windowAt,
} from '../meters/meter.rules.ts'
import { type Forecast, forecast } from './forecast.rules.ts'
import type { StoredLimit } from './quota.store.ts'

/** `OWN`: set by the tenant's administrators. `DEFAULT`: by the settings of the installation. */
export const quotaSources = ['OVERRIDE', 'PLAN', 'DEFAULT', 'OWN'] as const
export type QuotaSource = (typeof quotaSources)[number]

/** Limits that are stored with the tenant. The requests of a window are left out: their answers tell of that limit. */
export const storedLimitNames = limitNames.filter((name) => name !== 'requestsPerWindow')

export type Quota = {
  meter: LimitedName | LimitName
  unit: string
  /** Null: as much as there is now. */
  window: UsageWindow | null
  used: number
  reserved: number
  soft: number | null
  limit: number | null
  remaining: number | null
  resetsAt: Date | null
  atLimit: LimitEffect
  source: QuotaSource | null
  plan: string | null
  forecast: Forecast | null
}

export type QuotaContext = { now: Date; days: ReadonlyMap<string, number> }

export function quotaOfMeter(counter: CounterWithLimit, { now, days }: QuotaContext): Quota {
  const { name, used, reserved, limit, soft, atLimit } = counter
  const { meter, span } = meterOfLimit(name)
  const { kind, unit } = meters[meter]
  const window = kind === 'stock' ? null : windowAt(now, span)
  return {
    ...{ meter: name, unit, window, used, reserved, soft, limit, atLimit },
    remaining: remaining(limit, used + reserved),
    resetsAt: window?.end ?? null,
    ...sourceOf(counter),
    forecast: window && forecast({ now, window, used, limit, days }),
  }
}

function sourceOf({ limit, limitedBy, isDefaultPlan }: CounterWithLimit): Pick<Quota, 'source' | 'plan'> {
  if (limitedBy === 'OVERRIDE') return { source: limitedBy, plan: null }
  if (limit === null || limitedBy === null) return { source: null, plan: null }
  if (limitedBy === 'OWN') return { source: limitedBy, plan: null }
  return { source: isDefaultPlan ? 'DEFAULT' : 'PLAN', plan: limitedBy }
}

export function quotaOfStoredLimit(name: LimitName, { limit, isOwn }: StoredLimit, used: number): Quota {
  return {
    ...{ meter: name, unit: unitOf(name), window: null, used, reserved: 0, soft: null, limit },
    remaining: remaining(limit, used),
    resetsAt: null,
    atLimit: 'REFUSE',
    source: isOwn ? 'OVERRIDE' : 'DEFAULT',
    plan: null,
    forecast: null,
  }
}

/** What is stored, and the older limit of it that is stored with the tenant. */
export const limitOfStock = { storageBytes: 'maxStorageBytes', documents: 'maxDocuments' } as const satisfies Partial<
  Record<LimitedName, LimitName>
>
export type StockMeter = keyof typeof limitOfStock

/** More is refused above the lower of both limits. */
export function lowerLimit(quota: Quota, { limit, source }: Quota): Quota {
  if (limit === null || (quota.limit !== null && quota.limit <= limit)) return quota
  return { ...quota, limit, source, plan: null, remaining: remaining(limit, quota.used + quota.reserved) }
}

function remaining(limit: number | null, taken: number): number | null {
  return limit === null ? null : Math.max(0, limit - taken)
}

const units: Partial<Record<LimitName, string>> = {
  maxDevicesPerUser: 'devices',
  maxActiveSessions: 'sessions',
  maxOrgs: 'organizations',
  maxOrgMembers: 'members',
  maxApiKeys: 'keys',
  maxStorageBytes: 'bytes',
  maxLiveBots: 'bots',
  maxMailsPerDay: 'mails',
}

/** `maxUsers` counts users. */
function unitOf(name: LimitName): string {
  return units[name] ?? name.slice('max'.length).toLowerCase()
}
