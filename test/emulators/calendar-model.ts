import type { Controls, World } from './emulator.ts'

/** What one occurrence can have of its own. */
type Details = {
  title: string
  startMs: number
  endMs: number
  link: string | null
  isPrivate: boolean
  isCancelled: boolean
  /** What the owner of the calendar answered. */
  response: Response
}

type Response = 'organizer' | 'accepted' | 'declined' | 'open'

type CalendarEvent = Details & {
  id: string
  /** Repeated so many times, every so many days. */
  series: { everyDays: number; count: number } | null
  exceptions: Map<number, Partial<Details>>
  isAllDay: boolean
  attendees: string[]
  createdAt: Date
  updatedAt: Date
  /** Grows with every change of the calendar. */
  sequence: number
}

export type Occurrence = Details & {
  event: CalendarEvent
  /** Where the series has it; for a single event its own start. */
  originalStartMs: number
  isException: boolean
}

export type CalendarModel = {
  /** All occurrences that changed after this state, also cancelled ones, in the order of their start. */
  changedSince(sequence: number): Occurrence[]
  sequence(): number
  /** States before this one are forgotten: who comes with one reads everything anew. */
  oldestSequence(): number
  onChange(listener: (event: CalendarEvent) => void): void
  controls: Controls
}

const dayMs = 86_400_000

/** One calendar as people keep it. Google and Microsoft show it in their own ways. */
export function calendarModel(world: World): CalendarModel {
  const events = new Map<string, CalendarEvent>()
  const listeners: ((event: CalendarEvent) => void)[] = []
  let sequence = 0
  let oldest = 0

  function changed(event: CalendarEvent): { id: string } {
    sequence += 1
    event.sequence = sequence
    event.updatedAt = world.clock.now()
    for (const listener of listeners) listener(event)
    return { id: event.id }
  }

  function byId(id: unknown): CalendarEvent {
    const event = events.get(String(id))
    if (event === undefined) throw new Error('there is no such event')
    return event
  }

  return {
    changedSince: (since) =>
      [...events.values()]
        .filter((event) => event.sequence > since)
        .flatMap(occurrencesOf)
        .sort((one, other) => one.startMs - other.startMs),
    sequence: () => sequence,
    oldestSequence: () => oldest,
    onChange: (listener) => void listeners.push(listener),
    controls: {
      /** `{id, title, start, end, link, private, allDay, attendees, response, series: {everyDays, count}}`; times as ISO 8601. */
      createEvent: (input) => {
        const id = typeof input['id'] === 'string' ? input['id'] : `event${world.next()}`
        const now = world.clock.now()
        const event: CalendarEvent = {
          title: 'Meeting',
          startMs: now.getTime(),
          endMs: now.getTime() + 3_600_000,
          link: null,
          isPrivate: false,
          isCancelled: false,
          response: 'organizer',
          ...detailsOf(input),
          id,
          series: (input['series'] as CalendarEvent['series'] | undefined) ?? null,
          exceptions: new Map(),
          isAllDay: input['allDay'] === true,
          attendees: (input['attendees'] as string[] | undefined) ?? [],
          createdAt: now,
          updatedAt: now,
          sequence: 0,
        }
        events.set(id, event)
        return changed(event)
      },
      /** Changes an event, and all occurrences of a series that are not changed by themselves. */
      editEvent: ({ id, ...input }) => changed(Object.assign(byId(id), detailsOf(input))),
      /** Changes one occurrence: `{id, originalStart, ...}`. */
      editOccurrence: ({ id, originalStart, ...input }) => {
        const event = byId(id)
        const key = Date.parse(String(originalStart))
        event.exceptions.set(key, { ...event.exceptions.get(key), ...detailsOf(input) })
        return changed(event)
      },
      cancelEvent: ({ id }) => changed(Object.assign(byId(id), { isCancelled: true })),
      cancelOccurrence: ({ id, originalStart }) => {
        const event = byId(id)
        const key = Date.parse(String(originalStart))
        event.exceptions.set(key, { ...event.exceptions.get(key), isCancelled: true })
        return changed(event)
      },
      /** Sync tokens that were given out so far are too old from now on. */
      expireSyncTokens: () => {
        sequence += 1
        oldest = sequence
      },
    },
  }
}

function detailsOf(input: Record<string, unknown>): Partial<Details> {
  const { title, start, end, link, private: isPrivate, response } = input
  return {
    ...(title !== undefined && { title: String(title) }),
    ...(start !== undefined && { startMs: Date.parse(String(start)) }),
    ...(end !== undefined && { endMs: Date.parse(String(end)) }),
    ...(link !== undefined && { link: link === null ? null : String(link) }),
    ...(isPrivate !== undefined && { isPrivate: isPrivate === true }),
    ...(response !== undefined && { response: response as Response }),
  }
}

function occurrencesOf(event: CalendarEvent): Occurrence[] {
  const starts = event.series === null ? [event.startMs] : startsOf(event.startMs, event.series)
  return starts.map((originalStartMs) => {
    const own = event.exceptions.get(originalStartMs)
    const startMs = own?.startMs ?? originalStartMs
    return {
      event,
      originalStartMs,
      title: own?.title ?? event.title,
      startMs,
      endMs: own?.endMs ?? startMs + (event.endMs - event.startMs),
      link: own?.link !== undefined ? own.link : event.link,
      isPrivate: own?.isPrivate ?? event.isPrivate,
      response: own?.response ?? event.response,
      isCancelled: event.isCancelled || own?.isCancelled === true,
      isException: own !== undefined,
    }
  })
}

function startsOf(first: number, { everyDays, count }: { everyDays: number; count: number }): number[] {
  return Array.from({ length: count }, (_, position) => first + position * everyDays * dayMs)
}
