import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import type { Boss } from './boss.ts'
import { completionBatch } from './completion-batch.ts'

const kind = 'test.note.write'
const job = (id: string) => ({ id, name: kind, retryCount: 0 })

describe('jobs that end while others of their kind run', () => {
  let completed: string[][]

  /** @param running what runs at first. */
  const batchOf = (running: number) => {
    const boss = { complete: async (_: string, jobs: { id: string }[]) => completed.push(jobs.map(({ id }) => id)) }
    return completionBatch({ boss: async () => boss as unknown as Boss, running: () => running, gatherMs: 10 })
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  beforeEach((t) => {
    completed = []
    mock.timers.enable({ apis: ['setTimeout'] })
    if ('after' in t) t.after(() => mock.timers.reset())
  })

  test('are completed by one statement, as soon as the last has ended', async () => {
    const { complete } = batchOf(3)
    const written = [complete(job('a'))]
    await turn()
    written.push(complete(job('b')))
    await turn()
    assert.deepEqual(completed, [])
    written.push(complete(job('c')))
    await Promise.all(written)
    assert.deepEqual(completed, [['a', 'b', 'c']])
  })

  test('do not wait for one that goes on', async () => {
    const { complete } = batchOf(3)
    const written = [complete(job('a')), complete(job('b'))]
    await turn()
    await turn()
    assert.deepEqual(completed, [])
    mock.timers.tick(10)
    await Promise.all(written)
    assert.deepEqual(completed, [['a', 'b']])
  })

  test('are completed at once where none runs', async () => {
    const { complete } = batchOf(1)
    await complete(job('a'))
    await complete(job('b'))
    assert.deepEqual(completed, [['a'], ['b']])
  })
})
