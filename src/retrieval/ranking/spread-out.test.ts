import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadOut } from './spread-out.ts'

const places = (scores: [place: number, score: number][]) =>
  spreadOut(
    scores.map(([place, score]) => ({ place, score })),
    (a, b) => Math.abs(a.place - b.place) === 1,
  ).map(({ place }) => place)

test('a chunk next to a better one comes after one of another place that is nearly as good', () => {
  assert.deepEqual(places([[4, 10], [5, 9], [20, 8]]), [4, 20, 5]) // biome-ignore format: one line reads best
  assert.deepEqual(places([[4, 10], [5, 9], [20, 7]]), [4, 5, 20]) // biome-ignore format: one line reads best
})

test('nothing is lost, and without neighbours the order stays', () => {
  assert.deepEqual(places([[9, 3], [7, 2], [1, 2], [5, 0]]), [9, 7, 1, 5]) // biome-ignore format: one line reads best
  assert.deepEqual(places([[1, 3], [2, 3], [3, 3]]), [1, 3, 2]) // biome-ignore format: one line reads best
  assert.deepEqual(places([]), [])
})
