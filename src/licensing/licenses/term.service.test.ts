import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { receiver } from '../../../test/harness/receiver.ts'
import { webhookCalls } from '../../../test/harness/webhooks.ts'

const day = 24 * 3600

describe('the end of a license', () => {
  test('emits an event a week before and at expiry, once per term, and none for revoked licenses', async (t) => {
    // An app with its own clock, so that other tests are not affected.
    const database = await freshDatabase()
    t.after(() => database.close())
    const app = await testApp({ database })
    const hooks = webhookCalls(app)
    const there = await receiver()
    t.after(() => there.close())
    const subscriber = await hooks.subscriber()
    const { tenant } = subscriber
    await hooks.endpoint(subscriber, there.url, { eventTypes: ['license.expiring', 'license.expired'] })
    const told = async () => {
      // On two nodes in parallel.
      await Promise.all([app.app.housekeep(), app.app.housekeep()])
      await hooks.settled()
      return there.heard.splice(0).map(({ body }) => {
        const { type, data } = JSON.parse(body)
        return [type, data.licenseId, data.expiresAt]
      })
    }
    const inDays = (days: number) => new Date(app.clock.now().getTime() + days * day * 1000).toISOString()
    const change = (method: 'PATCH' | 'POST', path: string, body?: object) =>
      app.call({ method, url: `/vault/v1/licenses/${path}`, headers: app.admin, ...(body ? { body } : {}) })
    const [soon, late] = [inDays(8), inDays(20)]
    const license = await app.license(tenant, { plan: 'PRO', expiresAt: soon })
    const revoked = await app.license(tenant, { plan: 'PRO', expiresAt: soon })
    await app.license(tenant, { plan: 'PRO' })
    await change('POST', `${revoked.key}/revoke`)
    assert.deepEqual(await told(), [])

    app.clock.advance({ seconds: day })
    assert.deepEqual(await told(), [['license.expiring', license.id, soon]])
    assert.deepEqual(await told(), [])
    await change('PATCH', license.key, { label: 'Renewed' })
    assert.deepEqual(await told(), [], 'the term is the same')

    await change('PATCH', license.key, { expiresAt: late })
    assert.deepEqual(await told(), [])
    app.clock.advance({ seconds: 13 * day })
    assert.deepEqual(await told(), [['license.expiring', license.id, late]])
    app.clock.advance({ seconds: 6 * day })
    assert.deepEqual(await told(), [['license.expired', license.id, late]])
    assert.deepEqual(await told(), [])

    const missed = await app.license(tenant, { plan: 'PRO', expiresAt: inDays(9) })
    const end = inDays(9)
    app.clock.advance({ seconds: 10 * day })
    assert.deepEqual(await told(), [['license.expired', missed.id, end]], 'after nobody was there to tell in time')
  })
})
