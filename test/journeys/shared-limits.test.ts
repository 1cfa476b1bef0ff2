import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { redisMissing, startRedisServer } from '../harness/redis-server.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

test('with REDIS_URL a caller’s limit is one for all processes, and without its Redis a process still starts and limits', {
  skip: redisMissing,
}, async (t) => {
  const redis = await startRedisServer()
  t.after(() => redis.kill())
  const folder = await temporaryFolder()

  /** The statuses of so many requests of the administrator to a process of its own, which then ends in good order. */
  const statusesOf = async (requests: number): Promise<number[]> => {
    const limits = { REDIS_URL: redis.url, RATE_LIMIT_MAX: '3' }
    const service = await startService({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...limits })
    t.after(() => service.stop('SIGKILL'))
    const headers = { 'x-admin-key': readFileSync(join(folder, 'admin-key'), 'utf8').trim() }
    const statuses: number[] = []
    for (let count = 0; count < requests; count++)
      statuses.push((await fetch(`${service.base}/admin/tenants`, { headers })).status)
    assert.equal(await service.stop('SIGTERM'), 0, service.output())
    return statuses
  }

  assert.deepEqual(await statusesOf(2), [200, 200])
  assert.deepEqual(await statusesOf(2), [200, 429])
  await redis.kill()
  assert.deepEqual(await statusesOf(4), [200, 200, 200, 429])
})
