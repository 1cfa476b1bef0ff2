import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deferralMs, disableReason, nextAttemptTime, pausedUntil, retryAfterMs } from './retry.rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const day = 24 * 3600 * 1000
const ask = { pauseMs: null }

describe('retries', () => {
  test('a delivery has ten tries, with the waits of the specification and up to a tenth more', () => {
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, wait] of seconds.entries()) {
      assert.equal(nextAttemptTime(index + 1, ask, now, 0)?.getTime(), now.getTime() + wait * 1000)
      assert.equal(nextAttemptTime(index + 1, ask, now, 1)?.getTime(), now.getTime() + wait * 1100)
    }
    assert.equal(nextAttemptTime(10, ask, now, 0), null)
  })

  test('a longer pause that the receiver asks for is kept, up to a day', () => {
    assert.equal(nextAttemptTime(1, { pauseMs: 90_000 }, now, 0)?.getTime(), now.getTime() + 90_000)
    assert.equal(nextAttemptTime(2, { pauseMs: 1000 }, now, 0)?.getTime(), now.getTime() + 300_000)
    assert.equal(nextAttemptTime(1, { pauseMs: 9 * day }, now, 0)?.getTime(), now.getTime() + day)
    const outcome = { result: 'STATUS', statusCode: 429, answer: '', pauseMs: 9 * day } as const
    assert.equal(pausedUntil(outcome, now)?.getTime(), now.getTime() + day)
  })

  test('a pause is read from answers with 429 and 503, as seconds or as a date', () => {
    assert.equal(retryAfterMs(429, '120', now), 120_000)
    assert.equal(retryAfterMs(503, 'Sat, 21 Nov 2026 12:01:00 GMT', now), 60_000)
    assert.equal(retryAfterMs(503, 'Sat, 21 Nov 2026 11:00:00 GMT', now), 0)
    assert.equal(retryAfterMs(500, '120', now), null)
    assert.equal(retryAfterMs(429, undefined, now), null)
    assert.equal(retryAfterMs(429, 'soon', now), null)
    assert.equal(retryAfterMs(429, '-5e3', now), null)
  })

  test('an endpoint is disabled after five days of failures, and at once when it says that it is gone', () => {
    const since = (ms: number) => new Date(now.getTime() - ms)
    assert.equal(disableReason({ statusCode: 500 }, since(5 * day - 1), now), null)
    assert.equal(disableReason({ statusCode: null }, since(5 * day), now), 'FAILING')
    assert.equal(disableReason({ statusCode: 410 }, now, now), 'GONE')
  })

  test('a try that is put off waits up to twice as long each time, and no longer than minutes', () => {
    const longest = (why: 'BUSY' | 'RATE') => [0, 1, 2, 20].map((looks) => deferralMs(why, looks, 1) / 1000)
    assert.deepEqual(longest('BUSY'), [1, 2, 4, 300])
    assert.deepEqual(longest('RATE'), [60, 120, 240, 600])
    assert.equal(deferralMs('BUSY', 20, 0), 0)
  })
})
