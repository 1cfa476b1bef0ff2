import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, testLimits } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { eventBus } from '../../storage/events.ts'
import type { Handle } from '../../storage/handle.ts'
import { many, sql } from '../../storage/query.ts'
import { createSecrets } from '../../storage/secrets.ts'
import { tenantQuotas } from '../../usage/quotas/quota.store.ts'
import { generateKeyPair } from '../wireguard/keys.ts'
import { deviceKeys } from './device-keys.ts'
import { registrationService } from './registration.service.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const status = ({ status }: Reply) => status
const usersOf = async (count: number, limits: Record<string, number> = {}): Promise<TestUser[]> => {
  const key = await app.apiKey(await app.tenant({ limits }))
  return Promise.all(Array.from({ length: count }, () => app.user(key)))
}

describe('devices of one tenant that are registered at once', () => {
  test('are each recorded as registered by their own user', async () => {
    const users = await usersOf(4)
    const replies = await Promise.all(users.flatMap((user) => [vpn.register(user), vpn.register(user)]))
    assert.deepEqual([...new Set(replies.map(status))], [201])
    for (const [index, { body }] of replies.entries())
      assert.equal(body.device.userId, users[Math.floor(index / 2)]?.id)
    const entries = await many(
      app.platform,
      sql<{
        actorId: string
        targetId: string
        requestId: string
      }>`select actor_id as "actorId", target_id as "targetId",
          request_id as "requestId" from audit_log
        where action = 'device.create' and tenant_id = ${users[0]?.tenantId ?? ''}`,
    )
    assert.deepEqual(
      new Set(entries.map(({ actorId, targetId }) => `${actorId} ${targetId}`)),
      new Set(replies.map(({ body }) => `${body.device.userId} ${body.device.id}`)),
    )
    assert.equal(new Set(entries.map(({ requestId }) => requestId)).size, replies.length)
  })

  test('are refused one by one: a key that another device has, a user without room, a suspended user', async () => {
    const [one, two, three] = (await usersOf(3, { maxDevicesPerUser: 2 })) as [TestUser, TestUser, TestUser]
    const { publicKey } = generateKeyPair()
    assert.equal((await vpn.register(three, { publicKey })).status, 201)
    const [taken, ...others] = await Promise.all([
      vpn.register(one, { publicKey }),
      ...[one, two, one, two, two, one].map((user) => vpn.register(user)),
    ])
    assert.deepEqual(codeOf(taken as Reply), [409, 'STATE_CONFLICT'])
    assert.deepEqual(others.map(status), [201, 201, 201, 201, 403, 403])
    for (const reply of others.slice(4)) assert.deepEqual(codeOf(reply), [403, 'QUOTA_EXCEEDED'])
  })

  test('are refused one by one also where an endpoint of the tenant hears of each', async () => {
    const [user] = (await usersOf(1)) as [TestUser]
    const endpoint = { method: 'POST', headers: app.admin, body: { url: 'https://example.com/hook' } }
    const url = `/admin/tenants/${user.tenantId}/webhooks/endpoints`
    assert.equal((await app.call({ ...endpoint, url })).status, 201)
    const { publicKey } = generateKeyPair()
    assert.equal((await vpn.register(user, { publicKey })).status, 201)
    const asked = [{}, {}, { publicKey }, {}, { publicKey }, {}]
    const replies = await Promise.all(asked.map((body) => vpn.register(user, body)))
    assert.deepEqual(replies.map(status), [201, 201, 409, 201, 409, 201])
  })

  test('get what room there is, although it is not enough for all of them', async () => {
    const { id, region } = await vpn.server({ capacity: 5 })
    const [user] = (await usersOf(1)) as [TestUser]
    const replies = await Promise.all(Array.from({ length: 8 }, () => vpn.register(user, { region })))
    assert.deepEqual(replies.map(status).sort(), [201, 201, 201, 201, 201, 409, 409, 409])
    assert.equal((await vpn.countsOf(id))?.active, 5)
  })

  test('do not wait for those of another tenant that is locked', async () => {
    const [[waiting], [other]] = [await usersOf(1), await usersOf(1)] as unknown as [[TestUser], [TestUser]]
    if (process.env['ATRIUM_TEST_DATABASE'] !== 'postgres') return // PGlite runs one transaction at a time
    const held = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const holding = app.platform.handle.transaction(async (handle) => {
      await handle.execute(sql`select from tenants where id = ${waiting.tenantId} for update`)
      held.resolve()
      await mayEnd.promise
    })
    await held.promise
    const stuck = Promise.all(Array.from({ length: 20 }, () => vpn.register(waiting)))
    assert.equal((await vpn.register(other)).status, 201)
    mayEnd.resolve()
    await holding
    assert.deepEqual([...new Set((await stuck).map(status))], [201])
  })
})

describe('the cost of a registration', () => {
  /** Counts transactions and the statements in them. */
  const counting = (handle: Handle) => {
    const counts = { transactions: 0, statements: 0 }
    const counted = (inner: Handle): Handle => ({
      ...inner,
      execute: (statement) => {
        counts.statements += 1
        return inner.execute(statement)
      },
      readPipelined: (statement) => {
        counts.statements += 1
        return inner.readPipelined(statement)
      },
      transaction: (work) => {
        counts.transactions += 1
        return inner.transaction((tx) => work(counted(tx)))
      },
    })
    return { counts, handle: counted(handle) }
  }
  const registering = async () => {
    const [user] = (await usersOf(1)) as [TestUser]
    const { counts, handle } = counting(app.platform.handle)
    const register = registrationService({
      clock: app.clock,
      events: eventBus(),
      audit: async () => undefined,
      quotas: tenantQuotas(testLimits),
      keys: deviceKeys(createSecrets(Buffer.alloc(32, 7))),
      builtInServer: { publicKey: null } as never,
    })
    const scope = { ...app.scopeOf(user.tenantId), handle }
    return { counts, register: () => register(scope, user.id, { deviceName: 'laptop', deviceType: 'LINUX' }) }
  }

  test('is one transaction of four statements, beside those of the audit log and of events', async () => {
    const { counts, register } = await registering()
    await register()
    assert.deepEqual(counts, { transactions: 1, statements: 4 })
  })

  test('is shared by all that arrive while another one runs', async () => {
    const { counts, register } = await registering()
    await Promise.all(Array.from({ length: 40 }, register))
    assert.ok(counts.transactions <= 2, `${counts.transactions} transactions`)
    assert.ok(counts.statements <= 40 + 3 * counts.transactions, `${counts.statements} statements`)
  })
})
