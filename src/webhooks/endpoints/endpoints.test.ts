import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { hostileUrls } from '../../../test/harness/hostile-urls.ts'
import { type Subscriber, webhookCalls } from '../../../test/harness/webhooks.ts'
import { one, sql } from '../../storage/query.ts'
import { eventTypeNames } from '../event-types/event-types.ts'

let app: TestApp
let hooks: ReturnType<typeof webhookCalls>
const url = 'https://hooks.example.com/atrium'

before(async () => {
  app = await testApp({ webhooks: { allowPrivate: false } })
  hooks = webhookCalls(app)
})

const create = (whose: Subscriber, body: Record<string, unknown> = {}) =>
  hooks.call(whose, 'POST', '/endpoints', { url, ...body })

describe('endpoints', () => {
  test('an endpoint is made with a secret that is shown once, read, listed, changed and deleted', async () => {
    const whose = await hooks.subscriber()
    const made = await create(whose, { description: 'Billing', eventTypes: ['license.*'], ratePerMinute: 60 })
    assert.equal(made.status, 201)
    const { endpoint, secret } = made.body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(made.headers.location, `/v1/webhooks/endpoints/${endpoint.id}`)
    assert.equal(made.headers['cache-control'], 'no-store')
    assert.deepEqual(await hooks.get(whose, endpoint), endpoint)
    const listed = (await hooks.call(whose, 'GET', '/endpoints')).body
    assert.deepEqual([listed.endpoints, listed.pagination.total], [[endpoint], 1])
    const change = { eventTypes: [], description: null, url: `${url}/2` }
    const changed = (await hooks.call(whose, 'PATCH', `/endpoints/${endpoint.id}`, change)).body.endpoint
    assert.deepEqual(changed, { ...endpoint, ...change, updatedAt: changed.updatedAt })
    assert.equal((await hooks.call(whose, 'DELETE', `/endpoints/${endpoint.id}`)).status, 204)
    assert.equal((await hooks.call(whose, 'DELETE', `/endpoints/${endpoint.id}`)).status, 404)
    assert.equal((await hooks.call(whose, 'GET', `/endpoints/${endpoint.id}`)).status, 404)
    const { actions } = await one(
      app.platform,
      sql<{
        actions: string[]
      }>`select array_agg(action order by action) as actions from audit_log where target_id = ${endpoint.id}`,
    )
    assert.deepEqual(actions, ['webhookEndpoint.create', 'webhookEndpoint.delete', 'webhookEndpoint.update'])
  })

  test('a PATCH that changes nothing leaves no trace', async () => {
    const whose = await hooks.subscriber()
    const { endpoint } = (await create(whose, { eventTypes: ['license.*'] })).body
    app.clock.advance({ seconds: 1 })
    const reply = await hooks.call(whose, 'PATCH', `/endpoints/${endpoint.id}`, { url, eventTypes: ['license.*'] })
    assert.deepEqual(reply.body.endpoint, endpoint)
  })

  test('no endpoint can be made or moved to an address that is not public', async () => {
    const whose = await hooks.subscriber()
    const { endpoint } = (await create(whose)).body
    for (const hostile of hostileUrls(8443)) {
      const reply = await create(whose, { url: hostile })
      assert.deepEqual([reply.status, reply.body.errors?.[0].path], [400, '/body/url'], hostile)
      assert.equal(
        (await hooks.call(whose, 'PATCH', `/endpoints/${endpoint.id}`, { url: hostile })).status,
        400,
        hostile,
      )
    }
    assert.equal((await hooks.get(whose, endpoint)).url, url)
  })

  test('a filter that no event matches is refused, with those near it', async () => {
    const whose = await hooks.subscriber()
    for (const filter of ['license', 'licence.*', 'license.*.x', '*', 'LICENSE.*', 'tenant.user'])
      assert.equal((await create(whose, { eventTypes: [filter] })).status, 400, filter)
    const { body } = await create(whose, { eventTypes: ['license.*', 'User.Created'] })
    assert.equal(body.errors[0].path, '/body/eventTypes/1')
    assert.match(body.detail, /Near it: `tenant\.user\.created`/)
    for (const filter of ['license.*', 'tenant.user.*', 'meeting.created'])
      assert.equal((await create(whose, { eventTypes: [filter] })).status, 201, filter)
  })

  test("another tenant's endpoint looks like one that never existed, whatever is asked of it", async () => {
    const [whose, other] = [await hooks.subscriber(), await hooks.subscriber()]
    const { endpoint } = (await create(whose)).body
    const unknown = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
    const asked: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { url }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/enable'],
      ['POST', '/test', {}],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${unknown}/resend`],
      ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
    ]
    for (const [method, path, body] of asked) {
      const replies = await Promise.all(
        [endpoint.id, unknown, 'nonsense'].map((id) => hooks.call(other, method, `/endpoints/${id}${path}`, body)),
      )
      const told = replies.map(({ status, body }) => [status, body.code, body.detail])
      assert.deepEqual(told, [told[1], told[1], told[1]])
      assert.equal(told[0]?.[0], 404, `${method} ${path}`)
    }
    assert.deepEqual(await hooks.get(whose, endpoint), endpoint)
    assert.deepEqual((await hooks.call(other, 'GET', '/endpoints')).body.endpoints, [])
  })

  test('an API key alone, which apps carry, and a user without the role ADMIN neither see nor change them', async () => {
    const whose = await hooks.subscriber()
    const { endpoint } = (await create(whose)).body
    const { headers: plainUser } = await app.user(whose.key)
    const asked: [string, string, unknown?][] = [
      ['GET', ''],
      ['POST', '', { url }],
      ['PATCH', `/${endpoint.id}`, { url: 'https://stranger.example.com/' }],
      ['DELETE', `/${endpoint.id}`],
      ['POST', `/${endpoint.id}/rotate-secret`],
      ['GET', `/${endpoint.id}/deliveries`],
      ['POST', `/${endpoint.id}/test`, {}],
    ]
    for (const [method, path, body] of asked) {
      const byKey = await hooks.call({ headers: { 'x-api-key': whose.key.key } }, method, `/endpoints${path}`, body)
      const byUser = await hooks.call({ headers: plainUser }, method, `/endpoints${path}`, body)
      assert.deepEqual([byKey.body.code, byUser.body.code], ['TOKEN_MISSING', 'INSUFFICIENT_ROLE'], `${method} ${path}`)
    }
    assert.deepEqual(await hooks.get(whose, endpoint), endpoint)
  })

  test('an administrator keeps those of a tenant, and of no tenant there are none', async () => {
    const whose = await hooks.subscriber()
    const at = (tenantId: string) => `/admin/tenants/${tenantId}/webhooks/endpoints`
    const call = (method: string, path: string, body?: unknown) =>
      app.call({ method, url: path, headers: app.admin, ...(body === undefined ? {} : { body }) })
    const made = await call('POST', at(whose.tenant.id), { url })
    assert.deepEqual([made.status, made.headers.location], [201, `${at(whose.tenant.id)}/${made.body.endpoint.id}`])
    assert.deepEqual(await hooks.get(whose, made.body.endpoint), made.body.endpoint)
    const { tenant: other } = await hooks.subscriber()
    for (const tenantId of [other.id, '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57', 'nonsense'])
      assert.equal((await call('GET', `${at(tenantId)}/${made.body.endpoint.id}`)).status, 404)
    assert.equal((await call('GET', at('nonsense'))).status, 404)
    assert.equal((await call('DELETE', `${at(whose.tenant.id)}/${made.body.endpoint.id}`)).status, 204)
    assert.deepEqual((await hooks.call(whose, 'GET', '/endpoints')).body.endpoints, [])
  })

  test('of those who ask at once for the last endpoint of a tenant one gets it', async () => {
    const whose = await hooks.subscriber()
    for (let made = 0; made < 19; made++) assert.equal((await create(whose)).status, 201)
    const replies = await Promise.all(Array.from({ length: 6 }, () => create(whose)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 403, 403, 403, 403, 403])
    assert.equal(replies.find(({ status }) => status === 403)?.body.code, 'QUOTA_EXCEEDED')
  })

  test('a repeated request makes one endpoint and gets the same secret', async () => {
    const whose = await hooks.subscriber()
    const headers = { ...whose.headers, 'idempotency-key': unique('once') }
    const replies = await Promise.all([0, 1].map(() => hooks.call({ headers }, 'POST', '/endpoints', { url })))
    const again = await hooks.call({ headers }, 'POST', '/endpoints', { url })
    assert.equal(again.body.secret, replies.find(({ status }) => status === 201)?.body.secret)
    assert.equal((await hooks.call(whose, 'GET', '/endpoints')).body.pagination.total, 1)
  })

  test('anybody can list the events; each has an example of its body, which is thin', async () => {
    const { eventTypes } = (await app.call({ url: '/v1/webhooks/event-types' })).body
    assert.deepEqual(
      eventTypes.map(({ type }: { type: string }) => type),
      eventTypeNames,
    )
    for (const { type, example } of eventTypes) {
      assert.equal(example.type, type)
      for (const name of Object.keys(example.data))
        assert.match(
          name,
          /Id$|^(path|reason|product|mode|role|expiresAt|meter|percent|window|scope|used|limit|version)$/,
        )
    }
  })
})
