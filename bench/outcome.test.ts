import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepPage, pageSize, spreadAges } from './ground/seed.ts'
import type { Measurement } from './measure.ts'
import { inRounds } from './measure.ts'
import { readOptions } from './options.ts'
import { compare, holds, tableRows } from './outcome.ts'
import { median, medianRatio, percentile } from './statistics.ts'

const measured = (perSecond: number): Measurement => ({
  calls: 1,
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  serverUs: null,
  databaseUs: perSecond,
  memoryMb: 100,
  headBytes: 0,
  bodyBytes: 0,
})

test('medians and percentiles are those of the values, in whatever order they come', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([9, 1, 5, 7]), 6)
  assert.equal(percentile([3, 1, 2], 0.5), 2)
  assert.equal(
    percentile(
      Array.from({ length: 100 }, (_, at) => 100 - at),
      0.99,
    ),
    99,
  )
  assert.throws(() => median([]), /Nothing/)
})

test('a ratio is taken within a round, so that a round that was slow for all leaves it alone', () => {
  const { ratio, rounds } = medianRatio([100, 10, 100], [50, 5, 25])
  assert.deepEqual([ratio, rounds], [2, [2, 2, 4]])
  const seen = new Map([
    ['service', [measured(90), measured(9), measured(80)]],
    ['floor', [measured(100), measured(10), measured(100)]],
  ])
  const figure = compare(seen, { what: 'x', of: 'service', by: 'floor', limit: { atLeast: 0.9 } })
  assert.equal(figure.value, 0.9)
  assert.equal(holds(figure), true)
  assert.equal(tableRows(seen)[0]?.databaseUs, 80)
  assert.equal(tableRows(seen)[0]?.serverUs, null)
})

test('a limit of two sides holds between them alone', () => {
  const limit = { atLeast: 0.9, atMost: 1.1 }
  assert.deepEqual(
    [0.89, 0.9, 1.1, 1.11].map((value) => holds({ value, limit })),
    [false, true, true, false],
  )
  assert.equal(holds({ value: 1, limit: null }), null)
})

test('subjects are measured by turns, another one first each round, after a round that does not count', async () => {
  const order: string[] = []
  const subject = (name: string) => ({
    name,
    measure: async () => {
      order.push(name)
      return measured(order.length)
    },
  })
  const seen = await inRounds(2, ['a', 'b', 'c'].map(subject))
  assert.equal(order.join(''), 'abcabcbca')
  assert.deepEqual(
    seen.get('a')?.map(({ perSecond }) => perSecond),
    [4, 9],
  )
})

test('the pages that are asked for consist of licenses whose keys open, also on a deep page', () => {
  const total = 150_000
  const count = 10_000
  const issued = spreadAges(count, total)
  const filler = Array.from({ length: total - count }, (_, age) => age)
  const byAge = [...issued.map((age) => ({ age, isIssued: true })), ...filler.map((age) => ({ age, isIssued: false }))]
  byAge.sort((a, b) => a.age - b.age)
  for (const page of [1, deepPage]) {
    const rows = byAge.slice((page - 1) * pageSize, page * pageSize)
    assert.ok(
      rows.every(({ isIssued }) => isIssued),
      `page ${page}`,
    )
  }
  assert.equal(new Set(issued).size, count)
})

test('a scenario that does not exist is refused by name, and optional ones run only where they are named', () => {
  const known = [{ name: 'validate' }, { name: 'lists-embedded', isOptional: true }]
  assert.deepEqual(readOptions([], known), { scenarios: ['validate'], isQuick: false, rounds: 5 })
  assert.deepEqual(readOptions(['lists-embedded', '--quick'], known).scenarios, ['lists-embedded'])
  assert.throws(() => readOptions(['valdiate'], known), /no scenario valdiate.*validate, lists-embedded/)
  assert.throws(() => readOptions(['--rounds', '0'], known), /--rounds/)
})
