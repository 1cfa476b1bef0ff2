import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { shareOut, waitingFiles } from './share-out.ts'
import { slowestFiles } from './slowest-files.ts'

test('files are shared out by how long they take, and stay in their order', () => {
  assert.deepEqual(shareOut(['a', 'b', 'c', 'd', 'e'], 2, { c: 4 }), [['c'], ['a', 'b', 'd', 'e']])
  assert.deepEqual(shareOut(['a'], 2), [['a'], []])
})

test('every file that mostly waits is there', () => {
  assert.deepEqual(
    waitingFiles.filter((file) => !existsSync(file)),
    [],
  )
})

test('the slowest files of several processes are one list', () => {
  const cost = (processorSeconds: number) => ({ seconds: 2, processorSeconds })
  assert.equal(
    slowestFiles([{ 'a.ts': cost(0.9), 'b.ts': cost(12) }, { 'a.ts': cost(2) }], 2),
    [
      '   12.0 s of a processor in     2.0 s  b.ts',
      '    2.0 s of a processor in     2.0 s  a.ts',
      '   14.9 s of a processor in all, without database servers',
    ].join('\n'),
  )
})
