import type { EventFields, Invitation, Series } from './series.ts'

/** `stale`: something newer came before. `same`: it says nothing new. */
export type Merged = { series: Series; outcome: 'changed' | 'same' | 'stale' }

/**
 * What is known of a UID after an invitation or a cancellation. SEQUENCE decides which is newer, and then DTSTAMP (RFC 5546, section
 * 2.1.5), for the series and for each occurrence by itself.
 */
export function mergeSeries(known: Series | null, { method, series }: Invitation): Merged {
  const before = known ?? { uid: series.uid, zones: {}, master: null, overrides: [] }
  const incoming = method === 'CANCEL' ? cancelled(series, before) : series
  const { master, outcome } = mergeMaster(before.master, incoming.master)
  const isReplaced = outcome === 'changed' && before.master !== null && incoming.master !== null
  const kept = isReplaced ? stillValid(before, incoming.master as EventFields) : before.overrides
  const merged = incoming.overrides.reduce<{ all: EventFields[]; outcomes: Merged['outcome'][] }>(
    ({ all, outcomes }, override) => {
      const next = mergeOverride(all, override, master)
      return { all: next.overrides, outcomes: [...outcomes, next.outcome] }
    },
    { all: kept, outcomes: incoming.master === null ? [] : [outcome] },
  )
  const zones = { ...before.zones, ...incoming.zones }
  return { series: { uid: series.uid, zones, master, overrides: merged.all }, outcome: best(merged.outcomes) }
}

function best(outcomes: readonly Merged['outcome'][]): Merged['outcome'] {
  if (outcomes.includes('changed')) return 'changed'
  return outcomes.includes('stale') ? 'stale' : 'same'
}

function mergeMaster(known: EventFields | null, incoming: EventFields | null) {
  if (incoming === null) return { master: known, outcome: 'same' as const }
  if (known === null) return { master: incoming, outcome: 'changed' as const }
  const outcome = compared(incoming, known)
  return { master: outcome === 'changed' ? incoming : known, outcome }
}

function mergeOverride(overrides: readonly EventFields[], incoming: EventFields, master: EventFields | null) {
  const same = overrides.find((it) => isSameOccurrence(it, incoming))
  const newest = same ?? (master?.isCancelled ? master : null)
  const outcome = newest === null ? 'changed' : compared(incoming, newest)
  if (outcome !== 'changed') return { overrides: [...overrides], outcome }
  return { overrides: [...overrides.filter((it) => it !== same), incoming], outcome }
}

function isSameOccurrence({ recurrenceId: a }: EventFields, { recurrenceId: b }: EventFields): boolean {
  return a?.wall === b?.wall && a?.zone === b?.zone
}

function compared(incoming: EventFields, known: EventFields): Merged['outcome'] {
  const order = incoming.sequence - known.sequence || incoming.stamp - known.stamp
  if (order > 0) return 'changed'
  // Some calendars cancel without a new number, within the same second.
  if (order === 0 && incoming.isCancelled && !known.isCancelled) return 'changed'
  return order === 0 ? 'same' : 'stale'
}

/** Exceptions of a series stay when it is changed, unless it is cancelled or its times are others: those occurrences are no more. */
function stillValid({ master, overrides }: Series, incoming: EventFields): EventFields[] {
  return !incoming.isCancelled && hasSameTimes(master, incoming) ? overrides : []
}

function hasSameTimes(a: EventFields | null, b: EventFields): boolean {
  const times = ({ start, rules, dates }: EventFields) => JSON.stringify([start, rules, dates])
  return a !== null && times(a) === times(b)
}

/** A cancellation may hold nothing but the UID: what it cancels is as it was. */
function cancelled(series: Series, known: Series): Series {
  const { master, overrides } = series
  const of = (event: EventFields, before: EventFields | null | undefined): EventFields => ({
    ...(before ?? event),
    ...{ recurrenceId: event.recurrenceId, sequence: event.sequence, stamp: event.stamp, isCancelled: true },
  })
  return {
    ...series,
    master: master === null ? null : of(master, known.master),
    overrides: overrides.map((it) =>
      of(
        it,
        known.overrides.find((other) => isSameOccurrence(it, other)),
      ),
    ),
  }
}
