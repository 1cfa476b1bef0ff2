import { type MeterName, meterNames } from '../meters/meter.rules.ts'

/** The plans of licenses. */
export const planNames = ['TRIAL', 'STARTER', 'PRO', 'ENTERPRISE'] as const
export type PlanName = (typeof planNames)[number]

export const isPlanName = (name: string): name is PlanName => (planNames as readonly string[]).includes(name)

/** The limit of each meter; null: none. */
export type PlanLimits = Record<MeterName, number | null>

export type StoredLimit = { plan: PlanName; meter: MeterName; max: number }

export function limitsOfPlan(plan: PlanName, stored: StoredLimit[]): PlanLimits {
  const limits = new Map(stored.filter((limit) => limit.plan === plan).map(({ meter, max }) => [meter, max]))
  return Object.fromEntries(meterNames.map((meter) => [meter, limits.get(meter) ?? null])) as PlanLimits
}

/** The meters whose limit differs, for the audit log. */
export function changedLimits(before: PlanLimits, after: PlanLimits): Record<string, { from: unknown; to: unknown }> {
  const changed = meterNames.filter((meter) => before[meter] !== after[meter])
  return Object.fromEntries(changed.map((meter) => [meter, { from: before[meter], to: after[meter] }]))
}
