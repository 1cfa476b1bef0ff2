import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarZones, invitationFile, type WrittenBy } from '../../test/harness/calendar-files.ts'
import { seededRandom } from '../../test/harness/seeded-random.ts'
import { calendarReader } from './calendar-reader.ts'
import { expandSeries } from './expand-series.ts'
import { mergeSeries } from './merge-series.ts'
import { readCalendar } from './read-calendar.ts'
import { CalendarUnreadable, type Invitation, type Series } from './series.ts'

const programs: WrittenBy[] = ['outlook', 'google', 'apple']
const [berlin] = calendarZones
assert.ok(berlin)
const year = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2027, 0, 1), max: 500 }

const read = (text: string): Invitation => readCalendar(text)[0] as Invitation
const merged = (...texts: string[]): Series =>
  texts.reduce<Series | null>((known, text) => mergeSeries(known, read(text)).series, null) as Series
const startsOf = (series: Series) => expandSeries(series, year).occurrences.map(({ startAt }) => startAt)

const formats = new Map<string, Intl.DateTimeFormat>()
/** What the clock of a zone shows, by Intl alone. */
function clock(instant: string, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format.format(new Date(instant)).replace(' ', 'T').replaceAll(/[-:]/g, '')
}

const days = (count: number, first: string): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  )

test('every occurrence of a year of daily and of weekly meetings is right, in 5 zones, as three programs write it', () => {
  let count = 0
  for (const by of programs)
    for (const zone of calendarZones) {
      const file = (lines: string[]) =>
        invitationFile({ by, zone, uid: 'a', start: '20260105T090000', end: '20260105T103000', lines })
      const daily = expandSeries(merged(file(['RRULE:FREQ=DAILY;UNTIL=20261231T235959Z'])), year).occurrences
      const expected = days(daily.length, '2026-01-05').map((day) => `${day}T090000`)
      assert.deepEqual(
        daily.map(({ startAt }) => clock(startAt, zone.iana)),
        expected,
        `${by} ${zone.iana}`,
      )
      assert.deepEqual(
        daily.map(({ startAt }) => Date.parse(startAt)),
        daily.map(({ endAt }) => Date.parse(endAt) - 90 * 60_000),
      )
      assert.ok(daily.length >= 360)
      const weekly = startsOf(merged(file(['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=100'])))
      assert.equal(weekly.length, 100)
      assert.ok(weekly.every((start) => clock(start, zone.iana).endsWith('T090000')))
      count += daily.length + weekly.length
    }
  assert.ok(count > 6_000)
})

test('without a description of its zone the names of IANA and of Windows count, and nobody guesses', () => {
  for (const zone of calendarZones)
    for (const name of [zone.iana, zone.windows, `/citadel.org/20210210_1/${zone.iana}`, `"${zone.iana}"`]) {
      const file = [
        'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a',
        `DTSTART;TZID=${name.startsWith('"') ? name : `"${name}"`}:20260105T090000\nDURATION:PT1H`,
        'RRULE:FREQ=DAILY;COUNT=360\nEND:VEVENT\nEND:VCALENDAR\n',
      ].join('\n')
      const starts = startsOf(merged(file))
      assert.equal(starts.length, 360)
      assert.ok(
        starts.every((start) => clock(start, zone.iana).endsWith('T090000')),
        name,
      )
    }
  const unknown = merged(
    'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Moon/Base:20260105T090000\nEND:VEVENT\nEND:VCALENDAR\n',
  )
  assert.throws(() => startsOf(unknown), { cause: 'UNKNOWN_TIME_ZONE' })
})

test('a time that clocks skip counts with the offset before, and one that they show twice is the first', () => {
  const night = (start: string) =>
    startsOf(merged(invitationFile({ by: 'apple', zone: berlin, uid: 'a', start, end: start })))[0]
  assert.equal(night('20260329T023000'), '2026-03-29T01:30:00.000Z')
  assert.equal(night('20261025T023000'), '2026-10-25T00:30:00.000Z')
})

test('a duration in days is as long as these days are, and an end is the same number of hours for all', () => {
  const file = (end: string) =>
    `BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Europe/Berlin:20260327T120000\n${end}\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\nEND:VCALENDAR\n`
  const hours = (end: string) =>
    expandSeries(merged(file(end)), year).occurrences.map(
      ({ startAt, endAt }) => (Date.parse(endAt) - Date.parse(startAt)) / 3_600_000,
    )
  assert.deepEqual(hours('DURATION:P1D'), [24, 23])
  assert.deepEqual(hours('DTEND;TZID=Europe/Berlin:20260328T120000'), [24, 24])
})

const series = { by: 'google', zone: berlin, uid: 'w', start: '20261006T090000', end: '20261006T100000' } as const
const weekly = invitationFile({ ...series, lines: ['RRULE:FREQ=WEEKLY;COUNT=5'] })

test('exceptions, moved and cancelled occurrences change only theirs, whichever program names them', () => {
  for (const by of programs) {
    const base = { ...series, by } as const
    const first = invitationFile({
      ...base,
      lines: ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE;TZID={zone}:20261013T090000'],
    })
    const moved = invitationFile({
      ...{ ...base, start: '20261021T110000', end: '20261021T120000', sequence: 1 },
      lines: ['RECURRENCE-ID;TZID={zone}:20261020T090000'],
    })
    const dropped = invitationFile({
      ...{ ...base, method: 'CANCEL', start: '20261027T090000', end: '20261027T100000', sequence: 1 },
      // In UTC, and after the change of the clocks.
      lines: ['RECURRENCE-ID:20261027T080000Z', 'STATUS:CANCELLED'],
    })
    const { occurrences } = expandSeries(merged(first, moved, dropped), year)
    assert.deepEqual(
      occurrences.map(({ recurrenceId, startAt }) => [recurrenceId, startAt]),
      [
        ['2026-10-06T07:00:00.000Z', '2026-10-06T07:00:00.000Z'],
        ['2026-10-20T07:00:00.000Z', '2026-10-21T09:00:00.000Z'],
        ['2026-11-03T08:00:00.000Z', '2026-11-03T08:00:00.000Z'],
      ],
    )
  }
})

