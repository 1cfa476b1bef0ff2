import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { bodyMemory } from './body-memory.ts'

const isFull = (error: unknown) => error instanceof Refusal && error.code === 'UNAVAILABLE'

/** A memory of 100 bytes, and bodies in it that say when they had to give way. */
function filled() {
  const memory = bodyMemory(100)
  const evicted: string[] = []
  const hold = (address: string, name: string) => memory.hold(address, () => evicted.push(name))
  return { memory, evicted, hold }
}

describe('the memory for bodies', () => {
  test('is refused to the address that fills it, and has room again when a body ends', () => {
    const { memory, evicted, hold } = filled()
    const bodies = ['a', 'b'].map((name) => hold('one', name))
    for (const body of bodies) body.add(50)
    assert.throws(() => hold('one', 'c').add(1), isFull)
    bodies[0]?.release()
    hold('one', 'd').add(50)
    assert.deepEqual([memory.heldBytes(), evicted], [100, []])
  })

  test('has room for others when a body needs less than was asked for', () => {
    const { memory, hold } = filled()
    const [first, gone] = [hold('one', 'first'), hold('one', 'gone')]
    first.add(60)
    gone.add(40)
    first.giveBack(50)
    gone.release()
    gone.giveBack(30)
    assert.equal(memory.heldBytes(), 10)
  })

  test('is taken from the largest body of the address that holds most, for another address', () => {
    const { memory, evicted, hold } = filled()
    hold('one', 'small').add(20)
    hold('one', 'large').add(50)
    hold('two', 'other').add(30)
    hold('three', 'new').add(25)
    assert.deepEqual([memory.heldBytes(), evicted], [75, ['large']])
    // Now the one that asks would hold most.
    assert.throws(() => hold('three', 'newer').add(40), isFull)
    assert.deepEqual(evicted, ['large'])
  })

  test('is not taken from anybody where that would not be enough', () => {
    const { memory, evicted, hold } = filled()
    for (const name of ['a', 'b', 'c', 'd', 'e']) hold('one', name).add(20)
    // After two of them it would hold most itself.
    assert.throws(() => hold('two', 'large').add(70), isFull)
    assert.deepEqual([memory.heldBytes(), evicted], [100, []])
    hold('two', 'small').add(40)
    assert.deepEqual([memory.heldBytes(), evicted.length], [100, 2])
  })

  test('is not taken from a body that has arrived: its request is being answered', () => {
    const { evicted, hold } = filled()
    const arrived = hold('one', 'arrived')
    arrived.add(90)
    arrived.arrived()
    assert.throws(() => hold('two', 'new').add(20), isFull)
    hold('one', 'arriving').add(10)
    hold('two', 'new').add(10)
    assert.deepEqual(evicted, ['arriving'])
  })

  test('counts nothing that still arrives of a body that gave way', () => {
    const { memory, evicted, hold } = filled()
    const victim = hold('one', 'victim')
    victim.add(90)
    const other = hold('two', 'other')
    other.add(20)
    victim.add(10)
    assert.deepEqual([memory.heldBytes(), evicted], [20, ['victim']])
    victim.release()
    other.release()
    assert.equal(memory.heldBytes(), 0)
  })

  test('counts nothing twice of a body that gave way and is released', () => {
    const { memory, hold } = filled()
    const first = hold('one', 'first')
    first.add(100)
    const second = hold('two', 'second')
    second.add(60)
    first.release()
    first.add(40) // what was on the way
    assert.equal(memory.heldBytes(), 60)
    second.release()
    assert.equal(memory.heldBytes(), 0)
  })
})
