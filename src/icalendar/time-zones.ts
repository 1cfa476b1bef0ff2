import { onsets } from './recurrence.ts'
import { CalendarUnreadable, type Observance } from './series.ts'
import { windowsZones } from './windows-zones.ts'

/** The offset from UTC at an instant. Both are milliseconds. */
export type OffsetAt = (instant: number) => number

const dayMs = 86_400_000

/**
 * Of a time zone that a calendar names: as the calendar itself describes it, else as IANA's, else as Windows'. `around` are the first
 * and the last instant of interest. Throws CalendarUnreadable.
 */
export function zoneOffsets(
  name: string | null,
  zones: Readonly<Record<string, Observance[]>>,
  around: { from: number; to: number },
): OffsetAt {
  if (name === null || name === 'UTC') return () => 0
  const described = Object.hasOwn(zones, name) ? zones[name] : undefined
  if (described !== undefined && described.length > 0) return describedOffsets(described, around)
  const known = ianaName(name)
  if (known === null) throw new CalendarUnreadable('UNKNOWN_TIME_ZONE')
  return ianaOffsets(known)
}

/**
 * The instant at which a clock shows a time (RFC 5545, section 3.3.5). A time that occurs twice is the first; one that is skipped counts
 * with the offset before the change.
 */
export function instantOf(wall: number, offsetAt: OffsetAt): number {
  const before = offsetAt(wall - dayMs)
  const after = offsetAt(wall + dayMs)
  const early = wall - before
  if (before === after || offsetAt(early) === before) return early
  return offsetAt(wall - after) === after ? wall - after : early
}

function describedOffsets(observances: readonly Observance[], { from, to }: { from: number; to: number }): OffsetAt {
  const changes = observances
    .flatMap((observance) =>
      onsets(observance, { from: from - 400 * dayMs, to: to + 2 * dayMs }).map((wall) => ({
        instant: wall - observance.offsetFrom,
        offsetTo: observance.offsetTo,
        offsetFrom: observance.offsetFrom,
      })),
    )
    .sort((a, b) => a.instant - b.instant)
  const first = changes[0]?.offsetFrom ?? observances[0]?.offsetTo ?? 0
  return (instant) => changes.findLast((change) => change.instant <= instant)?.offsetTo ?? first
}

/** Some calendars write a path before the name, as in `/citadel.org/20210210_1/Europe/Berlin`. */
function ianaName(name: string): string | null {
  const bare = name.replaceAll('"', '').trim()
  const windows = Object.hasOwn(windowsZones, bare) ? windowsZones[bare] : undefined
  const path = bare.split('/').filter((part) => part !== '')
  const candidates = [bare, ...(path.length > 2 ? [path.slice(-2).join('/'), path.slice(-3).join('/')] : []), windows]
  return candidates.find((candidate) => candidate !== undefined && isIana(candidate)) ?? null
}

function isIana(name: string): boolean {
  // Intl also takes offsets such as +01:00, which no calendar means by a name.
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

function ianaOffsets(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
  }
}
