import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delaySecondsAfter, delaysSeconds, retryAfterSeconds } from './login-throttle.rules.ts'

test('four failures cause no delay, the fifth two seconds, and each further one twice as much, up to 15 minutes', () => {
  const delays = [0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
  for (const [at, delay] of delays.entries()) assert.equal(delaySecondsAfter(at + 1), delay)
  assert.equal(delaySecondsAfter(2 ** 31), 900)
})

test('the table ends where the delay stops growing', () => {
  assert.equal(delaysSeconds.at(-2), 512)
  assert.equal(delaysSeconds.at(-1), 900)
})

test('after the given delay a caller is not told to wait again', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const after = (ms: number) => new Date(now.getTime() + ms)
  assert.equal(retryAfterSeconds(after(1001), now), 2)
  assert.equal(retryAfterSeconds(after(1000), now), 1)
  assert.equal(retryAfterSeconds(after(-5000), now), 1)
})
