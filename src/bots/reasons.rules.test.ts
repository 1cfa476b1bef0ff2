import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bot } from './bot.rules.ts'
import { blankBot } from './bots/new-bot.rules.ts'
import { interrupt, transition } from './bots/transitions.rules.ts'
import { attemptsMax, endReasons, failReasons, lateMs, retryable } from './reasons.rules.ts'

const now = new Date('2026-11-24T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

/** Who comes again by itself: nobody who ended, was refused or was served. */
const expected = [
  ['NO_RUNNER', 'never'],
  ['JOIN_TIMEOUT', 'before admission'],
  ['RUNNER_LOST', 'always'],
  ['PAGE_CHANGED', 'before admission'],
  ['BLOCKED', 'never'],
  ['LOGIN_REQUIRED', 'never'],
  ['NOT_FOUND', 'before admission'],
  ['HOST_TOKEN_REQUIRED', 'never'],
  ['VENDOR_ERROR', 'before admission'],
] as const

function bot(changes: Partial<Bot>): Bot {
  return { ...blankBot(now), leasedAt: now, joinAt: now, provider: 'browser', ...changes } as Bot
}
const joining = (changes: Partial<Bot> = {}) => bot({ status: 'joining', ...changes })
const inside = (changes: Partial<Bot> = {}) =>
  bot({ status: 'in_meeting', admittedAt: now, attemptAdmittedAt: now, ...changes })

describe('who may come again', () => {
  test('has a line for every reason', () => {
    assert.deepEqual(Object.keys(retryable).toSorted(), [...endReasons, ...failReasons].toSorted())
    assert.deepEqual(expected.map(([reason]) => reason).toSorted(), [...failReasons].toSorted())
  })

  for (const reason of endReasons)
    test(`nobody after ${reason}`, () => {
      assert.deepEqual(retryable[reason], { before: false, after: false })
      for (const one of [joining(), inside()]) {
        const over = transition(one, { to: 'ended', reason, now })?.bot
        assert.equal(over?.status, 'ended')
        assert.equal(interrupt(one, { reason, now })?.bot.status, 'failed')
      }
    })

  for (const [reason, when] of expected)
    test(`after ${reason}: ${when}`, () => {
      const before = interrupt(joining(), { reason, now: later(1000) })?.bot
      const after = interrupt(inside(), { reason, now: later(1000) })?.bot
      assert.equal(before?.status, when === 'never' ? 'failed' : 'queued')
      assert.equal(after?.status, when === 'always' ? 'queued' : 'failed')
    })

  test('not after three attempts, and not later than ten minutes after its time', () => {
    const reason = 'JOIN_TIMEOUT'
    assert.equal(interrupt(joining({ attempt: attemptsMax - 1 }), { reason, now })?.bot.attempt, attemptsMax)
    assert.equal(interrupt(joining({ attempt: attemptsMax }), { reason, now })?.bot.status, 'failed')
    assert.equal(interrupt(joining(), { reason, now: later(lateMs) })?.bot.status, 'queued')
    assert.equal(interrupt(joining(), { reason, now: later(lateMs + 1) })?.bot.status, 'failed')
  })

  test('a gap is as long as nobody was there, and ends when there are no more attempts', () => {
    const lost = interrupt(inside(), { reason: 'RUNNER_LOST', now: later(45_000), since: now })
    assert.deepEqual(lost?.bot.gaps, [{ from: now.toISOString(), to: null, cause: 'RUNNER_LOST' }])
    const back = transition({ ...(lost?.bot as Bot), status: 'joining' }, { to: 'in_meeting', now: later(60_000) })
    assert.equal(back?.bot.gaps[0]?.to, later(60_000).toISOString())
    const given = interrupt(lost?.bot as Bot, { reason: 'NO_RUNNER', now: later(165_000) })
    assert.equal(given?.bot.status, 'failed')
    assert.equal(given?.bot.gaps[0]?.to, later(165_000).toISOString())
  })
})
