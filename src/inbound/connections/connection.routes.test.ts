import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestUser, unique } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import {
  createConnection,
  deliver,
  type InboundApp,
  inboundApp,
  signed,
  tenantAdministrator,
  webhooks,
} from '../../../test/harness/inbound.ts'
import { noteSecret } from '../../../test/harness/suite-secrets.ts'
import { newId } from '../../kernel/ids.ts'

describe('the connections of a tenant', () => {
  let app: InboundApp
  let owner: TestUser
  before(async () => {
    app = await inboundApp()
    owner = await tenantAdministrator(app)
  })

  const ask = (method: string, path: string, { body, user = owner }: { body?: unknown; user?: TestUser } = {}) =>
    app.call({ method, url: `${webhooks}/connections${path}`, headers: user.headers, ...(body ? { body } : {}) })
  const statusWith = async (path: string, secret: string) =>
    (await deliver(app, path, signed({ key: unique('k'), entity: 'a' }, secret))).status

  test('a generated secret is shown once, and one that was sent never', async () => {
    const generated = await ask('POST', '', { body: { scheme: 'github', name: 'Made' } })
    assert.equal(generated.status, 201)
    assert.match(generated.body.secret, /^[\w-]{43}$/)
    assert.equal(generated.headers['location'], `${webhooks}/connections/${generated.body.connection.id}`)
    const secret = unique('given-to-us')
    noteSecret({ text: secret, what: 'the secret of a connection', issuedBy: 'a test' })
    const given = await ask('POST', '', { body: { scheme: 'github', name: 'Given', secret } })
    assert.equal('secret' in given.body, false)
    assert.equal(await statusWith(given.body.connection.path, secret), 200)
    for (const path of ['', `/${generated.body.connection.id}`]) {
      const text = (await ask('GET', path)).bytes.toString()
      assert.ok(!text.includes(generated.body.secret) && !text.includes(secret))
    }
  })

  test('an unavailable scheme and a short secret are refused, and the error names the member', async () => {
    const refused = [
      [{ scheme: 'slack', name: 'x', secret: 'long enough' }, '/body/scheme'],
      [{ scheme: 'github', name: 'x', secret: 'short' }, '/body/secret'],
      [{ scheme: 'github', name: ' ' }, '/body/name'],
    ] as const
    for (const [body, path] of refused) {
      const reply = await ask('POST', '', { body })
      assert.deepEqual([reply.status, reply.body.errors[0].path], [400, path])
    }
  })

  test('after a rotation two secrets are valid until the overlap ends, and a third ends the first at once', async () => {
    const { id, path, secret: first } = await createConnection(app, owner)
    const rotate = async (body: object = {}) => (await ask('POST', `/${id}/rotate-secret`, { body })).body
    const { secret: second, connection } = await rotate({ overlapSeconds: 600 })
    assert.equal(new Date(connection.previousSecretUntil).getTime(), app.clock.now().getTime() + 600_000)
    assert.deepEqual([await statusWith(path, first), await statusWith(path, second)], [200, 200])
    const { secret: third } = await rotate({ overlapSeconds: 600 })
    assert.deepEqual(
      [await statusWith(path, first), await statusWith(path, second), await statusWith(path, third)],
      [401, 200, 200],
    )
    app.clock.advance({ seconds: 600 })
    assert.deepEqual([await statusWith(path, second), await statusWith(path, third)], [401, 200])
    assert.equal((await ask('GET', `/${id}`)).body.connection.previousSecretUntil, null)
    const { secret: fourth } = await rotate({ overlapSeconds: 0 })
    assert.deepEqual([await statusWith(path, third), await statusWith(path, fourth)], [401, 200])
  })

  test('a paused connection accepts nothing until it is resumed', async () => {
    const { id, path, secret } = await createConnection(app, owner)
    assert.equal((await ask('POST', `/${id}/pause`)).body.connection.status, 'paused')
    assert.equal(await statusWith(path, secret), 401)
    assert.equal((await ask('POST', `/${id}/resume`)).body.connection.status, 'active')
    assert.equal(await statusWith(path, secret), 200)
  })

  test('a test handles a signed sample like a delivery and returns the result', async () => {
    const { id } = await createConnection(app, owner)
    const reply = await ask('POST', `/${id}/test`)
    const { isVerified, status, deliveryId, cause, effects } = reply.body
    assert.deepEqual([reply.status, isVerified, status, cause, effects.length], [200, true, 'processed', null, 1])
    const times = () => app.begun.filter((key) => key === reply.body.deliveryId).length
    await app.settled()
    assert.equal(times(), 0)
    const delivery = await app.call({ url: `${webhooks}/deliveries/${deliveryId}`, headers: owner.headers })
    assert.deepEqual([delivery.body.delivery.status, delivery.body.delivery.attempts], ['processed', 1])
    await ask('POST', `/${id}/pause`)
    const paused = (await ask('POST', `/${id}/test`)).body
    assert.deepEqual([paused.isVerified, paused.status, paused.cause], [false, 'rejected', 'CONNECTION_PAUSED'])
  })

  test('an update changes only the members that are sent, and is in the audit log without a secret', async () => {
    const { id, secret } = await createConnection(app, owner, { settings: { login: 'bot' }, account: 'acme' })
    const changed = await ask('PATCH', `/${id}`, { body: { name: 'Renamed', account: null } })
    const { name, account, settings } = changed.body.connection
    assert.deepEqual([name, account, settings], ['Renamed', null, { login: 'bot' }])
    await ask('POST', `/${id}/rotate-secret`, { body: {} })
    await ask('POST', `/${id}/pause`)
    assert.equal((await ask('DELETE', `/${id}`)).status, 204)
    const entries = await auditOfTarget(app, id)
    assert.deepEqual(entries.map(({ action }) => action).sort(), [
      'webhook.connection.create',
      'webhook.connection.delete',
      'webhook.connection.pause',
      'webhook.connection.rotate-secret',
      'webhook.connection.update',
    ])
    assert.ok(!JSON.stringify(entries).includes(secret))
  })

  test("another tenant's connection and delivery answer like ones that never existed, on every route", async () => {
    const { id, path, secret } = await createConnection(app, owner)
    const { body } = await deliver(app, path, signed({ key: unique('k') }, secret))
    const stranger = await tenantAdministrator(app)
    const unknown = newId(app.clock.now())
    const routes = app.routes.filter(
      ({ path: each, access }) => each.startsWith(webhooks) && each.includes('Id') && access.kind === 'endUser',
    )
    assert.ok(routes.length >= 8)
    for (const { method, path: each } of routes) {
      const to = (connectionId: string, deliveryId: string) =>
        app.call({
          method,
          url: each.replace(':connectionId', connectionId).replace(':deliveryId', deliveryId),
          headers: stranger.headers,
          ...(each.endsWith('rotate-secret') || method === 'PATCH' ? { body: { name: 'x', overlapSeconds: 0 } } : {}),
        })
      const [foreign, absent] = [await to(id, body.deliveryId), await to(unknown, unknown)]
      const { requestId: _, ...told } = foreign.body
      const { requestId: __, ...toldOfAbsent } = absent.body
      assert.deepEqual([foreign.status, told], [absent.status, toldOfAbsent], `${method} ${each}`)
      assert.ok(foreign.status >= 400)
    }
    assert.equal(await statusWith(path, secret), 200)
    const url = `/admin/tenants/${stranger.tenantId}/webhooks/connections/${id}`
    assert.equal((await app.call({ url, headers: app.admin })).status, 404)
  })

  test('an administrator of the platform can do the same for any tenant, and an unknown tenant is not found', async () => {
    const base = `/admin/tenants/${owner.tenantId}/webhooks/connections`
    const body = { scheme: 'github', name: 'By the operator' }
    const made = await app.call({ method: 'POST', url: base, headers: app.admin, body })
    assert.equal(made.status, 201)
    assert.equal(made.headers['location'], `${base}/${made.body.connection.id}`)
    assert.equal((await ask('GET', `/${made.body.connection.id}`)).status, 200)
    const nowhere = `/admin/tenants/${newId(app.clock.now())}/webhooks/connections`
    assert.equal((await app.call({ method: 'POST', url: nowhere, headers: app.admin, body })).status, 404)
    assert.equal((await app.call({ url: nowhere, headers: app.admin })).status, 404)
  })

  test('concurrent creations do not exceed the limit', async () => {
    const busy = await tenantAdministrator(app)
    const create = () => ask('POST', '', { body: { scheme: 'github', name: 'One of many' }, user: busy })
    const replies = await Promise.all(Array.from({ length: 104 }, create))
    const statuses = Object.groupBy(replies, ({ status }) => status)
    assert.deepEqual([statuses[201]?.length, statuses[403]?.length], [100, 4])
    assert.equal(statuses[403]?.[0]?.body.code, 'QUOTA_EXCEEDED')
  })
})
