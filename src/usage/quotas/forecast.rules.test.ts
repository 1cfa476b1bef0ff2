import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { laterDay, utcDay } from '../../kernel/period.ts'
import { dayStart, windowAt } from '../meters/meter.rules.ts'
import { forecast, historyDays, type UseSoFar } from './forecast.rules.ts'

const dayMs = 24 * 3600 * 1000

function useSoFar({
  now = new Date('2026-11-21T00:00:00.000Z'),
  used = 0,
  limit = null as number | null,
  amounts = Array<number>(historyDays).fill(0),
  span = 'month' as 'month' | 'day',
}): UseSoFar {
  const today = utcDay(now)
  const days = new Map(amounts.map((amount, index) => [laterDay(today, index - amounts.length), amount]))
  return { now, window: windowAt(now, span), used, limit, days }
}

const anyUse = fc.record({
  now: fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    .map((milliseconds) => new Date(milliseconds)),
  used: fc.integer({ min: 0, max: 1_000_000 }),
  limit: fc.option(fc.integer({ min: 0, max: 3_000_000 })),
  amounts: fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: historyDays, maxLength: historyDays }),
  span: fc.constantFrom('month' as const, 'day' as const),
})

describe('a forecast', () => {
  test('of a constant use goes on with it to the end of the window', () => {
    const amounts = Array<number>(historyDays).fill(10)
    // Ten days of November are left.
    assert.deepEqual(forecast(useSoFar({ used: 200, limit: 250, amounts })), {
      atEnd: 300,
      reachesLimitAt: new Date('2026-11-26T00:00:00.000Z'),
    })
    assert.deepEqual(forecast(useSoFar({ used: 200, limit: 301, amounts })), { atEnd: 300, reachesLimitAt: null })
  })

  test('expects of each weekday what such days had', () => {
    const saturday = new Date('2026-11-21T00:00:00.000Z')
    const amounts = Array.from({ length: historyDays }, (_, index) => (index % 7 < 2 ? 0 : 10))
    // Weekends are without use; six working days are left.
    assert.deepEqual(forecast(useSoFar({ now: saturday, used: 100, limit: 101, amounts })), {
      atEnd: 160,
      reachesLimitAt: new Date('2026-11-23T02:24:00.000Z'),
    })
  })

  test('needs a use that is at least seven days ago', () => {
    const since = (days: number) =>
      Array.from({ length: historyDays }, (_, index) => (index < historyDays - days ? 0 : 5))
    assert.equal(forecast(useSoFar({ amounts: since(0) })), null)
    assert.equal(forecast(useSoFar({ amounts: since(6) })), null)
    assert.notEqual(forecast(useSoFar({ amounts: since(7) })), null)
  })

  test('never expects less than was used, and reaches a limit in the window exactly if the end is at or above it', () => {
    fc.assert(
      fc.property(anyUse, (given) => {
        const so = useSoFar(given)
        const expected = forecast(so)
        if (expected === null) return
        const { atEnd, reachesLimitAt } = expected
        assert.ok(atEnd >= so.used)
        assert.equal(reachesLimitAt !== null, so.limit !== null && atEnd >= so.limit)
        if (reachesLimitAt !== null) assert.ok(reachesLimitAt >= so.now && reachesLimitAt <= dayStart(so.window.to))
      }),
    )
  })

  test('grows with the use: a higher day never lowers the end or delays the limit', () => {
    fc.assert(
      fc.property(anyUse, fc.nat(historyDays - 8), fc.integer({ min: 1, max: 1000 }), (given, index, more) => {
        const amounts = given.amounts.map((amount) => amount + 1)
        const higher = amounts.map((amount, at) => (at === index ? amount + more : amount))
        const low = forecast(useSoFar({ ...given, amounts }))
        const high = forecast(useSoFar({ ...given, amounts: higher }))
        assert.ok(low !== null && high !== null && high.atEnd >= low.atEnd)
        if (low.reachesLimitAt !== null)
          assert.ok(high.reachesLimitAt !== null && high.reachesLimitAt.getTime() <= low.reachesLimitAt.getTime() + 1)
      }),
    )
  })

  test('of a later moment without use expects no more', () => {
    fc.assert(
      fc.property(anyUse, fc.integer({ min: 0, max: dayMs }), (given, laterMs) => {
        const so = useSoFar(given)
        const later = new Date(given.now.getTime() + laterMs)
        if (utcDay(later) !== utcDay(given.now)) return
        const [first, second] = [forecast(so), forecast({ ...so, now: later })]
        if (first !== null && second !== null) assert.ok(second.atEnd <= first.atEnd)
      }),
    )
  })
})
