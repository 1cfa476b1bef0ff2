import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrivals, openLoop } from './open-loop.ts'

const noop = () => undefined

describe('an open loop', () => {
  test('counts what a call waited for a free caller', async () => {
    const free = Promise.withResolvers<void>()
    const begun: number[] = []
    const tally = await openLoop({ callers: 1, dueMs: [0, 0], notice: noop }, async (_, call) => {
      begun.push(call)
      if (call === 0) setTimeout(free.resolve, 20)
      await free.promise
    })
    const [first = 0, second = 0] = tally.latenciesMs
    assert.deepEqual(begun, [0, 1])
    assert.ok(second >= first, 'the second was due with the first and is answered after it')
  })

  test('calls nobody before the moment that is due', async () => {
    const begunAt = performance.now()
    const { latenciesMs } = await openLoop({ callers: 2, dueMs: [30], notice: noop }, async () => undefined)
    assert.ok(performance.now() - begunAt >= 28, 'a timer may be a millisecond early')
    assert.equal(latenciesMs.length, 1)
  })
})

test('arrivals come as often as asked on average, in order and not evenly', () => {
  const moments = arrivals({ count: 10_000, perSecond: 50 })
  const gaps = moments.map((moment, at) => moment - (moments[at - 1] ?? 0))
  const meanMs = (moments.at(-1) ?? 0) / moments.length
  assert.ok(Math.abs(meanMs - 20) < 1, `${meanMs}`)
  assert.ok(gaps.every((gap) => gap >= 0))
  assert.ok(gaps.filter((gap) => gap < 5).length > 1000)
})