test('the higher sequence holds, in whichever order mails arrive, and the same mail twice says nothing', () => {
  const later = invitationFile({ ...series, sequence: 2, start: '20261006T140000', end: '20261006T150000' })
  const gone = invitationFile({ ...series, sequence: 3, method: 'CANCEL', lines: ['STATUS:CANCELLED'] })
  assert.deepEqual(startsOf(merged(weekly, later)), ['2026-10-06T12:00:00.000Z'])
  assert.deepEqual(startsOf(merged(later, weekly)), ['2026-10-06T12:00:00.000Z'])
  assert.deepEqual(startsOf(merged(gone, later, weekly)), [])
  assert.deepEqual(startsOf(merged(gone, invitationFile({ ...series, sequence: 4 }))), ['2026-10-06T07:00:00.000Z'])
  const known = merged(weekly)
  assert.equal(mergeSeries(known, read(weekly)).outcome, 'same')
  assert.equal(mergeSeries(merged(later), read(weekly)).outcome, 'stale')
  assert.deepEqual(mergeSeries(known, read(weekly)).series, known)
})

test('a span ends the list, and tells whether there is more', () => {
  const span = { from: Date.UTC(2026, 9, 6, 7, 30), until: Date.UTC(2026, 9, 20), max: 50 }
  const first = expandSeries(merged(weekly), span)
  // The first still runs.
  assert.deepEqual([first.occurrences.length, first.hasMore], [2, true])
  assert.deepEqual(
    [expandSeries(merged(weekly), { ...span, max: 1 }).hasMore, expandSeries(merged(weekly), year).hasMore],
    [true, false],
  )
})

test('other methods, files without events, and whole days make nothing', () => {
  for (const text of [weekly.replace('METHOD:REQUEST', 'METHOD:REPLY'), weekly.replace('METHOD:REQUEST\r\n', '')])
    assert.deepEqual(readCalendar(text), [])
  assert.deepEqual(
    startsOf(
      merged(
        'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR\n',
      ),
    ),
    [],
  )
})

test('a damaged file is read or refused, and so is what was read of it', () => {
  const random = seededRandom(20261126)
  const signs = [...'\0\ufffd\u{1f600}', ...':;,=-+TZ0189PRV"\\\n ']
  const noise = () => Array.from({ length: 1 + random.below(12) }, () => random.oneOf(signs)).join('')
  const [read, refused]: [Series[], string[]] = [[], []]
  for (let round = 0; round < 1500; round++) {
    const lines = ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20260112T090000', 'DURATION:PT1H', 'SEQUENCE:1']
    const whole = invitationFile({
      ...{ by: random.oneOf(programs), zone: random.oneOf(calendarZones), uid: 'a', lines },
      ...{ start: '20260105T090000', end: '20260105T103000' },
    })
    let text = whole
    for (let damages = 1 + random.below(3); damages > 0; damages--) {
      const at = random.below(text.length)
      text = text.slice(0, at) + random.oneOf([noise(), '']) + text.slice(at + random.below(6))
    }
    try {
      read.push(...readCalendar(text).map(({ series }) => series))
    } catch (error) {
      assert.ok(error instanceof CalendarUnreadable, `${String(error)} of ${JSON.stringify(text)}`)
      refused.push(text)
    }
  }
  assert.ok(read.length > 200 && refused.length > 200, `${read.length} read, ${refused.length} refused`)
  for (const series of read) {
    try {
      expandSeries(series, year)
    } catch (error) {
      assert.ok(error instanceof CalendarUnreadable, `${String(error)} of ${JSON.stringify(series)}`)
    }
  }
})

test('a hostile file is refused, and holds nobody up', async () => {
  const file = (lines: string) =>
    `BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART:20260105T090000Z\n${lines}\nEND:VEVENT\nEND:VCALENDAR\n`
  const hostile: [text: string, cause: string][] = [
    [file('RRULE:FREQ=SECONDLY'), 'RECURS_TOO_OFTEN'],
    [file('RRULE:FREQ=MINUTELY;INTERVAL=1440'), 'RECURS_TOO_OFTEN'],
    [file(`EXDATE:${Array(2000).fill('20260105T090000Z').join(',')}`), 'TOO_LARGE'],
    [file('X:1\n'.repeat(30_000)), 'TOO_LARGE'],
    [`BEGIN:VCALENDAR\nMETHOD:REQUEST\n${'BEGIN:VEVENT\nUID:a\nEND:VEVENT\n'.repeat(600)}END:VCALENDAR`, 'TOO_LARGE'],
    ['x'.repeat(2_000_000), 'TOO_LARGE'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nno calendar', 'MALFORMED'],
    [file('RECURRENCE-ID;RANGE=THISANDFUTURE:20260105T090000Z'), 'RANGE_NOT_SUPPORTED'],
  ]
  const { readInvitations } = calendarReader()
  for (const [text, cause] of hostile) await assert.rejects(readInvitations(text), { cause }, text.slice(0, 200))
  const hurried = calendarReader({ timeoutMs: 500 })
  // The library would look for such a day for ever.
  const [endless] = await readInvitations(file('RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'))
  assert.ok(endless)
  await assert.rejects(hurried.occurrencesIn(endless.series, year), { cause: 'TOO_LARGE' })
})
