import type { Clock } from '../kernel/clock.ts'
import { type Period, resolvePeriod } from '../kernel/period.ts'
import { invalidField } from '../kernel/refusal.ts'

/** The days of a query. Refuses with VALIDATION_ERROR where they make no period. */
export function readPeriod(query: { from?: string; to?: string }, clock: Clock): Period {
  const { period, problem } = resolvePeriod(query, clock.now())
  if (problem !== null) throw invalidField('/query/from', { code: 'range', message: problem })
  return period
}
