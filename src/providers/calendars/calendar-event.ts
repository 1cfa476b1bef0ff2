import { fieldAt, isRecord, listAt, parseTime, textAt } from '../answer-fields.ts'

/** What the owner of a calendar has to do with an event. */
export type Attendance = {
  isOrganizer: boolean
  response: 'accepted' | 'declined' | 'open'
  /** How many people are invited, the owner too. */
  participants: number
}

/** One occurrence of an event, named as in iCalendar (RFC 5545). */
export type CalendarEntry = {
  /** The provider's id of the occurrence. */
  key: string
  title: string
  startAt: Date
  endAt: Date
  event: { uid: string; occurrence: string | null }
  /** Where one may join, the likeliest first. */
  links: string[]
  attendance: Attendance
}

/** What a calendar says of one occurrence. Without an entry it is no meeting (any more): cancelled, private or of whole days. */
export type CalendarChange = { key: string; entry: CalendarEntry | null }

export type Window = { start: Date; end: Date }

const titleLengthMax = 200
const linksMax = 10

/** One line that a meeting can have as its title. */
export function meetingTitle(text: string | null): string {
  const line = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const short = line.slice(0, titleLengthMax).toWellFormed().trim()
  return /[^\p{Cf}\s]/u.test(short) ? short : 'Meeting'
}

/** An event of Google Calendar; null: it cannot be read. https://developers.google.com/workspace/calendar/api/v3/reference/events */
export function readGoogleEvent(event: unknown): CalendarChange | null {
  const key = textAt(event, 'id')
  if (key === null) return null
  const isPrivate = ['private', 'confidential'].includes(textAt(event, 'visibility') ?? '')
  if (textAt(event, 'status') === 'cancelled' || isPrivate) return { key, entry: null }
  const uid = textAt(event, 'iCalUID')
  const original = textAt(event, 'originalStartTime', 'dateTime')
  const entryPoints = listAt(event, 'conferenceData', 'entryPoints').filter(
    (it) => textAt(it, 'entryPointType') === 'video',
  )
  return change(key, {
    title: textAt(event, 'summary'),
    start: textAt(event, 'start', 'dateTime'),
    end: textAt(event, 'end', 'dateTime'),
    uid,
    occurrence: original,
    links: [textAt(event, 'hangoutLink'), ...entryPoints.map((it) => textAt(it, 'uri')), textAt(event, 'location')],
    attendance: googleAttendance(event),
  })
}

/** An event of a calendar view of Microsoft Graph; null: it cannot be read. https://learn.microsoft.com/graph/api/resources/event */
export function readGraphEvent(event: unknown): CalendarChange | null {
  const key = textAt(event, 'id')
  if (key === null || textAt(event, 'type') === 'seriesMaster') return null
  const isPrivate = ['private', 'confidential', 'personal'].includes(textAt(event, 'sensitivity') ?? '')
  const isOver = isRecord(fieldAt(event, '@removed')) || fieldAt(event, 'isCancelled') === true
  if (isOver || isPrivate || fieldAt(event, 'isAllDay') === true) return { key, entry: null }
  const start = graphTime(event, 'start')
  const isRecurring = textAt(event, 'seriesMasterId') !== null
  const location = textAt(event, 'location', 'locationUri') ?? textAt(event, 'location', 'displayName')
  return change(key, {
    title: textAt(event, 'subject'),
    start,
    end: graphTime(event, 'end'),
    // Each occurrence has an `iCalUId` of its own.
    uid: textAt(event, 'uid') ?? textAt(event, 'iCalUId'),
    occurrence: isRecurring ? (textAt(event, 'originalStart') ?? start) : null,
    links: [textAt(event, 'onlineMeeting', 'joinUrl'), textAt(event, 'onlineMeetingUrl'), location],
    attendance: graphAttendance(event),
  })
}

/** Rooms are attendees, too. Who invites nobody is in no list. */
function googleAttendance(event: unknown): Attendance {
  const people = listAt(event, 'attendees').filter((it) => fieldAt(it, 'resource') !== true)
  const own = people.find((it) => fieldAt(it, 'self') === true)
  const isOrganizer = fieldAt(event, 'organizer', 'self') === true
  const said = textAt(own, 'responseStatus') ?? (isOrganizer ? 'accepted' : null)
  const response = said === 'accepted' || said === 'declined' ? said : 'open'
  return { isOrganizer, response, participants: Math.max(1, people.length) }
}

/** The organizer is none of the attendees. */
function graphAttendance(event: unknown): Attendance {
  const people = listAt(event, 'attendees').filter((it) => textAt(it, 'type') !== 'resource')
  const isOrganizer = fieldAt(event, 'isOrganizer') === true
  const said = isOrganizer ? 'accepted' : textAt(event, 'responseStatus', 'response')
  const response = said === 'accepted' || said === 'declined' ? said : 'open'
  return { isOrganizer, response, participants: people.length + 1 }
}

/** We ask for times in UTC, which then come without an offset. */
function graphTime(event: unknown, name: 'start' | 'end'): string | null {
  const text = textAt(event, name, 'dateTime')
  return text === null || /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.slice(0, 23)}Z`
}

type Said = {
  title: string | null
  start: string | null
  end: string | null
  uid: string | null
  occurrence: string | null
  links: (string | null)[]
  attendance: Attendance
}

function change(key: string, { title, start, end, uid, occurrence, links, attendance }: Said): CalendarChange {
  const startAt = parseTime(start)
  const endAt = parseTime(end)
  // Without times it is of whole days; without a UID nobody could tell it from others.
  if (startAt === null || endAt === null || uid === null) return { key, entry: null }
  return {
    key,
    entry: {
      key,
      title: meetingTitle(title),
      startAt,
      endAt: endAt > startAt ? endAt : new Date(startAt.getTime() + 60_000),
      event: { uid: meetingTitle(uid), occurrence: parseTime(occurrence)?.toISOString() ?? null },
      links: [...new Set(links.flatMap((link) => addresses(link)))].slice(0, linksMax),
      attendance,
    },
  }
}

/** A place may be an address among words. */
function addresses(text: string | null): string[] {
  return (text ?? '').slice(0, 5_000).match(/https:\/\/[^\s<>"]{1,2000}/g) ?? []
}
