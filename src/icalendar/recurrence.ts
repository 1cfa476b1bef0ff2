import ICAL from 'ical.js'
import { CalendarUnreadable, type Observance } from './series.ts'

/** More often than daily is no meeting, and costs the more. */
const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
/** Daily for 130 years. */
const stepsMax = 50_000

export type Rule = {
  recur: ICAL.Recur
  /** The last moment, as the rule writes it; null: it has none, or ends by a count. */
  until: { wall: number; isUtc: boolean; isDate: boolean } | null
}

/** Reads an RRULE. Throws CalendarUnreadable. */
export function readRule(text: string): Rule {
  try {
    const recur = ICAL.Recur.fromString(text)
    if (!frequencies.includes(recur.freq)) throw new CalendarUnreadable('RECURS_TOO_OFTEN')
    const { until } = recur
    // It may be in UTC, and the steps are on the clock of the event. Who asks compares the instants.
    recur.until = null
    return { recur, until: until && { wall: wallOf(until), isUtc: isUtc(until), isDate: until.isDate } }
  } catch (error) {
    if (error instanceof CalendarUnreadable) throw error
    throw new CalendarUnreadable('MALFORMED')
  }
}

/** Of a time of the library, as in `Moment`. */
export function wallOf(time: ICAL.Time): number {
  return Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
}

export const isUtc = (time: ICAL.Time): boolean => time.zone === ICAL.Timezone.utcTimezone

function timeOf(wall: number): ICAL.Time {
  const date = new Date(wall)
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  const time = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(), isDate: false }
  return new ICAL.Time({ ...day, ...time }, ICAL.Timezone.localTimezone)
}

/** The walls of a rule from the start on, in order. It ends by itself where the rule counts; `until` is not looked at. */
export function* steps({ recur }: Rule, start: number): Generator<number> {
  const iterator = iteratorOf(recur, start)
  for (let count = 0; iterator !== null; count += 1) {
    if (count === stepsMax) throw new CalendarUnreadable('RECURS_TOO_OFTEN')
    const next = iterator.next()
    if (!next) return
    yield wallOf(next)
  }
}

/** Null where the rule names no day that there is, such as the 30th of February. */
function iteratorOf(recur: ICAL.Recur, start: number): ICAL.RecurIterator | null {
  try {
    return recur.iterator(timeOf(start))
  } catch {
    return null
  }
}

/** When clocks change in a span, on the clock before. */
export function onsets(observance: Observance, { from, to }: { from: number; to: number }): number[] {
  const { start, rule, dates, offsetFrom } = observance
  const listed = [start, ...dates]
  if (rule === null) return listed
  const read = readRule(rule)
  const { recur, until } = read
  const found: number[] = []
  for (const wall of steps(read, isYearly(recur) ? lateStart(start, recur, from) : start)) {
    const isOver = until !== null && (until.isUtc ? wall - offsetFrom : wall) > until.wall
    if (wall > to || isOver) break
    if (wall >= start) found.push(wall)
  }
  return [...listed, ...found]
}

const isYearly = ({ freq, interval, count }: ICAL.Recur) => freq === 'YEARLY' && interval === 1 && !count

/** Windows writes rules since 1601: the years before those of interest are left out. */
function lateStart(start: number, recur: ICAL.Recur, from: number): number {
  const [date, year] = [new Date(start), new Date(from).getUTCFullYear() - 1]
  if (date.getUTCFullYear() >= year) return start
  const isByDay = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((part) => recur.getComponent(part).length > 0)
  date.setUTCFullYear(year, date.getUTCMonth(), isByDay ? 1 : date.getUTCDate())
  return date.getTime()
}
