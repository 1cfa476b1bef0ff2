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

test('health tells its version to administrators alone', async () => {
  const app = await testApp()
  const versionFor = async (headers: Record<string, string>) => {
    const { status, body } = await app.call({ url: '/health', headers })
    assert.equal(status, 200)
    return body.version
  }
  const { body } = await app.call({
    method: 'POST',
    url: '/v1/platform/admin/keys',
    headers: app.admin,
    body: { name: 'monitor', role: 'VIEWER' },
  })
  const user = await app.user(await app.apiKey(await app.tenant()))
  assert.equal(await versionFor({}), null)
  assert.equal(await versionFor(user.headers), null)
  assert.equal(await versionFor(app.admin), '0.0.0-test')
  assert.equal(await versionFor({ 'x-admin-key': body.adminKey.key }), '0.0.0-test')
})

test('a wrong admin key is refused and counted, so that health tells nobody which keys are right', async () => {
  const limits = { requestsMax: 1000, authFailuresMax: 3, windowSeconds: 900 }
  const app = await testApp({ rateLimits: limits })
  const ask = async (headers: Record<string, string>) => (await app.call({ url: '/health', headers })).status
  const wrong = { 'x-admin-key': 'atradmin_that_is_not_the_one' }
  assert.deepEqual([await ask(wrong), await ask(wrong), await ask(wrong), await ask(wrong)], [401, 401, 401, 429])
  assert.equal(await ask({}), 200, 'probes without a key go on')
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
