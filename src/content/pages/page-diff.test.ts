import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { createPatch } from './page-diff.ts'

describe('the difference of two states', () => {
  test('makes one of the other, whatever they hold', () => {
    const name = fc.constantFrom('a', 'b', 'a/b', 'a~b', '', 'id', '0')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, false, 0, 1, '', 'x'),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (from, to) => {
        const state = { from: structuredClone(from) }
        const outcomes = applyPatch(state, createPatch({ from }, { from: to }))
        assert.ok(outcomes.every((outcome) => outcome === null))
        assert.deepEqual(state, { from: to })
      }),
      { numRuns: 3000 },
    )
  })

  test('of two lists says what was put between them', () => {
    const section = (id: string, order: number) => ({ id, order })
    const from = [section('a', 0), section('b', 1), section('c', 2)]
    const to = [section('a', 0), section('n', 1), section('b', 2), section('c', 3)]
    assert.deepEqual(createPatch(from, to), [
      { op: 'add', path: '/1', value: section('n', 1) },
      { op: 'replace', path: '/2/order', value: 2 },
      { op: 'replace', path: '/3/order', value: 3 },
    ])
  })

  test('of lists as long as a page can hold is found in time and memory that grow with them alone', () => {
    const long = (first: number, length: number) => Array.from({ length }, (_, index) => first + index)
    assert.equal(createPatch({ list: long(0, 50_000) }, { list: long(100_000, 50_000) }).length, 50_000)
    const deep = (first: number) => long(0, 30).map(() => long(0, 30).map(() => long(first, 30)))
    assert.equal(createPatch(deep(0), deep(100)).length, 27_000)
  })
})
