/** A date and time as a calendar writes it: what the clock on the wall shows, and where. */
export type Moment = {
  /** Milliseconds, as if the clock showed UTC. */
  wall: number
  /** Null: nowhere in particular. */
  zone: string | null
  /** A day without a time. */
  isDate: boolean
}

/** When the clocks of a time zone of the calendar change. `start` and `dates` are on the clock before the change. */
export type Observance = {
  start: number
  offsetFrom: number
  offsetTo: number
  rule: string | null
  dates: number[]
}

export type Attendee = { address: string; status: string }

/** One VEVENT, as far as it decides about meetings. */
export type EventFields = {
  /** Which occurrence of a series it is; null for the series itself. */
  recurrenceId: Moment | null
  sequence: number
  /** DTSTAMP in milliseconds; 0 where it is missing. */
  stamp: number
  isCancelled: boolean
  /** Null in some cancellations. */
  start: Moment | null
  end: Moment | null
  /** DURATION: days are as long as they are, when clocks change. */
  duration: { days: number; ms: number } | null
  rules: string[]
  dates: Moment[]
  exceptions: Moment[]
  title: string
  /** Addresses in the places that calendars have for them, and those among the words of the description. */
  links: string[]
  wordLinks: string[]
  organizer: string | null
  attendees: Attendee[]
}

/** All that is known of a UID. It is plain data: it can be stored, and sent to a worker. */
export type Series = {
  uid: string
  zones: Record<string, Observance[]>
  master: EventFields | null
  overrides: EventFields[]
}

export const methods = ['REQUEST', 'CANCEL'] as const
export type Method = (typeof methods)[number]

export type Invitation = { method: Method; series: Series }

export type Occurrence = {
  /** The original start (ISO 8601 in UTC); null for what does not recur. */
  recurrenceId: string | null
  startAt: string
  endAt: string
  event: Pick<EventFields, 'title' | 'links' | 'wordLinks' | 'organizer' | 'attendees'>
}

export type Expansion = {
  occurrences: Occurrence[]
  /** Whether there are later ones than those that were asked for. */
  hasMore: boolean
}

export const calendarCauses = [
  'MALFORMED',
  'TOO_LARGE',
  'UNKNOWN_TIME_ZONE',
  'RECURS_TOO_OFTEN',
  'RANGE_NOT_SUPPORTED',
] as const
export type CalendarCause = (typeof calendarCauses)[number]

/** A calendar that is not read. */
export class CalendarUnreadable extends Error {
  override readonly cause: CalendarCause

  constructor(cause: CalendarCause) {
    super(`The calendar is not read: ${cause}.`)
    this.name = 'CalendarUnreadable'
    this.cause = cause
  }
}
