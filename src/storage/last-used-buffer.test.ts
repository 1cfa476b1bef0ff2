import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastUsedBuffer } from './last-used-buffer.ts'

const at = (second: number) => new Date(1000 * second)

test('times of last use are written together after a while, and at most once a minute for each key', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: [string, number][][] = []
  const { mark } = lastUsedBuffer({
    delayMs: 1000,
    write: async (entries) => {
      written.push(entries.map((entry) => [entry.key, entry.at.getTime() / 1000]))
    },
  })
  mark('a', at(0))
  mark('b', at(0))
  mark('a', at(1))
  t.mock.timers.tick(999)
  assert.deepEqual(written, [])
  t.mock.timers.tick(1)
  assert.deepEqual(written.splice(0), [
    [
      ['a', 0],
      ['b', 0],
    ],
  ])
  mark('a', at(59))
  t.mock.timers.tick(1000)
  assert.deepEqual(written, [])
  mark('a', at(60))
  t.mock.timers.tick(1000)
  assert.deepEqual(written, [[['a', 60]]])
})
