import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedJob } from './boss.ts'
import { jobHandler } from './jobs.ts'
import { kindWorker } from './kind-worker.ts'

const kind = { name: 'test.note.write', attemptsMax: 1, backoffSeconds: 0, timeoutSeconds: 1 }

test('claims of news that come while jobs run are made together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const queued = [{ id: 'first', groupId: 'tenant' }]
  const ended = Promise.withResolvers<void>()
  const claims: string[][] = []
  const worker = kindWorker({
    handler: jobHandler(kind, async () => undefined),
    claim: async (_, { ignoreGroups }) => {
      if (ignoreGroups.length > 0) return []
      const jobs = queued.splice(0)
      claims.push(jobs.map(({ id }) => id))
      return jobs as ClaimedJob[]
    },
    runJob: () => ended.promise,
    onError: assert.fail,
    isStopping: () => false,
    // Longer than this test takes on the busiest machine: what has passed is read from the real clock.
    gatherMs: 60_000,
  })
  await worker.fill(true)
  assert.deepEqual(claims, [['first']])

  const filled = ['second', 'third'].map((id) => {
    queued.push({ id, groupId: 'tenant' })
    return worker.fill(true)
  })
  await new Promise<void>((resolve) => setImmediate(resolve))
  assert.deepEqual(claims, [['first']])
  t.mock.timers.tick(60_000)
  await Promise.all(filled)
  assert.deepEqual(claims, [['first'], ['second', 'third']])
  ended.resolve()
  await worker.idle()
})
