import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../test/harness/clock.ts'
import { cacheFor } from './cache-for.ts'

test('a question is asked once in its time however many ask, and again afterwards', async () => {
  const clock = testClock()
  let asked = 0
  const ask = cacheFor({ everyMs: 10_000, clock }, async () => ++asked)
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1])
  clock.advance({ seconds: 9 })
  assert.equal(await ask(), 1)
  clock.advance({ seconds: 1 })
  assert.equal(await ask(), 2)
  clock.advance({ seconds: -3600 })
  assert.equal(await ask(), 3)
})

test('an answer that does not come is given up, by everybody who waits', { timeout: 5000 }, async () => {
  const ask = cacheFor({ everyMs: 10_000, clock: testClock() }, () => new Promise<number>(() => undefined))
  const outcomes = await Promise.allSettled([ask(), ask()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
