import type { Clock } from '../kernel/clock.ts'
import { type Period, resolvePeriod } from '../kernel/period.ts'
import { invalidField } from '../kernel/refusal.ts'

/** Reads `from` and `to` of a query. Refuses with VALIDATION_ERROR if they are not a valid period. */
export function readPeriod(query: { from?: string; to?: string }, clock: Clock): Period {
  const { period, problem } = resolvePeriod(query, clock.now())
  if (problem !== null) throw invalidField('/query/from', { code: 'range', message: problem })
  return period
}
