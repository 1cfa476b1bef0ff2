import { laterDay, utcDay } from '../../kernel/period.ts'
import { dayStart, type UsageWindow } from '../meters/meter.rules.ts'

/** So many whole days before today say what is to be expected: four of each weekday. */
export const historyDays = 28
/** With fewer, some weekdays have never been seen. */
const seenDaysMin = 7
const dayMs = 24 * 3600 * 1000

/** `atEnd`: the expected amount at the end of the window. `reachesLimitAt`: null where that is not expected in the window. */
export type Forecast = { atEnd: number; reachesLimitAt: Date | null }

export type UseSoFar = {
  now: Date
  window: UsageWindow
  used: number
  limit: number | null
  /** The uses of whole days before today, by day. Days without uses may be absent. */
  days: ReadonlyMap<string, number>
}

/**
 * Expects of each day what days of its weekday had on average, and of a part of a day that part. Null where the first use of
 * the last 28 days is less than seven days ago.
 */
export function forecast({ now, window, used, limit, days }: UseSoFar): Forecast | null {
  const expectedOn = weekdayAverages(days, utcDay(now))
  if (expectedOn === null) return null
  let amount = used
  let reachesLimitAt = limit !== null && used >= limit ? now : null
  const end = window.end.getTime()
  for (let at = now.getTime(); at < end; ) {
    const day = utcDay(new Date(at))
    const until = Math.min(end, dayStart(day).getTime() + dayMs)
    const added = (expectedOn(day) * (until - at)) / dayMs
    if (limit !== null && reachesLimitAt === null && amount + added >= limit)
      reachesLimitAt = new Date(Math.min(until, Math.ceil(at + ((limit - amount) / added) * (until - at))))
    amount += added
    at = until
  }
  return { atEnd: Math.min(Math.floor(amount), Number.MAX_SAFE_INTEGER), reachesLimitAt }
}

function weekdayAverages(days: ReadonlyMap<string, number>, today: string): ((day: string) => number) | null {
  const history = Array.from({ length: historyDays }, (_, index) => laterDay(today, index - historyDays))
  const first = history.findIndex((day) => (days.get(day) ?? 0) > 0)
  if (first === -1 || historyDays - first < seenDaysMin) return null
  const seen = Map.groupBy(history.slice(first), weekday)
  return (day) => {
    const same = seen.get(weekday(day)) ?? []
    return same.reduce((sum, each) => sum + (days.get(each) ?? 0), 0) / Math.max(1, same.length)
  }
}

function weekday(day: string): number {
  return dayStart(day).getUTCDay()
}
