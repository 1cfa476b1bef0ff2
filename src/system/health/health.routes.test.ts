import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { temporaryFolder } from '../../../test/harness/service.ts'
import { diskBlobs } from '../../storage/blobs/disk.ts'
import { cachedCheck } from './health.checks.ts'

const fails = async () => {
  throw new Error('gone')
}
const health = async (overrides: Parameters<typeof testApp>[0]) => {
  const app = await testApp(overrides)
  const reply = await app.call({ url: '/health' })
  assert.equal(reply.status, 200)
  return reply.body
}

test('health shows the database, Redis and the files', async () => {
  const { status, checks } = await health({ redis: { ping: async () => undefined } })
  assert.equal(status, 'ok')
  assert.deepEqual(
    [checks.database.status, checks.redis.status, checks.blobs.status, checks.blobs.kind],
    ['up', 'up', 'up', 'folder'],
  )
  for (const { latencyMs } of [checks.database, checks.redis, checks.blobs]) assert.ok(latencyMs >= 0)
  assert.deepEqual((await health({})).checks.redis, { status: 'unused', latencyMs: 0 })
})

test('what the service can do without is shown as down, and balancers keep sending requests', async () => {
  const blobs = { ...diskBlobs(await temporaryFolder()), ping: fails }
  const { status, checks } = await health({ redis: { ping: fails }, blobs })
  assert.equal(status, 'ok')
  assert.deepEqual([checks.redis.status, checks.blobs.status], ['down', 'down'])
})

test('a folder that cannot be written is down', async () => {
  const { checks } = await health({ blobs: diskBlobs('/dev/null/media') })
  assert.equal(checks.blobs.status, 'down')
})

describe('a check', () => {
  test('is made once for all who ask within a second', async () => {
    let pings = 0
    const check = cachedCheck(async () => void pings++)
    const results = await Promise.all(Array.from({ length: 50 }, check))
    assert.deepEqual([pings, new Set(results).size, results[0]?.status], [1, 1, 'up'])
  })

  test('that hangs is not made again before it ends', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let pings = 0
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const hanging = Promise.withResolvers<void>()
    const check = cachedCheck(() => {
      pings++
      return hanging.promise
    })
    for (let round = 0; round < 3; round++) {
      const asked = check()
      nowMs += 5000
      t.mock.timers.tick(1000)
      t.mock.timers.tick(1000)
      assert.equal((await asked).status, 'down')
    }
    assert.equal(pings, 1)
    hanging.resolve()
    await hanging.promise
    await new Promise((resolve) => setImmediate(resolve))
    nowMs += 5000
    assert.equal((await check()).status, 'up')
    assert.equal(pings, 2)
  })
})
