import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairLimit } from './fair-limit.ts'

/** Tasks that end when they are told to, and the order in which they began. */
function tasks(settings: Parameters<typeof fairLimit>[0]) {
  const limit = fairLimit(settings)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (key: string, name: string) =>
    limit(key, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { limit, begun, add, endNext }
}

test('keys take turns, however many tasks one of them has', async () => {
  const { begun, add, endNext } = tasks({ concurrent: 1, queueMax: 10, keyQueueMax: 5 })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => add(name[0] ?? '', name))
  for (const _ of all) await endNext()
  await Promise.all(all)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a key that fills its queue is refused, and the others are not until all are full', async () => {
  const { begun, add, endNext } = tasks({ concurrent: 1, queueMax: 3, keyQueueMax: 2 })
  const all = ['a1', 'a2', 'a3'].map((name) => add('a', name))
  await assert.rejects(add('a', 'a4'), { code: 'UNAVAILABLE' })
  all.push(add('b', 'b1'))
  await assert.rejects(add('c', 'c1'), { code: 'UNAVAILABLE' })
  for (const _ of all) await endNext()
  await Promise.all(all)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
})

test('a task that fails frees its place', async () => {
  const { limit } = tasks({ concurrent: 1, queueMax: 1, keyQueueMax: 1 })
  await assert.rejects(
    limit('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(await limit('b', async () => 'done'), 'done')
})
