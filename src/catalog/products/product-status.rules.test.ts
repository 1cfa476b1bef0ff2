import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classifyMove, type Move, milestonesAfter, noMilestones, refuseStatusMove } from './product-status.rules.ts'
import { productStatuses } from './product-vocabulary.rules.ts'

/** Rows are the current statuses. Columns are the new ones, in the same order. */
const table: Record<(typeof productStatuses)[number], Move[]> = {
  DRAFT: ['NONE', 'FREE', 'FREE', 'FREE', 'NEVER'],
  COMING_SOON: ['FORCED', 'NONE', 'FREE', 'FREE', 'FREE'],
  BETA: ['FORCED', 'FREE', 'NONE', 'FREE', 'FREE'],
  LIVE: ['FORCED', 'FORCED', 'FREE', 'NONE', 'FREE'],
  DEPRECATED: ['FORCED', 'FORCED', 'FREE', 'FREE', 'NONE'],
}

describe('the status moves of a product', () => {
  for (const from of productStatuses) {
    for (const [index, to] of productStatuses.entries()) {
      const move = table[from][index] as Move
      test(`from ${from} to ${to}: ${move}`, () => {
        assert.equal(classifyMove(from, to), move)
        const isAllowed = (force: boolean) => {
          try {
            refuseStatusMove({ from, to, force })
            return true
          } catch (error) {
            const { code, options } = error as { code: string; options: { allowed: string[] } }
            assert.equal(code, 'STATE_CONFLICT')
            assert.deepEqual(
              options.allowed,
              productStatuses.filter((_, place) => table[from][place] === 'FREE'),
            )
            return false
          }
        }
        assert.equal(isAllowed(false), move === 'NONE' || move === 'FREE')
        assert.equal(isAllowed(true), move !== 'NEVER')
      })
    }
  }

  test('only the first entry into a status is recorded', () => {
    const [first, second] = [new Date(1000), new Date(2000)]
    const announced = milestonesAfter(noMilestones, 'COMING_SOON', first)
    assert.deepEqual(announced, { ...noMilestones, announcedAt: first })
    const launched = milestonesAfter(announced, 'LIVE', second)
    assert.deepEqual(launched, { ...noMilestones, announcedAt: first, launchedAt: second })
    assert.deepEqual(milestonesAfter(launched, 'COMING_SOON', second), launched)
    assert.deepEqual(milestonesAfter(launched, 'DRAFT', second), launched)
  })
})
