import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import { type AttemptLimiter, attemptLimiter } from './attempt-limiter.ts'

const place = 'tenant endpoint'
let limiter: AttemptLimiter

beforeEach((t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  if ('after' in t) t.after(() => mock.timers.reset())
  limiter = attemptLimiter()
})

/** Begins as many attempts as a healthy endpoint may have. */
async function fill() {
  for (let n = 0; n < 5; n++) assert.equal(await limiter.start(place, true), true)
}

describe('a healthy endpoint that has its five attempts', () => {
  test('gets the next ones as those end, in their order', async () => {
    await fill()
    const begun: string[] = []
    const waiting = ['sixth', 'seventh'].map(async (name) => {
      assert.equal(await limiter.start(place, true), true)
      begun.push(name)
    })
    await new Promise<void>((resolve) => setImmediate(resolve))
    assert.deepEqual(begun, [])
    limiter.end(place, true)
    await waiting[0]
    assert.deepEqual(begun, ['sixth'])
    limiter.end(place, true)
    await waiting[1]
    assert.deepEqual(begun, ['sixth', 'seventh'])
  })

  test('is left alone where none of them ends', async () => {
    await fill()
    const sixth = limiter.start(place, true)
    mock.timers.tick(200)
    assert.equal(await sixth, false)
    // Who gave up is not given a place.
    limiter.end(place, true)
    assert.equal(await limiter.start(place, true), true)
  })

  test('is left alone by all who wait once one of them fails', async () => {
    await fill()
    const waiting = [limiter.start(place, true), limiter.start(place, true)]
    limiter.end(place, false)
    assert.deepEqual(await Promise.all(waiting), [false, false])
    assert.equal(await limiter.start(place, true), true)
  })

  test('does not keep others from their endpoints', async () => {
    await fill()
    assert.equal(await limiter.start('tenant other', true), true)
  })
})

test('a failing endpoint gets one attempt, and nobody waits for it', async () => {
  assert.equal(await limiter.start(place, false), true)
  assert.equal(await limiter.start(place, false), false)
  limiter.end(place, true)
  assert.equal(await limiter.start(place, false), true)
})

test('as many as may run at once do, whatever the order of beginnings and ends', async () => {
  let running = 0
  let most = 0
  const attempt = async () => {
    if (!(await limiter.start(place, true))) return 'later'
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => setImmediate(resolve))
    running--
    limiter.end(place, true)
    return 'made'
  }
  const results = await Promise.all(Array.from({ length: 100 }, attempt))
  assert.deepEqual(new Set(results), new Set(['made']))
  assert.equal(most, 5)
})
