import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { type CalendarEvent, calendarParts } from './icalendar.rules.ts'

const event = {
  id: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
  title: 'Send the offer',
  day: '2026-12-31',
  revision: 3,
  updatedAt: new Date('2026-11-21T09:30:00.123Z'),
}

const renderCalendar = (name: string, tasks: CalendarEvent[]) => [...calendarParts(name, tasks)].join('')
const read = (text: string) => new ICAL.Component(ICAL.parse(text))
const events = (text: string) =>
  read(text)
    .getAllSubcomponents('vevent')
    .map((it) => new ICAL.Event(it))

describe('a calendar', () => {
  test('says the day of a task, its end exclusive, and when it was changed', () => {
    const [only] = events(renderCalendar('Research', [event]))
    assert.equal(only?.startDate.toString(), '2026-12-31')
    assert.equal(only?.endDate.toString(), '2027-01-01')
    assert.equal(only?.uid, `${event.id}@tasks.atrium`)
    assert.equal(only?.sequence, 3)
    assert.equal(only?.component.getFirstPropertyValue('dtstamp')?.toString(), '2026-11-21T09:30:00Z')
  })

  test('has events of one day up to the last day that it can name', () => {
    const text = renderCalendar('Research', [{ ...event, day: '9999-12-31' }])
    const [last] = events(text)
    assert.equal(last?.startDate.toString(), '9999-12-31')
    assert.equal(last?.duration.toString(), 'P1D')
    assert.ok(!text.includes('DTEND'), text)
  })

  test('is the same for the same tasks at any time, so that its ETag is', ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: 0 })
    const before = renderCalendar('Research', [event])
    mock.timers.setTime(24 * 3600 * 1000)
    assert.equal(renderCalendar('Research', [event]), before)
  })

  // What a title may hold: anything but control characters and ends of lines.
  const title = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }),
      fc.stringMatching(/^[\\;,:"nN =A-Zé日🙂]{1,300}$/u),
    )
    .map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ''))

  test('gives every title back, in lines of at most 75 octets that end with CRLF', () => {
    fc.assert(
      fc.property(fc.array(title, { maxLength: 5 }), title, (titles, name) => {
        const text = renderCalendar(
          name,
          titles.map((it, i) => ({ ...event, id: String(i), title: it })),
        )
        assert.deepEqual(
          events(text).map(({ summary }) => summary),
          titles,
        )
        const lines = text.split('\r\n')
        assert.equal(lines.pop(), '')
        for (const line of lines) assert.ok(Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line), line)
      }),
    )
  })
})
