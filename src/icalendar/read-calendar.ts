import ICAL from 'ical.js'
import { isUtc, readRule, wallOf } from './recurrence.ts'
import {
  CalendarUnreadable,
  type EventFields,
  type Invitation,
  type Method,
  type Moment,
  methods,
  type Observance,
  type Series,
} from './series.ts'

const bytesMax = 1024 * 1024
const linesMax = 20_000
const eventsMax = 500
const zonesMax = 50
const observancesMax = 200
const rulesMax = 5
const datesMax = 1000
const attendeesMax = 500
const uidsMax = 10
const linksMax = 10

/**
 * The invitations and cancellations of a file (RFC 5546), one for each UID. Empty for files with other methods, or none. Throws
 * CalendarUnreadable. Run it in a worker: there are files that keep the library busy for minutes.
 */
export function readCalendar(text: string): Invitation[] {
  if (text.length > bytesMax || text.split('\n', linesMax + 1).length > linesMax)
    throw new CalendarUnreadable('TOO_LARGE')
  try {
    const found = parse(text).flatMap((calendar) => {
      const method = stringOf(calendar, 'method')?.trim().toUpperCase()
      return method !== undefined && isMethod(method) ? invitations(calendar, method) : []
    })
    if (found.length > uidsMax) throw new CalendarUnreadable('TOO_LARGE')
    return found
  } catch (error) {
    // The library reads a value when it is asked for, and throws an error of any kind if it cannot.
    throw error instanceof CalendarUnreadable ? error : new CalendarUnreadable('MALFORMED')
  }
}

const isMethod = (text: string): text is Method => methods.some((method) => method === text)

function parse(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text.replace(/^\ufeff/, ''))
  const all = typeof parsed[0] === 'string' ? [parsed] : parsed
  return all.map((one: unknown[]) => new ICAL.Component(one))
}

function invitations(calendar: ICAL.Component, method: Method): Invitation[] {
  const events = calendar.getAllSubcomponents('vevent')
  if (events.length > eventsMax) throw new CalendarUnreadable('TOO_LARGE')
  const zones = readZones(calendar)
  const elsewhere = stringOf(calendar, 'x-wr-timezone') ?? null
  const byUid = Map.groupBy(events, (event) => stringOf(event, 'uid')?.trim() ?? '')
  byUid.delete('')
  return [...byUid].map(([uid, own]) => ({ method, series: series({ uid, zones, events: own, elsewhere }) }))
}

type Found = { uid: string; zones: Series['zones']; events: ICAL.Component[]; elsewhere: string | null }

function series({ uid, zones, events, elsewhere }: Found): Series {
  const all = events.map((event) => readEvent(event, elsewhere))
  const overrides = all.filter(({ recurrenceId }) => recurrenceId !== null)
  const used = new Set(all.flatMap(zonesOf))
  return {
    uid: uid.slice(0, 1000),
    zones: Object.fromEntries(Object.entries(zones).filter(([name]) => used.has(name))),
    master: all.find(({ recurrenceId }) => recurrenceId === null) ?? null,
    overrides,
  }
}

const zonesOf = ({ recurrenceId, start, end, dates, exceptions }: EventFields) =>
  [recurrenceId, start, end, ...dates, ...exceptions].flatMap((moment) => moment?.zone ?? [])

function readEvent(event: ICAL.Component, elsewhere: string | null): EventFields {
  const recurrence = event.getFirstProperty('recurrence-id')
  if (recurrence?.getFirstParameter('range')) throw new CalendarUnreadable('RANGE_NOT_SUPPORTED')
  const first = (name: string) => moments(event, name, elsewhere)[0] ?? null
  return {
    recurrenceId: first('recurrence-id'),
    sequence: integer(event, 'sequence'),
    stamp: first('dtstamp')?.wall ?? 0,
    isCancelled: stringOf(event, 'status')?.trim().toUpperCase() === 'CANCELLED',
    start: first('dtstart'),
    end: first('dtend'),
    duration: readDuration(event),
    rules: readRules(event),
    dates: moments(event, 'rdate', elsewhere),
    exceptions: moments(event, 'exdate', elsewhere),
    title: (stringOf(event, 'summary') ?? '').slice(0, 1000),
    ...readLinks(event),
    organizer: mailAddress(stringOf(event, 'organizer')),
    attendees: readAttendees(event),
  }
}

function readRules(event: ICAL.Component): string[] {
  const rules = event.getAllProperties('rrule').map((property) => String(property.getFirstValue()))
  if (rules.length > rulesMax) throw new CalendarUnreadable('TOO_LARGE')
  rules.forEach(readRule)
  return rules
}

