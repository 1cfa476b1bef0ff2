const dayMs = 24 * 3600 * 1000
const defaultDays = 30
const daysMax = 366

/** `from` and `to` are days like `2026-11-21`, both included. `start` and `end` are times; `end` is excluded. */
export type Period = { from: string; to: string; start: Date; end: Date }

export type PeriodResult = { period: Period; problem: null } | { period: null; problem: string }

/** The requested UTC days. Default: the 30 days that end today. */
export function resolvePeriod(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): PeriodResult {
  const last = dayStart(to ?? utcDay(now))
  const start = from === undefined ? new Date(last.getTime() - (defaultDays - 1) * dayMs) : dayStart(from)
  const end = new Date(last.getTime() + dayMs)
  const days = (end.getTime() - start.getTime()) / dayMs
  if (days < 1) return { period: null, problem: 'is after `to`' }
  if (days > daysMax) return { period: null, problem: `is more than ${daysMax} days before \`to\`` }
  return { period: { from: utcDay(start), to: utcDay(last), start, end }, problem: null }
}

// Requests ask several times each, and nearly always for today or the day on which something made today expires.
const knownDays = new Map<number, string>()
const knownDaysMax = 1000

/** The UTC day of a time, like `2026-11-21`. */
export function utcDay(at: Date): string {
  const day = Math.floor(at.getTime() / dayMs)
  const known = knownDays.get(day)
  if (known !== undefined) return known
  const text = at.toISOString().slice(0, 10)
  if (knownDays.size >= knownDaysMax) knownDays.clear()
  knownDays.set(day, text)
  return text
}

/** The day that comes so many days after another one. */
export function laterDay(day: string, days: number): string {
  return utcDay(new Date(dayStart(day).getTime() + days * dayMs))
}

function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}
