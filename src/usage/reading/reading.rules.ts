import { type MeterName, type UsedMeter, usedMeters } from '../meters/meter.rules.ts'

export const groupNames = ['day', 'week', 'month', 'meter', 'org', 'user', 'engine'] as const
export type GroupName = (typeof groupNames)[number]

/** Uses of a meter. `group` is the value of the group: a day, an id, an engine; null where the uses have none. */
export type UsageLine = { group: string | null; meter: UsedMeter; amount: number }

export type UsageTotals = Partial<Record<MeterName, number>>

/** By meter, in the order in which meters are declared. Without those that were not used. */
export function totalsOf(lines: UsageLine[]): UsageTotals {
  const sums = new Map<UsedMeter, number>()
  for (const { meter, amount } of lines)
    sums.set(meter, Math.min((sums.get(meter) ?? 0) + amount, Number.MAX_SAFE_INTEGER))
  return Object.fromEntries(usedMeters.flatMap((meter) => (sums.has(meter) ? [[meter, sums.get(meter) ?? 0]] : [])))
}
