// Invitations as Outlook (Exchange), Google Calendar and Apple Calendar write them.

export type WrittenBy = 'outlook' | 'google' | 'apple'

export type CalendarZone = {
  iana: string
  /** As Windows calls it. */
  windows: string
  /** VTIMEZONE of Exchange: the parts of its rules, since 1601. */
  exchange: { standard: string; daylight: string; offsets: readonly [standard: string, daylight: string] }
  /** VTIMEZONE of Apple, with the years in which its rules began. */
  apple: { standard: string; daylight: string }
}

/** Times of the changes are on the clock before. */
export const calendarZones: CalendarZone[] = [
  {
    iana: 'Europe/Berlin',
    windows: 'W. Europe Standard Time',
    exchange: {
      standard: 'DTSTART:16010101T030000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      daylight: 'DTSTART:16010101T020000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      offsets: ['+0100', '+0200'],
    },
    apple: {
      standard: 'DTSTART:19961027T030000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      daylight: 'DTSTART:19810329T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    },
  },
  {
    iana: 'Europe/London',
    windows: 'GMT Standard Time',
    exchange: {
      standard: 'DTSTART:16010101T020000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      daylight: 'DTSTART:16010101T010000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      offsets: ['+0000', '+0100'],
    },
    apple: {
      standard: 'DTSTART:19961027T020000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      daylight: 'DTSTART:19810329T010000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    },
  },
  {
    iana: 'America/New_York',
    windows: 'Eastern Standard Time',
    exchange: {
      standard: 'DTSTART:16010101T020000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1SU;BYMONTH=11',
      daylight: 'DTSTART:16010101T020000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=2SU;BYMONTH=3',
      offsets: ['-0500', '-0400'],
    },
    apple: {
      standard: 'DTSTART:20071104T020000\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      daylight: 'DTSTART:20070311T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
    },
  },
  {
    iana: 'Australia/Sydney',
    windows: 'AUS Eastern Standard Time',
    exchange: {
      standard: 'DTSTART:16010101T030000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1SU;BYMONTH=4',
      daylight: 'DTSTART:16010101T020000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1SU;BYMONTH=10',
      offsets: ['+1000', '+1100'],
    },
    apple: {
      standard: 'DTSTART:20080406T030000\nRRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
      daylight: 'DTSTART:20081005T020000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU',
    },
  },
  {
    iana: 'America/Santiago',
    windows: 'Pacific SA Standard Time',
    exchange: {
      standard: 'DTSTART:16010101T000000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=SU;BYMONTHDAY=2,3,4,5,6,7,8;BYMONTH=4',
      daylight: 'DTSTART:16010101T000000\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=SU;BYMONTHDAY=2,3,4,5,6,7,8;BYMONTH=9',
      offsets: ['-0400', '-0300'],
    },
    apple: {
      standard: 'DTSTART:20230402T000000\nRRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU',
      daylight: 'DTSTART:20230903T000000\nRRULE:FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU',
    },
  },
]

type Written = {
  by: WrittenBy
  zone: CalendarZone
  uid: string
  /** On the clock of the zone, as `20261020T090000`. */
  start: string
  end: string
  method?: 'REQUEST' | 'CANCEL'
  sequence?: number
  title?: string
  /** Other lines of the event. `{zone}` becomes its name. */
  lines?: string[]
  organizer?: string
  attendee?: string
}

/** A calendar file with CRLF and folded lines. */
export function invitationFile(written: Written): string {
  const { by, method = 'REQUEST', zone } = written
  const name = by === 'outlook' ? zone.windows : zone.iana
  const producer = {
    outlook: 'PRODID:Microsoft Exchange Server 2010',
    google: 'PRODID:-//Google Inc//Google Calendar 70.9054//EN\nCALSCALE:GREGORIAN',
    apple: 'PRODID:-//Apple Inc.//macOS 14.5//EN\nCALSCALE:GREGORIAN',
  }[by]
  // Google sends the zone of a single event as UTC; for a series it names the zone and describes it like Apple.
  const text = [
    'BEGIN:VCALENDAR',
    producer,
    `METHOD:${method}`,
    'VERSION:2.0',
    described(by, zone, name),
    event(written, name),
    'END:VCALENDAR',
    '',
  ].join('\n')
  return text.split('\n').map(folded).join('\r\n')
}

function described(by: WrittenBy, zone: CalendarZone, name: string): string {
  const [standard, daylight] = zone.exchange.offsets
  const rules = by === 'outlook' ? zone.exchange : zone.apple
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...(by === 'google' ? [`X-LIC-LOCATION:${name}`] : []),
    ...['BEGIN:DAYLIGHT', rules.daylight, `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`, 'END:DAYLIGHT'],
    ...['BEGIN:STANDARD', rules.standard, `TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`, 'END:STANDARD'],
    'END:VTIMEZONE',
  ].join('\n')
}

function event({ by, uid, start, end, title = 'Planning', lines = [], ...rest }: Written, name: string): string {
  const { sequence = 0, organizer = 'ana@example.com', attendee = 'team@mail.example.com' } = rest
  const stamp = new Date(Date.UTC(2026, 0, 1) + sequence * 60_000).toISOString().replace(/[-:]|\.000/g, '')
  const own = {
    outlook: [
      `ORGANIZER;CN=Ana Sol:mailto:${organizer}`,
      `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Team:mailto:${attendee}`,
      'DESCRIPTION;LANGUAGE=en-US:\\n________________\\nMicrosoft Teams meeting\\nJoin: https://teams.microsoft.com/l/meetup-join/19%3ameeting_MjA@thread.v2/0?context=%7b%22Tid%22%3a%221%22%7d\\n',
      'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
      'BEGIN:VALARM\nDESCRIPTION:REMINDER\nTRIGGER;RELATED=START:-PT15M\nACTION:DISPLAY\nEND:VALARM',
    ],
    google: [
      `ORGANIZER;CN=Ana Sol:mailto:${organizer}`,
      `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=${attendee};X-NUM-GUESTS=0:mailto:${attendee}`,
      'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
      'STATUS:CONFIRMED',
    ],
    apple: [
      `ORGANIZER;CN="Ana Sol":mailto:${organizer}`,
      `ATTENDEE;CN="Team";CUTYPE=INDIVIDUAL;EMAIL="${attendee}";PARTSTAT=NEEDS-ACTION:mailto:${attendee}`,
      'LOCATION:https://zoom.us/j/12345678901?pwd=c2VjcmV0',
      'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
    ],
  }[by]
  return [
    'BEGIN:VEVENT',
    `DTSTART;TZID=${name}:${start}`,
    `DTEND;TZID=${name}:${end}`,
    `DTSTAMP:${stamp}`,
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `SUMMARY${by === 'outlook' ? ';LANGUAGE=en-US' : ''}:${title}`,
    ...own,
    ...lines.map((line) => line.replaceAll('{zone}', name)),
    'END:VEVENT',
  ].join('\n')
}

/** Lines have at most 75 bytes (RFC 5545, section 3.1). */
function folded(line: string): string {
  return line.match(/.{1,74}/g)?.join('\r\n ') ?? ''
}
