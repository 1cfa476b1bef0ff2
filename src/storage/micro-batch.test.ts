import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { keyedMicroBatch, microBatch } from './micro-batch.ts'

test('requests that arrive during a flush are answered together by the next one, in their order', async () => {
  const batches: number[][] = []
  const ask = microBatch({
    sizeMax: 100,
    flush: async (asks: number[]) => {
      batches.push(asks)
      await setImmediate()
      return asks.map((number) => number * 2)
    },
  })
  const first = ask(1)
  while (batches.length === 0) await setImmediate()
  assert.deepEqual(await Promise.all([first, ...[2, 3, 4].map(ask)]), [2, 4, 6, 8])
  assert.deepEqual(batches, [[1], [2, 3, 4]])
})

test('callers that ask again as soon as they are answered are together in the next batch', async () => {
  const sizes: number[] = []
  const ask = microBatch({
    sizeMax: 100,
    flush: async (asks: number[]) => {
      sizes.push(asks.length)
      return asks
    },
  })
  const caller = async (name: number) => {
    for (let turn = 0; turn < 3; turn++) await ask(name)
  }
  await Promise.all(Array.from({ length: 20 }, (_, name) => caller(name)))
  assert.deepEqual(sizes, [20, 20, 20])
})

test('two flushes share the waiting requests, and never have requests of the same group', async () => {
  const underWay = new Set<string>()
  let [atOnce, served] = [0, 0]
  const ask = microBatch({
    sizeMax: 100,
    flushesMax: 2,
    groupKey: ({ place }: { place: string; turn: number }) => place,
    flush: async (asks) => {
      const places = new Set(asks.map(({ place }) => place))
      for (const place of places) assert.ok(!underWay.has(place), 'in two flushes at once')
      for (const place of places) underWay.add(place)
      atOnce = Math.max(atOnce, underWay.size - places.size)
      for (let wait = 0; wait < asks.length % 3; wait++) await setImmediate()
      for (const place of places) underWay.delete(place)
      return asks.map(({ turn }) => ({ turn, order: ++served }))
    },
  })
  const orders = await Promise.all(
    Array.from({ length: 3000 }, async (_, turn) => {
      if (turn % 7 === 0) for (let wait = 0; wait < turn % 50; wait++) await setImmediate()
      const place = turn % 4 === 0 ? 'hot' : `place ${turn % 500}`
      const answer = await ask({ place, turn })
      assert.equal(answer.turn, turn)
      return answer.order
    }),
  )
  assert.equal(new Set(orders).size, 3000)
  assert.ok(atOnce > 0, 'there were never two flushes at once')
})

test('no batch is longer than the limit', async () => {
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
  assert.deepEqual(sizes, [3, 3, 2])
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
    ['rejected', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})

test('callers that ask again as soon as they are answered are never forgotten', async () => {
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

test('requests of one key share batches and wait for no other key; a queue that is full refuses', async () => {
  const batches: string[][] = []
  const mayEnd = Promise.withResolvers<void>()
  const { send: ask } = keyedMicroBatch({
    sizeMax: 10,
    waitingMax: 3,
    key: (text: string) => text.charAt(0),
    flush: async (asks: string[]) => {
      batches.push(asks)
      if (asks.includes('a1')) await mayEnd.promise
      return asks
    },
  })
  const first = ask('a1')
  while (batches.length === 0) await setImmediate()
  const others = ['a2', 'a3'].map(ask)
  await assert.rejects(ask('a4'), { code: 'UNAVAILABLE' })
  assert.equal(await ask('b1'), 'b1')
  mayEnd.resolve()
  assert.deepEqual(await Promise.all([first, ...others]), ['a1', 'a2', 'a3'])
  assert.deepEqual(batches, [['a1'], ['b1'], ['a2', 'a3']])
  assert.equal(await ask('a4'), 'a4')
})
