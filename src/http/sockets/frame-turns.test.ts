import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameTurns } from './frame-turns.ts'

/** Work of some milliseconds, like that of a large frame. */
function busy(ms: number): void {
  const startedMs = performance.now()
  while (performance.now() - startedMs < ms);
}

test('a caller with many frames does not delay those of others', async () => {
  const turns = frameTurns()
  const order: string[] = []
  const frame = (caller: string) => turns.take(caller, () => void order.push(caller))
  await Promise.all([...Array.from({ length: 50 }, () => frame('many')), frame('few'), frame('few')])
  assert.deepEqual(order.slice(0, 5), ['many', 'few', 'many', 'few', 'many'])
  assert.equal(order.length, 52)
})

test('everything else goes on while frames wait, however many there are', async () => {
  const turns = frameTurns()
  let done = 0
  let rounds = 0
  const count = () => {
    rounds++
    if (done < 100) setImmediate(count)
  }
  setImmediate(count)
  const work = () => {
    busy(2)
    done++
  }
  await Promise.all(Array.from({ length: 100 }, () => turns.take('caller', work)))
  // Three frames of 2 ms fill a slice of 5 ms.
  assert.ok(rounds >= 100 / 3, `${rounds} rounds of the event loop`)
})
