import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { seenVisitorDraft, seenVisitorSet } from './seen-visitor-set.ts'

const any = () => randomInt(2 ** 32)

describe('a table of marks', () => {
  test('knows when each of thousands was made last, and no other, also where halves are alike', () => {
    const table = seenVisitorSet()
    const made = Array.from({ length: 5000 }, (_, index) => [index % 7 === 0 ? 0 : any(), index % 5, index] as const)
    const wanted = new Map<string, number>()
    for (const [high, low, ms] of made) {
      table.make(high, low, ms)
      wanted.set(`${high} ${low}`, ms)
    }
    for (const [high, low] of made) assert.equal(table.find(high, low), wanted.get(`${high} ${low}`))
    assert.equal(table.find(1, 2 ** 31), -1)
  })

  test('keeps the later of two moments, whichever is made first', () => {
    const table = seenVisitorSet()
    table.make(1, 2, 86_399_999)
    table.make(1, 2, 0)
    assert.equal(table.find(1, 2), 86_399_999)
  })

  test('takes halves as XOR gives them, below zero', () => {
    const table = seenVisitorSet()
    table.make(-1, -2, 5)
    assert.equal(table.find(2 ** 32 - 1, 2 ** 32 - 2), 5)
  })

  test('is not touched by a draft over it before the draft is kept', () => {
    const table = seenVisitorSet()
    table.make(1, 1, 10)
    const draft = seenVisitorDraft(table)
    draft.make(2, 2, 20)
    assert.deepEqual([draft.find(1, 1), draft.find(2, 2), table.find(2, 2)], [10, 20, -1])
    draft.keep()
    assert.deepEqual([table.find(1, 1), table.find(2, 2)], [10, 20])
  })
})
