import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreChunks, termWeight } from './bm25.ts'

const term = (chunkCount: number, isCommon = false) => ({ word: '', forms: [''], isCommon, chunkCount })
const score = (counts: number[], length = 100) =>
  scoreChunks({ terms: [term(2), term(500), term(990, true)], chunkTotal: 1000, averageLength: 100 }, [
    { counts, length },
  ])[0] ?? 0

test('a rare word counts more than a frequent one, and a common one least', () => {
  assert.ok(score([1, 0, 0]) > score([0, 9, 9]))
  assert.ok(score([0, 1, 0]) > score([0, 0, 20]))
  assert.ok(score([0, 0, 1]) > 0)
  assert.equal(score([0, 0, 0]), 0)
})

test('a word counts more in a short chunk, and its repetition ever less', () => {
  assert.ok(score([1, 0, 0], 50) > score([1, 0, 0], 200))
  assert.ok(score([2, 0, 0]) - score([1, 0, 0]) > score([3, 0, 0]) - score([2, 0, 0]))
})

test('statistics that are out of date give a finite score', () => {
  const query = { terms: [term(5)], chunkTotal: 0, averageLength: 0 }
  const [found] = scoreChunks(query, [{ counts: [1], length: 3 }])
  assert.ok(Number.isFinite(found) && (found ?? 0) > 0)
})

test('a word that frames a question counts less than its subject, and more than a common word', () => {
  const term = { word: 'opinion', forms: ['opinion'], isCommon: false, chunkCount: 5 }
  const [subject, framing, common] = [term, { ...term, isFraming: true }, { ...term, isCommon: true }].map((it) =>
    termWeight(it, 100),
  ) as [number, number, number]
  assert.ok(subject > framing && framing > common)
})
