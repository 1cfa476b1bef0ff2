import { createHash } from 'node:crypto'
import type { CalendarChange, CalendarEntry, Window } from '../../../providers/calendars/calendar-event.ts'

/** What we know of an occurrence since the last time. */
export type KnownEvent = { meetingId: string; fingerprint: string; isGone: boolean; endsAt: Date | null }

export type Step =
  | { kind: 'none' }
  | { kind: 'cancel'; cause: 'MISSED' | null }
  | { kind: 'create' | 'change'; entry: CalendarEntry }

const dayMs = 86_400_000

/** From a day back to 28 days ahead. */
export function windowAt(now: Date): Window {
  return { start: new Date(now.getTime() - dayMs), end: new Date(now.getTime() + 28 * dayMs) }
}

/** Makes a meeting of each occurrence in the window, and cancels it when the occurrence is gone or has left the window. */
export function nextStep({ entry }: CalendarChange, known: KnownEvent | null, window: Window): Step {
  const isWanted = entry !== null && entry.startAt < window.end && entry.endAt > window.start
  if (!isWanted) {
    if (known === null || known.isGone) return { kind: 'none' }
    // What is over is no longer listed, so that it cannot be told from what was deleted afterwards.
    const endsAt = entry?.endAt ?? known.endsAt
    return { kind: 'cancel', cause: endsAt !== null && endsAt <= window.start ? 'MISSED' : null }
  }
  if (known === null || known.isGone) return { kind: 'create', entry }
  return known.fingerprint === fingerprintOf(entry) ? { kind: 'none' } : { kind: 'change', entry }
}

/** Equal while nothing changed that a meeting follows, so that what people changed on a meeting stays as it is. */
export function fingerprintOf({ title, startAt, endAt, links }: CalendarEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([title, startAt, endAt, links]))
    .digest('base64url')
}

/** Events that we know, and that all of the window does not name: they are gone. */
export function unnamed(known: readonly string[], changes: readonly CalendarChange[]): CalendarChange[] {
  const named = new Set(changes.map(({ key }) => key))
  return known.filter((key) => !named.has(key)).map((key) => ({ key, entry: null }))
}
