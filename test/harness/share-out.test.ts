import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowestFiles } from './file-durations.ts'
import { shareOut } from './share-out.ts'

test('files are shared out by how long they take, and stay in their order', () => {
  assert.deepEqual(shareOut(['a', 'b', 'c', 'd', 'e'], 2, { c: 4 }), [['c'], ['a', 'b', 'd', 'e']])
  assert.deepEqual(shareOut(['a'], 2), [['a'], []])
})

test('the slowest files of several processes are one list', () => {
  assert.equal(slowestFiles(['900 a.ts\n12000 b.ts\n', '2000 a.ts\n'], 2), '   12.0 s  b.ts\n    2.0 s  a.ts')
})
