import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countTerms, termBatches, termCountsText } from './term-counts.rules.ts'

const atOnce = async () => undefined
const chunk = (terms: string[]) => new Map(terms.map((term) => [term, [1]]))

describe('the terms of an item', () => {
  test('are read in batches as they were counted, sorted', async () => {
    const term = fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }).filter((it) => !/\s/u.test(it))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(term)), fc.integer({ min: 1, max: 7 }), async (chunks, size) => {
        const counts = new Map<string, number>()
        for (const terms of chunks) countTerms(counts, chunk(terms))
        const batches = [...termBatches(await termCountsText(counts, atOnce), size)]
        assert.ok(batches.every(({ terms }, at) => terms.length === size || at === batches.length - 1))
        const read = batches.flatMap(({ terms, counts: of }) => terms.map((it, at) => [it, of[at]] as const))
        const expected = [...new Set(chunks.flat())].sort()
        assert.deepEqual(
          read,
          expected.map((it) => [it, chunks.filter((terms) => terms.includes(it)).length]),
        )
      }),
    )
  })

  test('are sorted however many there are', async () => {
    const terms = Array.from({ length: 23_456 }, (_, at) => `t${(at * 7919) % 1_000_003}`)
    const counts = new Map(terms.map((term) => [term, 1]))
    const read = [...termBatches(await termCountsText(counts, atOnce), 500)].flatMap((batch) => batch.terms)
    assert.deepEqual(read, terms.toSorted())
  })

  test('are at most 200,000; further ones are not indexed, known ones still are', () => {
    const counts = new Map<string, number>()
    countTerms(counts, chunk(Array.from({ length: 200_000 }, (_, at) => `t${at}`)))
    const terms = chunk(['t7', 'new'])
    countTerms(counts, terms)
    assert.deepEqual([...terms.keys()], ['t7'])
    assert.equal(counts.get('t7'), 2)
    assert.equal(counts.size, 200_000)
  })
})
