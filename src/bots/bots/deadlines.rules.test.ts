import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autoLeaveDefault, type Bot } from '../bot.rules.ts'
import { pastDue } from './deadlines.rules.ts'
import { blankBot } from './new-bot.rules.ts'

const start = new Date('2026-11-24T10:00:00Z')
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000)

const bot = (more: Partial<Bot>): Bot => ({
  ...blankBot(start),
  ...{ id: 'bot', tenantId: 'tenant', meetingId: 'meeting', orgId: null, ownerId: 'ada', requestedBy: 'ada' },
  ...{ requesters: ['ada'], platform: 'page', provider: 'browser', room: 'room', startKey: '', joinAt: null },
  ...{ displayName: 'Atrium (notes)', chatAnswers: 'none', speed: 1, autoLeave: autoLeaveDefault },
  consent: { mode: 'notice', message: 'Notes.', postedAt: null, delivered: false, decisions: [] },
  ...more,
})
const reasonAt = (of: Bot, seconds: number, listeningSince = start) =>
  pastDue(of, { now: at(seconds), listeningSince })?.bot.reason ?? null

test('after the service was away no status ends before the reports that wait have come', () => {
  const away = at(400)
  for (const [status, reason] of [
    ['queued', 'NO_RUNNER'],
    ['joining', 'JOIN_TIMEOUT'],
    ['leaving', 'USER_REQUEST'],
  ] as const) {
    const left = bot({ status })
    assert.equal(reasonAt(left, 402), reason, 'it was there all the time')
    assert.equal(reasonAt(left, 402, away), null)
    assert.equal(reasonAt(left, 415, away), reason)
  }
  const alone = bot({ status: 'in_meeting', watch: { hasSeenPeople: true, aloneSince: at(0).toISOString() } })
  assert.equal(reasonAt(alone, 402, away), null)
  assert.equal(reasonAt(alone, 415, away), 'ALONE')
})

test('a bot that hears nothing stays in what seems to be over, for five minutes at most', () => {
  const watch = { hasSeenPeople: true, aloneSince: at(100).toISOString() }
  const seen = bot({ status: 'in_meeting', watch })
  assert.deepEqual([reasonAt(seen, 159), reasonAt(seen, 160)], [null, 'ALONE'])
  const deaf = bot({ status: 'in_meeting', watch: { ...watch, suspectSince: at(90).toISOString() } })
  assert.deepEqual([reasonAt(deaf, 389), reasonAt(deaf, 390)], [null, 'ALONE'])
})