function readDuration(event: ICAL.Component): EventFields['duration'] {
  const value = event.getFirstPropertyValue('duration')
  if (!(value instanceof ICAL.Duration) || value.isNegative) return null
  const { weeks, days, hours, minutes, seconds } = value
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
}

/** All values of a property. A period counts by its start. */
function moments(event: ICAL.Component, name: string, elsewhere: string | null): Moment[] {
  const found: Moment[] = []
  for (const property of event.getAllProperties(name)) {
    const named = property.getFirstParameter('tzid')?.trim() || elsewhere
    for (const value of property.getValues()) {
      const time = value instanceof ICAL.Period ? value.start : value
      if (!(time instanceof ICAL.Time)) continue
      const wall = wallOf(time)
      if (!Number.isFinite(wall)) throw new CalendarUnreadable('MALFORMED')
      found.push({ wall, zone: isUtc(time) ? 'UTC' : named, isDate: time.isDate })
      if (found.length > datesMax) throw new CalendarUnreadable('TOO_LARGE')
    }
  }
  return found
}

function readZones(calendar: ICAL.Component): Series['zones'] {
  const zones = calendar.getAllSubcomponents('vtimezone')
  if (zones.length > zonesMax) throw new CalendarUnreadable('TOO_LARGE')
  const read = zones.flatMap((zone): [string, Observance[]][] => {
    const name = stringOf(zone, 'tzid')?.trim()
    const parts = [...zone.getAllSubcomponents('standard'), ...zone.getAllSubcomponents('daylight')]
    if (parts.length > observancesMax) throw new CalendarUnreadable('TOO_LARGE')
    return name ? [[name, parts.flatMap(observance)]] : []
  })
  return Object.fromEntries(read)
}

function observance(part: ICAL.Component): Observance[] {
  const [start] = moments(part, 'dtstart', null)
  const [offsetFrom, offsetTo] = [offset(part, 'tzoffsetfrom'), offset(part, 'tzoffsetto')]
  if (start === undefined || offsetFrom === null || offsetTo === null) return []
  const dates = moments(part, 'rdate', null).map(({ wall }) => wall)
  return [{ start: start.wall, offsetFrom, offsetTo, rule: readRules(part)[0] ?? null, dates }]
}

/** In milliseconds. */
function offset(part: ICAL.Component, name: string): number | null {
  const value = part.getFirstPropertyValue(name)
  const seconds = value instanceof ICAL.UtcOffset ? value.toSeconds() : Number.NaN
  return Math.abs(seconds) <= 86_400 ? seconds * 1000 : null
}

function readAttendees(event: ICAL.Component): EventFields['attendees'] {
  const people = event.getAllProperties('attendee').slice(0, attendeesMax)
  return people.flatMap((property) => {
    const isPerson = ['INDIVIDUAL', 'GROUP', ''].includes(property.getFirstParameter('cutype')?.toUpperCase() ?? '')
    const address = mailAddress(String(property.getFirstValue()))
    if (address === null || !isPerson) return []
    return [{ address, status: (property.getFirstParameter('partstat') ?? '').toUpperCase().slice(0, 20) }]
  })
}

/** Where one joins has many names: of RFC 7986, of Google, of Microsoft. */
const linkNames = [
  ...['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'x-microsoft-onlinemeetingconflink'],
  ...['url', 'location'],
]

function readLinks(event: ICAL.Component): Pick<EventFields, 'links' | 'wordLinks'> {
  const links = linkNames.flatMap((name) =>
    event.getAllProperties(name).flatMap((property) => addresses(String(property.getFirstValue()))),
  )
  const words = addresses(stringOf(event, 'description') ?? '')
  return { links: [...new Set(links)].slice(0, linksMax), wordLinks: [...new Set(words)].slice(0, linksMax) }
}

/** A place may be an address among words. */
const addresses = (text: string): string[] => text.slice(0, 20_000).match(/https:\/\/[^\s<>"]{1,2000}/g) ?? []

function mailAddress(value: string | undefined): string | null {
  const [, address] = /^mailto:([^\s<>?]{3,320})/i.exec(value?.trim() ?? '') ?? []
  return address?.toLowerCase() ?? null
}

function stringOf(component: ICAL.Component, name: string): string | undefined {
  const value = component.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : undefined
}

function integer(event: ICAL.Component, name: string): number {
  const value = Number(event.getFirstPropertyValue(name) ?? 0)
  return Number.isSafeInteger(value) && value >= 0 ? value : 0
}
