import type { Clock } from '../kernel/clock.ts'
import { type Period, periodOf } from '../kernel/period.ts'
import { faulty } from '../kernel/refusal.ts'

/** The days of a query. Refuses with VALIDATION_ERROR where they make no period. */
export function periodAsked(query: { from?: string; to?: string }, clock: Clock): Period {
  const { period, problem } = periodOf(query, clock.now())
  if (problem !== null) throw faulty('/query/from', { code: 'range', message: problem })
  return period
}
