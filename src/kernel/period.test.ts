import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterDay, resolvePeriod } from './period.ts'

const now = new Date('2026-11-21T23:59:59.999Z')

test('nothing asked means the 30 days that end today, in UTC', () => {
  const { period } = resolvePeriod({}, now)
  assert.deepEqual(period, {
    from: '2026-10-23',
    to: '2026-11-21',
    start: new Date('2026-10-23T00:00:00.000Z'),
    end: new Date('2026-11-22T00:00:00.000Z'),
  })
})

test('both days named are part of the period', () => {
  const { period } = resolvePeriod({ from: '2026-02-28', to: '2026-03-01' }, now)
  assert.deepEqual(
    [period?.start.toISOString(), period?.end.toISOString()],
    ['2026-02-28T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  )
})

test('a period that ends before it starts, or is longer than a leap year, is none', () => {
  assert.notEqual(resolvePeriod({ from: '2026-11-22' }, now).problem, null)
  assert.equal(resolvePeriod({ from: '2024-01-01', to: '2024-12-31' }, now).problem, null)
  assert.notEqual(resolvePeriod({ from: '2024-01-01', to: '2025-01-01' }, now).problem, null)
})

test('a later day counts days of any month and year', () => {
  for (const [day, days, later] of [
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-11-21', 300, '2027-09-17'],
  ] as const)
    assert.equal(laterDay(day, days), later)
})
