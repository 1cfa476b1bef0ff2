import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allowedStatuses,
  applyEvent,
  expiryDate,
  hasBegun,
  type Meeting,
  type MeetingEvent,
  type MeetingStatus,
  meetingStatuses,
  nextStatus,
  settingsDefault,
} from './meeting.rules.ts'

const start = new Date('2026-11-21T09:00:00.000Z')
const later = new Date('2026-11-21T10:00:00.000Z')

const meeting = (overrides: Partial<Meeting> = {}): Meeting => ({
  id: 'm',
  tenantId: 't',
  userId: 'u',
  title: 'Planning',
  status: 'scheduled',
  cause: null,
  ttlDays: 90,
  settings: settingsDefault,
  participants: [],
  orgId: null,
  visibility: 'private',
  scheduledAt: null,
  scheduledEnd: null,
  joinUrl: null,
  calendarEvent: null,
  startedAt: null,
  endedAt: null,
  lastActivityAt: start,
  expiresAt: null,
  revision: 1,
  contentRevision: 0,
  lastSeq: 0,
  entryCount: 0,
  charCount: 0,
  wordCount: 0,
  minuteCount: 0,
  createdAt: start,
  updatedAt: start,
  ...overrides,
})

/** For each status what each event leads to; a dash: refused. */
const table: [status: MeetingStatus, outcomes: Record<MeetingEvent, MeetingStatus | '-'>][] = [
  ['scheduled', { start: 'active', speak: 'active', import: 'active', end: '-', cancel: 'cancelled', fail: '-' }],
  [
    'active',
    { start: 'active', speak: 'active', import: 'active', end: 'completed', cancel: 'cancelled', fail: 'failed' },
  ],
  ['completed', { start: '-', speak: '-', import: 'completed', end: 'completed', cancel: '-', fail: '-' }],
  ['cancelled', { start: '-', speak: '-', import: '-', end: '-', cancel: 'cancelled', fail: '-' }],
  ['failed', { start: '-', speak: '-', import: 'failed', end: '-', cancel: '-', fail: 'failed' }],
]

describe('the status of a meeting', () => {
  for (const [status, outcomes] of table)
    test(`after each event of a meeting that is ${status}`, () => {
      for (const [event, outcome] of Object.entries(outcomes))
        assert.equal(nextStatus(status, event as MeetingEvent) ?? '-', outcome, event)
    })

  test('every status is in the table', () => {
    assert.deepEqual(table.map(([status]) => status).sort(), [...meetingStatuses].sort())
    assert.deepEqual(allowedStatuses('speak'), ['scheduled', 'active'])
  })

  test('start and end are recorded once', () => {
    const active = applyEvent(meeting(), 'start', later) as Meeting
    assert.deepEqual([active.status, active.startedAt, active.endedAt], ['active', later, null])
    const again = applyEvent(active, 'speak', new Date(later.getTime() + 1000)) as Meeting
    assert.equal(again.startedAt, later)
    const ended = applyEvent(again, 'end', new Date(later.getTime() + 2000)) as Meeting
    assert.deepEqual([ended.status, ended.endedAt], ['completed', new Date(later.getTime() + 2000)])
    const imported = applyEvent(ended, 'import', new Date(later.getTime() + 3000)) as Meeting
    assert.deepEqual([imported.status, imported.endedAt], ['completed', ended.endedAt])
    assert.deepEqual(applyEvent(meeting(), 'cancel', later)?.startedAt, null)
    assert.equal(applyEvent(ended, 'speak', later), null)
  })
})

describe('the retention of a meeting', () => {
  const days = (count: number, from = start) => new Date(from.getTime() + count * 86_400_000)
  const cases: [what: string, overrides: Partial<Meeting>, expected: Date | null][] = [
    ['its days after the last activity', { ttlDays: 90 }, days(90)],
    ['for ever', { ttlDays: null }, null],
    ['from when it is planned, where that is later', { ttlDays: 1, scheduledAt: days(30) }, days(31)],
    ['from the last activity, where it was planned before', { ttlDays: 1, scheduledAt: days(-30) }, days(1)],
  ]
  for (const [what, overrides, expected] of cases)
    test(what, () => assert.deepEqual(expiryDate(meeting(overrides)), expected))

  test('activity restarts the retention, and a clock that lags behind does not shorten it', () => {
    assert.deepEqual(applyEvent(meeting(), 'start', later)?.expiresAt, days(90, later))
    const behind = applyEvent(meeting({ lastActivityAt: later }), 'start', start) as Meeting
    assert.deepEqual([behind.lastActivityAt, behind.expiresAt], [later, days(90, later)])
  })
})

test('a meeting has begun with its first word, also once all entries are erased', () => {
  const active = meeting({ status: 'active' })
  const said = { entryCount: 1, lastSeq: 1 }
  assert.equal(hasBegun({ ...active, ...said, wordCount: 2 }), true)
  assert.equal(hasBegun({ ...active, lastSeq: 1 }), true)
  for (const notBegun of [active, { ...active, ...said }, { ...active, status: 'scheduled' as const, lastSeq: 1 }])
    assert.equal(hasBegun(notBegun), false)
})
