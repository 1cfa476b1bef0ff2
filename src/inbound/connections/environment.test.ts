import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, unique } from '../../../test/harness/app.ts'
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
import { resolveTenant } from '../../identity/tenants/tenant.store.ts'
import type { SchemeName } from '../scheme.ts'
import { listEnvironmentCandidates } from './connection.store.ts'

const inbox = `${webhooks}/inbound/issue-tracker`
const secretOf = (name: string) => {
  const text = `${name}-secret-of-the-environment`
  noteSecret({ text, what: 'a secret of a provider', issuedBy: 'the environment' })
  return text
}

describe('a secret in the environment', () => {
  let owner: TestUser
  let tenantId: string
  /** Its environment is empty: tenants that it creates change no connection. */
  let plain: InboundApp
  let first: InboundApp
  /** A process whose environment says so. */
  const processWith = (values: [SchemeName, string][], tenant: string | null = tenantId, said: string[] = []) => {
    const note = (_: object, message: string) => void said.push(message)
    return inboundApp({
      log: { info: () => undefined, warn: note, error: note },
      inbound: { environment: { tenant, values: new Map(values) } },
    })
  }
  const connectionsOf = async (app: TestApp, whose: TestUser) =>
    (await app.call({ url: `/admin/tenants/${whose.tenantId}/webhooks/connections`, headers: app.admin })).body
      .connections
  const send = (app: InboundApp, key: string, secret: string, url = inbox) =>
    deliver(app, url, signed({ key, entity: 'e' }, secret))

  before(async () => {
    plain = await inboundApp()
    owner = await tenantAdministrator(plain)
    tenantId = owner.tenantId
    first = await processWith([['github', secretOf('first')]])
  })

  test('accepts deliveries to the plain address for the named tenant', async () => {
    const reply = await send(first, 'plain', secretOf('first'))
    assert.deepEqual([reply.status, reply.body.status], [200, 'accepted'])
    await first.settled()
    assert.ok(first.done.includes('plain'))
    const [connection, ...more] = await connectionsOf(first, owner)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [connection.scheme, connection.isEnvironment, connection.hasSecret, connection.status],
      ['github', true, true, 'active'],
    )
    assert.equal((await send(first, 'path', secretOf('first'), connection.path)).status, 200)
  })

  test('does not lose anything of its limit to wrong signatures, which get the usual 401', async () => {
    const limits = { connectionMax: 3, strangersMax: 1000 }
    const environment = { tenant: tenantId, values: new Map([['github', secretOf('first')] as const]) }
    const app = await inboundApp({ inbound: { environment, limits } })
    for (let sent = 0; sent < 5; sent++) {
      const reply = await send(app, `forged ${sent}`, 'another secret altogether')
      assert.deepEqual([reply.status, reply.body.code], [401, 'SIGNATURE_INVALID'])
    }
    assert.equal((await send(app, 'genuine', secretOf('first'))).status, 200)
  })

  test('that changed before a restart is valid from then on, and the previous one for a day', async () => {
    const [{ id }] = await connectionsOf(first, owner)
    const second = await processWith([['github', secretOf('second')]])
    const [{ path }] = await connectionsOf(first, owner)
    assert.equal((await send(second, 'new secret by the path', secretOf('second'), path)).status, 200)
    assert.equal((await send(second, 'new secret', secretOf('second'))).status, 200)
    assert.equal((await send(second, 'old secret', secretOf('first'))).status, 200)
    second.clock.advance({ seconds: 86_401 })
    assert.equal((await send(second, 'too old', secretOf('first'))).status, 401)
    const connections = await connectionsOf(second, owner)
    assert.deepEqual(
      connections.map((connection: { id: string }) => connection.id),
      [id],
    )
  })

  test('makes one connection, however many processes and deliveries begin at once', async () => {
    const fresh = await tenantAdministrator(plain)
    const processes = await Promise.all(
      Array.from({ length: 3 }, () => processWith([['github', secretOf('third')]], fresh.tenantId)),
    )
    const replies = await Promise.all(
      processes.flatMap((app, at) =>
        Array.from({ length: 4 }, (_, index) => send(app, `${at} ${index}`, secretOf('third'))),
      ),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(12).fill(200),
    )
    assert.equal((await connectionsOf(first, fresh)).length, 1)
    assert.equal((await connectionsOf(first, owner)).length, 0, 'that of the tenant before has ended')
  })

  test('is only changed and removed in the environment; its connection exists from the start and can be paused', async () => {
    const fresh = await tenantAdministrator(plain)
    const app = await processWith([['github', secretOf('fourth')]], fresh.tenantId)
    const [{ id, path }] = await connectionsOf(app, fresh)
    const call = (method: string, path: string, body?: object) =>
      app.call({ method, url: `${webhooks}/connections/${id}${path}`, headers: fresh.headers, ...(body && { body }) })
    for (const reply of [
      await call('PATCH', '', { name: 'Mine' }),
      await call('POST', '/rotate-secret', {}),
      await call('DELETE', ''),
    ])
      assert.deepEqual([reply.status, reply.body.code], [409, 'STATE_CONFLICT'])
    assert.equal((await call('POST', '/pause', {})).status, 200)
    assert.equal((await send(app, 'while paused', secretOf('fourth'))).status, 401)
    assert.equal((await call('POST', '/resume', {})).status, 200)
    const without = await inboundApp()
    assert.equal((await connectionsOf(without, fresh)).length, 0)
    for (const url of [inbox, path])
      assert.equal((await send(without, 'afterwards', secretOf('fourth'), url)).status, 401)
  })

  test('keeps its deliveries where another tenant has the same account and secret, also while it is paused', async () => {
    const [fresh, stranger] = [await tenantAdministrator(plain), await tenantAdministrator(plain)]
    const secret = secretOf('proved by two')
    const app = await processWith([['github', secret]], fresh.tenantId)
    await createConnection(app, stranger, { account: 'claimed of the environment', secret })
    const claimed = (key: string) => deliver(app, inbox, signed({ key, account: 'claimed of the environment' }, secret))
    const deliveriesOf = async ({ headers }: TestUser) =>
      (await app.call({ url: `${webhooks}/deliveries`, headers })).body.deliveries
    assert.equal((await claimed('claimed by another')).status, 200)
    assert.deepEqual((await deliveriesOf(fresh)).length, 1)
    const [{ id }] = await connectionsOf(app, fresh)
    await app.call({ method: 'POST', url: `${webhooks}/connections/${id}/pause`, headers: fresh.headers })
    assert.equal((await claimed('while paused')).status, 401)
    assert.deepEqual(await deliveriesOf(stranger), [])
  })

  test('has no effect where there are several tenants and none is named', async () => {
    assert.equal(await resolveTenant(first.platform, null), null)
    assert.equal(await resolveTenant(first.platform, tenantId), tenantId)
    assert.equal(await resolveTenant(first.platform, 'no-such-tenant'), null)
    const app = await processWith([['github', secretOf('fifth')]], null)
    assert.equal((await send(app, 'whose', secretOf('fifth'))).status, 401)
  })

  test('applies to a tenant as soon as it is created, and ends when it is deleted', async () => {
    const slug = unique('late')
    const app = await processWith([['github', secretOf('seventh')]], slug)
    assert.equal((await send(app, 'too early', secretOf('seventh'))).status, 401)
    const { id } = await app.tenant({ slug })
    assert.equal((await send(app, 'in time', secretOf('seventh'))).status, 200)
    const removed = await app.call({
      method: 'DELETE',
      url: `/admin/tenants/${id}?confirm=${slug}`,
      headers: app.admin,
    })
    assert.equal(removed.status, 204)
    assert.equal((await send(app, 'too late', secretOf('seventh'))).status, 401)
    assert.deepEqual(await listEnvironmentCandidates(app.platform), [])
  })

  test('without a tenant is logged, once as long as that lasts', async () => {
    for (const [tenant, why] of [
      [null, /there are several tenants and INBOUND_TENANT names none/],
      ['no-such-tenant', /no tenant matches INBOUND_TENANT/],
    ] as const) {
      const said: string[] = []
      const app = await processWith([['github', secretOf('of nobody')]], tenant, said)
      await app.tenant()
      await send(app, 'unheard', secretOf('of nobody'))
      assert.equal(said.length, 1)
      assert.match(said[0] as string, why)
    }
  })

  test('for an unknown provider stops the start, and the error lists the known ones', async () => {
    const environment = { tenant: null, values: new Map([['gitlab', secretOf('sixth')]]) }
    await assert.rejects(
      inboundApp({ inbound: { environment } }),
      /the unknown scheme gitlab. Known schemes: jira-hmac, /,
    )
  })
})
