import type { Clock } from '../kernel/clock.ts'
import type { FieldRule } from '../kernel/field-rules.ts'
import { type Period, resolvePeriod } from '../kernel/period.ts'
import { invalidField } from '../kernel/refusal.ts'
import { parseTimestamp } from '../kernel/timestamps.ts'

type PeriodOf = { from?: string | undefined; to?: string | undefined }

/** Reads `from` and `to` of a query. Refuses with VALIDATION_ERROR if they are not a valid period. */
export function readPeriod(query: PeriodOf, clock: Clock): Period {
  const { period, problem } = resolvePeriod(query, clock.now())
  if (problem !== null) throw invalidField('/query/from', { code: 'range', message: problem })
  return period
}

/** The same as a rule. A malformed day is a fault of its own, and says nothing about the other. */
export function periodRules(query: PeriodOf, clock: Clock): FieldRule[] {
  const isWhole = Object.entries(query).every(([name, day]) => !['from', 'to'].includes(name) || day !== undefined)
  return isWhole ? [() => readPeriod(query, clock)] : []
}

/** Reads `from` and `to` of a query as moments. Refuses with VALIDATION_ERROR. */
export function readTimes({ from, to }: PeriodOf): { from: Date | undefined; to: Date | undefined } {
  return {
    from: from === undefined ? undefined : parseTimestamp(from, '/query/from'),
    to: to === undefined ? undefined : parseTimestamp(to, '/query/to'),
  }
}
