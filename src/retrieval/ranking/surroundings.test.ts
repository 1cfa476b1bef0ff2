import assert from 'node:assert/strict'
import { test } from 'node:test'
import { surroundingScores } from './surroundings.ts'

/** Of chunks of two meetings: `scores` by their ordinals, 0 for those without words of the query. */
const added = (meetings: { a: number[]; b: number[] }, asked: ['a' | 'b', number][]) =>
  surroundingScores(
    asked.map(([meeting, ordinal]) => ({ meeting, ordinal })),
    Object.entries(meetings).flatMap(([meeting, scores]) =>
      scores.map((score, ordinal) => ({ meeting, ordinal, score })),
    ),
  )

test('a chunk gains by what is said around it, and by its meeting', () => {
  const [amid = 0, alone = 0] = added({ a: [5, 0, 5, 5, 0, 0, 0, 0, 0, 0, 5], b: [] }, [['a', 2], ['a', 10]]) // biome-ignore format: one line reads best
  assert.ok(amid > alone)
  // Five chunks away the talk is about something else.
  const [near = 0, far = 0] = added({ a: [1, 0, 0, 0, 7, 0, 0, 0, 0, 1], b: [] }, [['a', 0], ['a', 9]]) // biome-ignore format: one line reads best
  assert.ok(near > far)
  const [often = 0, once = 0] = added({ a: [4, 0, 0, 0, 0, 0, 4, 4, 4], b: [4] }, [['a', 0], ['b', 0]]) // biome-ignore format: one line reads best
  assert.ok(often > once)
})

test('on average nothing is added, and nothing to what stands alone', () => {
  const sums = added({ a: [3, 9, 1], b: [7, 2] }, [['a', 0], ['a', 1], ['b', 1]]) // biome-ignore format: one line reads best
  assert.ok(Math.abs(sums.reduce((sum, score) => sum + score, 0)) < 1e-9)
  assert.deepEqual(added({ a: [3], b: [] }, [['a', 0]]), [0])
  assert.deepEqual(added({ a: [3], b: [1] }, []), [])
})

test('another meeting with the same ordinals changes nothing', () => {
  const asked: ['a', number][] = [['a', 0], ['a', 3]] // biome-ignore format: one line reads best
  assert.deepEqual(added({ a: [3, 1, 2, 5], b: [9, 9, 9, 9] }, asked), added({ a: [3, 1, 2, 5], b: [] }, asked))
})
