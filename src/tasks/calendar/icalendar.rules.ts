import { laterDay } from '../../kernel/period.ts'

/** An all-day event. `day` is `YYYY-MM-DD`. */
export type CalendarEvent = { id: string; title: string; day: string; revision: number; updatedAt: Date }

/**
 * An iCalendar object (RFC 5545), in parts, so that who joins thousands of events can yield between them. The same events
 * give the same bytes: DTSTAMP says when an event was changed, as the RFC wants it for published events (section 3.8.7.2).
 */
export function* calendarParts(name: string, events: CalendarEvent[]): Generator<string> {
  yield contentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atrium//Tasks//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // Not in the RFC, but read by Google, Apple and Outlook.
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ])
  for (const event of events) yield contentLines(eventLines(event))
  yield contentLines(['END:VCALENDAR'])
}

function contentLines(lines: string[]): string {
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function eventLines({ id, title, day, revision, updatedAt }: CalendarEvent): string[] {
  const changedAt = `${updatedAt.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  return [
    'BEGIN:VEVENT',
    `UID:${id}@tasks.atrium`,
    `DTSTAMP:${changedAt}`,
    `LAST-MODIFIED:${changedAt}`,
    `SEQUENCE:${revision}`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    ...endLine(day),
    `SUMMARY:${escapeText(title)}`,
    // A due date does not make anybody busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** The first day that is not part of the event. Without this line it lasts one day, too (RFC 5545 section 3.6.1). */
function endLine(day: string): string[] {
  // The day after it has no four digits for its year.
  if (day === '9999-12-31') return []
  return [`DTEND;VALUE=DATE:${laterDay(day, 1).replaceAll('-', '')}`]
}

/** RFC 5545 section 3.3.11. */
function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|[\r\n]/g, '\\n')
}

const octetsMax = 75

/** Breaks a line after at most 75 octets, never inside a character (RFC 5545 section 3.1). */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= octetsMax) return line
  const octets = Buffer.from(line)
  const parts: string[] = []
  let start = 0
  while (start < octets.length) {
    // The space before each further part counts, too.
    let end = start + (start === 0 ? octetsMax : octetsMax - 1)
    while (isInsideCharacter(octets[end])) end--
    parts.push(octets.toString('utf8', start, end))
    start = end
  }
  return parts.join('\r\n ')
}

/** Whether an octet of UTF-8 is not the first of its character. */
function isInsideCharacter(octet = 0): boolean {
  return (octet & 0xc0) === 0x80
}
