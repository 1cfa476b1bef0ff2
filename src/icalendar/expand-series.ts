import { readRule, steps } from './recurrence.ts'
import type { EventFields, Expansion, Moment, Occurrence, Series } from './series.ts'
import { instantOf, type OffsetAt, zoneOffsets } from './time-zones.ts'

export type Span = {
  /** Instants: what is over before is left out, and what begins at or after the end. */
  from: number
  until: number
  max: number
}

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * The occurrences of a series in a span, in order. Whole days are none: nobody meets at them. Throws CalendarUnreadable. Run it in a
 * worker, as `readCalendar`.
 */
export function expandSeries(series: Series, span: Span): Expansion {
  const clock = clockOf(series, span)
  const { master, overrides } = series
  const { originals, isOver } = originalsOf(series, span, clock)
  const isAlone = master !== null && master.rules.length === 0 && master.dates.length === 0
  const plain =
    master === null || master.isCancelled
      ? []
      : originals.map((start) => occurrence(master, { start, recurrenceId: isAlone ? null : iso(start) }, clock))
  const changed = overrides.flatMap((event) => {
    const original = originalOf(event, { master, originals, clock })
    return original === null ? [] : [{ original: iso(original), event }]
  })
  const replaced = new Set(changed.map(({ original }) => original))
  const own = changed.flatMap(({ original, event }) => {
    if (event.isCancelled || event.start === null || event.start.isDate) return []
    return [occurrence(event, { start: clock(event.start), recurrenceId: original }, clock)]
  })
  const all = [...plain.filter(({ recurrenceId }) => !replaced.has(recurrenceId ?? '')), ...own]
  const inSpan = all.filter(({ startAt, endAt }) => Date.parse(startAt) < span.until && Date.parse(endAt) > span.from)
  const inOrder = inSpan.sort((a, b) => Date.parse(a.startAt) - Date.parse(b.startAt))
  const hasLater = all.some(({ startAt }) => Date.parse(startAt) >= span.until)
  return { occurrences: inOrder.slice(0, span.max), hasMore: !isOver || hasLater || inOrder.length > span.max }
}

type ClockOf = (moment: Moment) => number

/** The instant of a moment; each time zone is read once. */
function clockOf({ zones, master, overrides }: Series, { from, until }: Span): ClockOf {
  const events = [...(master === null ? [] : [master]), ...overrides]
  const walls = events.flatMap(({ start, recurrenceId }) => [start?.wall ?? from, recurrenceId?.wall ?? from])
  const around = { from: Math.min(from, ...walls), to: Math.max(until, ...walls) + 366 * dayMs }
  const known = new Map<string | null, OffsetAt>()
  return ({ wall, zone }) => {
    const offsetAt = known.get(zone) ?? zoneOffsets(zone, zones, around)
    known.set(zone, offsetAt)
    return instantOf(wall, offsetAt)
  }
}

/**
 * The starts of the recurrence set up to the end of the span and to the last override. `isOver`: there are no later ones.
 */
function originalsOf(series: Series, { until }: Span, clock: ClockOf): { originals: number[]; isOver: boolean } {
  const { master, overrides } = series
  const start = master?.start ?? null
  if (master === null || start === null || start.isDate) return { originals: [], isOver: true }
  const last = Math.max(until, ...overrides.flatMap(({ recurrenceId }) => recurrenceId?.wall ?? [])) + 2 * dayMs
  const found = new Set(master.rules.length === 0 ? [clock(start)] : [])
  let isOver = true
  for (const text of master.rules) {
    const rule = readRule(text)
    for (const wall of steps(rule, start.wall)) {
      const instant = clock({ ...start, wall })
      if (isAfter(rule.until, { wall, instant })) break
      if (wall > last) {
        isOver = false
        break
      }
      found.add(instant)
    }
  }
  for (const date of master.dates) found.add(clock(date.isDate ? { ...start, wall: onDay(date, start) } : date))
  for (const exception of master.exceptions) {
    const excluded = exception.isDate ? { ...start, wall: onDay(exception, start) } : exception
    found.delete(clock(excluded))
  }
  return { originals: [...found].sort((a, b) => a - b), isOver }
}

const onDay = (day: Moment, { wall }: Moment): number => day.wall + (wall % dayMs)

function isAfter(
  until: { wall: number; isUtc: boolean; isDate: boolean } | null,
  { wall, instant }: { wall: number; instant: number },
): boolean {
  if (until === null) return false
  if (until.isDate) return wall >= until.wall + dayMs
  return (until.isUtc ? instant : wall) > until.wall
}

/** The occurrence that an override changes; null: it is none of the series (any more). */
function originalOf(
  { recurrenceId }: EventFields,
  { master, originals, clock }: { master: EventFields | null; originals: readonly number[]; clock: ClockOf },
): number | null {
  if (recurrenceId === null) return null
  const start = master?.start ?? null
  if (start === null) return clock(recurrenceId)
  const instant = clock(recurrenceId.isDate ? { ...start, wall: onDay(recurrenceId, start) } : recurrenceId)
  return originals.includes(instant) ? instant : null
}

function occurrence(
  event: EventFields,
  { start, recurrenceId }: { start: number; recurrenceId: string | null },
  clock: ClockOf,
): Occurrence {
  const { title, links, wordLinks, organizer, attendees } = event
  const end = start + lengthOf(event, start, clock)
  return {
    ...{ recurrenceId, startAt: iso(start), endAt: iso(Math.max(end, start + minuteMs)) },
    event: { title, links, wordLinks, organizer, attendees },
  }
}

/** DTEND says the same exact duration for all, DURATION the same number of days (RFC 5545, section 3.8.5.3). */
function lengthOf({ start, end, duration }: EventFields, at: number, clock: ClockOf): number {
  if (start !== null && end !== null) return clock(end) - clock(start)
  if (start === null || duration === null) return 0
  if (duration.days === 0) return duration.ms
  const wall = at + (start.wall - clock(start))
  return clock({ ...start, wall: wall + duration.days * dayMs }) - at + duration.ms
}

const iso = (instant: number): string => new Date(instant).toISOString()
