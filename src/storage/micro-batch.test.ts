import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { microBatch } from './micro-batch.ts'

test('what is asked while a batch is under way is answered together by the next one, in the order it came', async () => {
  const batches: number[][] = []
  const ask = microBatch({
    sizeMax: 100,
    flush: async (asks: number[]) => {
      batches.push(asks)
      await setImmediate()
      return asks.map((number) => number * 2)
    },
  })
  const answers = await Promise.all([1, 2, 3, 4].map(ask))
  assert.deepEqual(answers, [2, 4, 6, 8])
  assert.deepEqual(batches, [[1], [2, 3, 4]])
})

test('no batch is longer than it may be', async () => {
  const sizes: number[] = []
  const ask = microBatch({
    sizeMax: 3,
    flush: async (asks: number[]) => {
      sizes.push(asks.length)
      await setImmediate()
      return asks
    },
  })
  await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index)))
  assert.deepEqual(sizes, [1, 3, 3, 1])
})

test('a batch that fails fails its callers alone', async () => {
  const ask = microBatch({
    sizeMax: 2,
    flush: async (asks: string[]) => {
      await setImmediate()
      if (asks.includes('bad')) throw new Error('no disk')
      return asks
    },
  })
  const outcomes = await Promise.allSettled(['first', 'bad', 'beside', 'later', 'last'].map(ask))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('callers who ask again as soon as they are answered are never forgotten', async () => {
  let flushes = 0
  const ask = microBatch({
    sizeMax: 64,
    flush: async (asks: number[]) => {
      flushes += 1
      if (flushes % 3 === 0) await setImmediate()
      return asks
    },
  })
  const caller = async (name: number) => {
    for (let turn = 0; turn < 200; turn++) assert.equal(await ask(name), name)
  }
  await Promise.all(Array.from({ length: 16 }, (_, name) => caller(name)))
  assert.ok(flushes >= 200)
})
