import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOut } from './share-out.ts'
import { slowestFiles } from './slowest-files.ts'

test('files are shared out by how long they take, and stay in their order', () => {
  assert.deepEqual(shareOut(['a', 'b', 'c', 'd', 'e'], 2, { c: 4 }), [['c'], ['a', 'b', 'd', 'e']])
  assert.deepEqual(shareOut(['a'], 2), [['a'], []])
})

test('the slowest files of several processes are one list', () => {
  assert.equal(slowestFiles([{ 'a.ts': 900, 'b.ts': 12_000 }, { 'a.ts': 2000 }], 2), '   12.0 s  b.ts\n    2.0 s  a.ts')
})
