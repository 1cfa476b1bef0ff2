// What a clock that jumps does. A day is longer than the window of the rate limits (15 minutes) and the life of an
// access token (an hour), and shorter than a session may idle (30 days).

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryRateCounter } from '../../src/http/limits/rate-limit.ts'
import { testApp } from '../harness/app.ts'
import { ask } from '../harness/client.ts'
import { makeCustomer } from '../harness/customer.ts'
import { createMigratedDatabase } from '../harness/database.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

const hour = 3600
const jumps = [hour, -hour, 24 * hour, -24 * hour]
const rateLimits = { requestsMax: 5, authFailuresMax: 5, windowSeconds: 900 }

for (const seconds of jumps) {
  const jump = `a jump of the clock by ${seconds / hour} h`

  test(`${jump} neither freezes a rate window nor opens it for ever`, async () => {
    const app = await testApp({ rateLimits, rateCounter: memoryRateCounter(rateLimits.windowSeconds) })
    const generous = await testApp()
    const { key } = await generous.apiKey(await generous.tenant())
    const answered = async (calls: number) => {
      const replies = []
      for (let count = 0; count < calls; count++)
        replies.push(
          (
            await app.call({
              url: '/vault/v1/licenses/validate',
              method: 'POST',
              headers: { 'x-api-key': key },
              body: { licenseKey: 'x' },
            })
          ).status,
        )
      return replies
    }
    assert.deepEqual(await answered(7), [200, 200, 200, 200, 200, 429, 429])
    app.clock.advance({ seconds })
    assert.deepEqual(await answered(7), [200, 200, 200, 200, 200, 429, 429])
    app.clock.advance({ seconds: 2 * rateLimits.windowSeconds })
    assert.deepEqual(await answered(7), [200, 200, 200, 200, 200, 429, 429])
  })

  test(`${jump} ends no session, and its access tokens are replaced by a refresh`, async () => {
    const app = await testApp()
    const key = await app.apiKey(await app.tenant())
    const user = await app.user(key)
    app.clock.advance({ seconds })
    const me = await app.call({ url: '/vault/v1/auth/me', headers: user.headers })
    // Between nodes a minute is forgiven; a token from further ahead in time is not believed.
    assert.deepEqual([me.status, me.body.code], [401, seconds > 0 ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'])
    const refreshed = await app.call({
      url: '/vault/v1/auth/refresh',
      method: 'POST',
      headers: { 'x-api-key': key.key },
      body: { refreshToken: user.refreshToken },
    })
    assert.equal(refreshed.status, 200)
    const headers = { ...user.headers, authorization: `Bearer ${refreshed.body.accessToken}` }
    assert.equal((await app.call({ url: '/vault/v1/auth/me', headers })).status, 200)
    app.clock.advance({ seconds: -seconds })
    const body = { refreshToken: refreshed.body.refreshToken }
    const back = await app.call({
      url: '/vault/v1/auth/refresh',
      method: 'POST',
      headers: { 'x-api-key': key.key },
      body,
    })
    assert.equal(back.status, 200, 'and when the clock is put right again')
  })
}

const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const skip = !isServer ? 'done once, with PostgreSQL' : library === undefined && 'faketime is not installed'
if (skip && isServer) console.error(`\n!!! ${skip}: A JUMP OF THE SYSTEM'S CLOCK IS NOT TESTED !!!\n`)

describe('a running process', { skip }, () => {
  test('goes on answering and limiting while the system’s clock jumps under it', async (t) => {
    const folder = await temporaryFolder()
    const file = join(folder, 'clock')
    writeFileSync(file, '+0\n')
    const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
    const service = await startService({
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: await createMigratedDatabase(),
      ADMIN_KEY: admin['x-admin-key'],
      LD_PRELOAD: library as string,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1', // seconds until it looks at the file again
      FAKETIME_DONT_FAKE_MONOTONIC: '1', // no jump moves this clock
    })
    t.after(() => service.stop('SIGKILL'))
    const { base } = service
    for (const seconds of [0, hour, -hour, 24 * hour, -24 * hour, 0]) {
      const offset = `${seconds < 0 ? '' : '+'}${seconds}`
      const offsetMs = seconds * 1000
      writeFileSync(file, `${offset}\n`)
      await untilSeen(base, offsetMs)
      const customer = await makeCustomer({ base, admin, requestsPerWindow: 3 })
      const statuses = []
      for (let count = 0; count < 5; count++) statuses.push((await customer.validate(base)).status)
      assert.deepEqual(statuses, [200, 200, 200, 429, 429], offset)
    }
    assert.equal(await service.stop('SIGTERM'), 0, service.output())
  })
})

/** Until the process is healthy at the false time. Its requests' ids begin with the milliseconds of its clock. */
async function untilSeen(base: string, offsetMs: number): Promise<void> {
  const deadline = performance.now() + 10_000
  for (;;) {
    const { status, headers } = await ask({ url: `${base}/health` })
    const seenMs = Number.parseInt(String(headers['x-request-id']).replace('-', '').slice(0, 12), 16)
    if (status === 200 && Math.abs(seenMs - Date.now() - offsetMs) < 5_000) return
    assert.ok(performance.now() < deadline, `${status} at ${new Date(seenMs).toISOString()}`)
    await delay(50)
  }
}
