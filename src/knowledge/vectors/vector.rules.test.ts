import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { cosine, toCloseness, toStoredVector } from './vector.rules.ts'

test('a stored vector keeps its direction, whatever its length', () => {
  const random = seededRandom(1).fraction
  for (const scale of [1e-30, 1, 1e30]) {
    const vector = Array.from({ length: 256 }, () => (random() - 0.5) * scale)
    const { signs, bytes } = toStoredVector(vector)
    assert.equal(signs, vector.map((number) => (number > 0 ? 1 : 0)).join(''))
    assert.ok((cosine(vector, bytes) ?? 0) > 0.999)
    const opposite = vector.map((number) => -number)
    assert.ok((cosine(opposite, bytes) ?? 0) < -0.999)
  }
})

test('vectors of two lengths cannot be compared', () => {
  assert.equal(cosine([1, 2, 3], toStoredVector([1, 2]).bytes), null)
})

test('the nearest is 1 and the farthest 0', () => {
  const cosines = new Map([
    ['a', 0.9],
    ['b', 0.5],
    ['c', 0.7],
  ])
  assert.deepEqual(
    [...toCloseness(cosines)].map(([key, value]) => [key, Math.round(value * 100)]),
    [
      ['a', 100],
      ['b', 0],
      ['c', 50],
    ],
  )
  assert.deepEqual([...toCloseness(new Map([['a', 0.3]]))], [['a', 1]])
})
