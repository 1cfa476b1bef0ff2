import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import type { KeyCaller } from '../../http/access/callers.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { memoryFanOut } from '../../storage/fan-out.ts'
import type { Handle } from '../../storage/handle.ts'
import { mintPlatformScope } from '../../storage/mint.ts'
import { apiKeyFormat } from './key.rules.ts'
import { keyCallerCache } from './key-caller-cache.ts'

const now = new Date('2026-03-01T00:00:00Z')
const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
const caller: KeyCaller = {
  id,
  name: 'app',
  products: ['vault-vpn'],
  expiresAt: null,
  tenantId: id,
  isTenantSuspended: false,
  requestsPerWindow: null,
}

/** A cache with a fake database, whose answers the test controls. */
function callersOver(fanOut = memoryFanOut()) {
  const asked: ((caller: KeyCaller | null) => void)[] = []
  const readPipelined = () =>
    new Promise((resolve) => asked.push((found) => resolve({ rows: found === null ? [] : [found], affected: 0 })))
  const callers = keyCallerCache(mintPlatformScope({ readPipelined } as unknown as Handle, systemCaller), fanOut)
  return { callers, asked }
}

test('all requests with a key within a second cost one query', async () => {
  const { callers, asked } = callersOver()
  const { key } = apiKeyFormat.create(randomBytes)
  const first = callers.find(key, now)
  asked[0]?.(caller)
  assert.equal(await first, caller)
  for (let time = 0; time < 10; time++) assert.equal(await callers.find(key, now), caller)
  assert.equal(asked.length, 1)
})

test('a cached key expires to the millisecond', async () => {
  const { callers, asked } = callersOver()
  const { key } = apiKeyFormat.create(randomBytes)
  const expiresAt = new Date(now.getTime() + 5)
  const first = callers.find(key, now)
  asked[0]?.({ ...caller, expiresAt })
  await first
  assert.notEqual(await callers.find(key, new Date(expiresAt.getTime() - 1)), null)
  assert.equal(await callers.find(key, expiresAt), null)
})

test('a change on any node takes effect with the next request', async () => {
  const fanOut = memoryFanOut()
  const [here, there] = [callersOver(fanOut), callersOver(fanOut)]
  const { key } = apiKeyFormat.create(randomBytes)
  const first = there.callers.find(key, now)
  there.asked[0]?.(caller)
  await first
  here.callers.forget()
  const second = there.callers.find(key, now)
  there.asked[1]?.(null)
  assert.equal(await second, null)
})

test('a query that started before a change does not fill the cache after it', async () => {
  const { callers, asked } = callersOver()
  const { key } = apiKeyFormat.create(randomBytes)
  const early = callers.find(key, now)
  callers.forget()
  asked[0]?.(caller)
  await early
  const late = callers.find(key, now)
  asked[1]?.(null)
  assert.equal(await late, null)
})

test('an unknown key is not cached, so a new one works at once', async () => {
  const { callers, asked } = callersOver()
  const { key } = apiKeyFormat.create(randomBytes)
  const first = callers.find(key, now)
  asked[0]?.(null)
  assert.equal(await first, null)
  const second = callers.find(key, now)
  asked[1]?.(caller)
  assert.equal(await second, caller)
})

test('suspending, activating, limiting or removing a tenant takes effect for its keys before it is answered', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const { key } = await app.apiKey(tenant)
  const statusNow = async () =>
    (
      await app.call({
        method: 'POST',
        url: '/vault/v1/licenses/validate',
        headers: { 'x-api-key': key },
        body: { licenseKey: 'none' },
      })
    ).status
  const patch = (body: object) =>
    app.call({ method: 'PATCH', url: `/admin/tenants/${tenant.id}`, headers: app.admin, body })
  assert.equal(await statusNow(), 200)
  await patch({ status: 'SUSPENDED' })
  assert.equal(await statusNow(), 403)
  await patch({ status: 'ACTIVE' })
  assert.equal(await statusNow(), 200)
  await patch({ limits: { requestsPerWindow: 1 } })
  assert.equal(await statusNow(), 429)
  const url = `/admin/tenants/${tenant.id}?confirm=${tenant.slug}`
  assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 204)
  assert.equal(await statusNow(), 401)
})
