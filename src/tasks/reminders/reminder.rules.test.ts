import assert from 'node:assert/strict'
import { test } from 'node:test'
import { morningDay } from './reminder.rules.ts'

const quarterMs = 15 * 60 * 1000

// Each over days with a change of the clock. Lord Howe changes by half an hour, and Nepal is 5 h 45 min ahead.
for (const [timeZone, first] of [
  ['Europe/Berlin', '2027-03-27'],
  ['Europe/Berlin', '2027-10-30'],
  ['America/New_York', '2027-11-06'],
  ['Australia/Lord_Howe', '2027-04-03'],
  ['Asia/Kathmandu', '2027-04-03'],
] as const)
  test(`every day of ${timeZone} from ${first} on has its time for reminders, which begins at eight o'clock`, () => {
    const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
    const begins = new Map<string, string>()
    const start = Date.parse(`${first}T18:00:00Z`)
    for (let at = start; at < start + 3 * 96 * quarterMs; at += quarterMs) {
      const day = morningDay(timeZone, new Date(at))
      if (day !== null && !begins.has(day)) begins.set(day, time.format(new Date(at)))
    }
    const days = [1, 2, 3].map((more) => new Date(start + more * 96 * quarterMs).toISOString().slice(0, 10))
    assert.deepEqual(
      [...begins],
      days.map((day) => [day, '08:00']),
    )
  })
