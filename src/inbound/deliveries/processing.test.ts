import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Reply, TestUser } from '../../../test/harness/app.ts'
import { catchUp } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import {
  createConnection,
  deliver,
  type InboundApp,
  inboundApp,
  signed,
  type TestConnection,
  tenantAdministrator,
  webhooks,
} from '../../../test/harness/inbound.ts'
import { run, sql } from '../../storage/query.ts'

describe('what a stored delivery leads to', () => {
  let app: InboundApp
  let owner: TestUser
  let connection: TestConnection
  before(async () => {
    app = await inboundApp()
    owner = await tenantAdministrator(app)
    connection = await createConnection(app, owner)
  })

  const send = async (payload: Parameters<typeof signed>[0], to = connection): Promise<string> => {
    const { status, body } = await deliver(app, to.path, signed(payload, to.secret))
    assert.equal(status, 200)
    return body.deliveryId
  }
  // As an administrator of the platform, whose key outlives the hours that the clock is moved by.
  const deliveriesOf = ({ tenantId }: TestUser) => `/admin/tenants/${tenantId}/webhooks/deliveries`
  const read = async (id: string, user = owner) =>
    (await app.call({ url: `${deliveriesOf(user)}/${id}`, headers: app.admin })).body.delivery
  const replay = (id: string): Promise<Reply> =>
    app.call({ method: 'POST', url: `${deliveriesOf(owner)}/${id}/replay`, headers: app.admin })
  const connect = async () => createConnection(app, await loggedIn())
  const loggedIn = async (): Promise<TestUser> => {
    const { email, password, headers } = owner
    const account = {
      method: 'POST',
      url: '/vault/v1/auth/login',
      headers: { 'x-api-key': headers['x-api-key'] ?? '' },
    }
    const { body } = await app.call({ ...account, body: { email, password } })
    return { ...owner, headers: { ...headers, authorization: `Bearer ${body.accessToken}` } }
  }
  const doneOf = (...keys: string[]) => app.done.filter((key) => keys.includes(key))
  /** Past every wait between two tries. */
  const later = async (times = 1) => {
    for (let index = 0; index < times; index++) {
      catchUp(app.clock)
      app.clock.advance({ seconds: 3600 })
      await app.settled()
    }
  }

  test('a delivery is read before its transaction begins', async (t) => {
    const read: string[] = []
    // Of its own, so that no other app of this process takes the job.
    const database = await freshDatabase()
    t.after(() => database.close())
    const other = await inboundApp({
      database,
      inbound: {
        // Inside a transaction, the scope outside of it throws.
        process: async ({ entityKey }) => {
          await run(other.platform, sql`select 1`)
          return async () => {
            read.push(entityKey)
            return { kind: 'ignored', reason: 'Only read.' }
          }
        },
      },
    })
    const { path, secret } = await createConnection(other, await tenantAdministrator(other))
    await deliver(other, path, signed({ key: 'outside', entity: 'outside' }, secret))
    await other.settled()
    assert.deepEqual(read, ['outside'])
  })

  test('after a fault between storing and processing the effect still happens, once', async () => {
    app.failures.set('shaky', 1)
    const id = await send({ key: 'shaky', entity: 'shaky' })
    await app.settled()
    const failed = await read(id)
    assert.deepEqual([failed.status, failed.attempts, failed.cause], ['retrying', 1, 'FAILED'])
    assert.equal(failed.detail, 'It does not work yet.')
    await later()
    assert.deepEqual(doneOf('shaky'), ['shaky'])
    const done = await read(id)
    assert.deepEqual([done.status, done.attempts, done.cause], ['processed', 2, null])
    assert.deepEqual(
      done.timeline.map(({ event }: { event: string }) => event),
      ['received', 'retrying', 'processed'],
    )
  })

  test('a delivery whose process is killed in its last attempt is dead and can be replayed', async () => {
    const id = await send({ key: 'killer', entity: 'killer' })
    const next = await send({ key: 'after the killer', entity: 'killer' })
    const killed = sql`update jobs.job_common set state = 'active', retry_count = retry_limit, started_on = jobs.job_now(),
      heartbeat_on = jobs.job_now() - interval '31 seconds' where data ->> 'deliveryId' = ${id}`
    assert.equal(await run(app.platform, killed), 1)
    await app.app.jobs.recover()
    const { status, attempts, cause, detail } = await read(id)
    assert.deepEqual([status, attempts, cause, detail], ['dead', 6, 'FAILED', 'The process ended while the job ran.'])
    await app.settled()
    assert.equal((await read(next)).status, 'processed', 'what is behind it goes on')
    assert.equal((await replay(id)).status, 202)
    await app.settled()
    assert.deepEqual([(await read(id)).status, ...doneOf('killer')], ['processed', 'killer'])
  })

  test('the events of one entity keep their order even if the first fails, and other entities do not wait', async () => {
    app.failures.set('ordered', 2)
    for (const key of ['A0', 'A1', 'A2']) await send({ key, entity: 'ordered' })
    await send({ key: 'B0', entity: 'other' })
    await app.settled()
    assert.deepEqual(doneOf('A0', 'A1', 'A2', 'B0'), ['B0'])
    await later(2)
    assert.deepEqual(doneOf('A0', 'A1', 'A2', 'B0'), ['B0', 'A0', 'A1', 'A2'])
  })

  test('a delivery that can never be processed is dead at once and does not block its entity', async () => {
    const id = await send({ key: 'D0', entity: 'unprocessable' })
    const next = await send({ key: 'D1', entity: 'unprocessable' })
    await app.settled()
    for (const dead of [await read(id), await read(next)]) {
      assert.deepEqual([dead.status, dead.attempts, dead.cause], ['dead', 1, 'UNPROCESSABLE'])
      assert.equal(dead.detail, 'Nobody can use this.')
    }
  })

  test('after its last attempt a delivery is dead, and the next one is processed', async () => {
    app.failures.set('broken', 6)
    const id = await send({ key: 'E0', entity: 'broken' })
    await send({ key: 'E1', entity: 'broken' })
    await later(8)
    const dead = await read(id)
    assert.deepEqual([dead.status, dead.attempts, dead.cause], ['dead', 6, 'FAILED'])
    assert.deepEqual(doneOf('E0', 'E1'), ['E1'])
    assert.equal((await replay(id)).status, 202)
    await app.settled()
    assert.deepEqual(doneOf('E0', 'E1'), ['E1', 'E0'])
    assert.equal((await read(id)).status, 'processed')
  })

  test('a delivery without an effect is ignored with its reason', async () => {
    const id = await send({ key: 'bored', entity: 'c', type: 'boring' })
    await app.settled()
    const { status, detail, effects } = await read(id)
    assert.deepEqual([status, detail, effects], ['ignored', 'Boring.', []])
  })

  test("a flood of one tenant does not delay another tenant's delivery", async () => {
    const small = await tenantAdministrator(app)
    const theirs = await createConnection(app, small)
    for (let index = 0; index < 80; index++) await send({ key: `flood ${index}`, entity: `${index}` })
    const id = await send({ key: 'small', entity: 'small' }, theirs)
    await app.settled()
    const order = app.done.filter((key) => key === 'small' || key.startsWith('flood'))
    assert.equal(order.length, 81)
    assert.ok(order.indexOf('small') < 40, `as number ${order.indexOf('small')}`)
    assert.equal((await read(id, small)).status, 'processed')
  })

  test('a subscription is confirmed once, by a job', async () => {
    const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription'
    const id = await send({ key: 'confirm', confirm: url })
    await send({ key: 'confirm', confirm: url })
    assert.deepEqual(app.confirmed, [])
    await app.settled()
    assert.deepEqual(app.confirmed, [url])
    const { kind, status } = await read(id)
    assert.deepEqual([kind, status], ['confirmation', 'processed'])
  })

  test('an accepted delivery is processed even if its connection is deleted first', async () => {
    const short = await connect()
    const id = await send({ key: 'short', entity: 'd' }, short)
    const { headers } = await loggedIn()
    await app.call({ method: 'DELETE', url: `${webhooks}/connections/${short.id}`, headers })
    await app.settled()
    assert.equal((await read(id)).status, 'processed')
  })

  test('two concurrent replays count as one, and only deliveries that are done or dead are replayed', async () => {
    const id = await send({ key: 'again', entity: 'e' })
    assert.deepEqual([(await replay(id)).status, (await replay(id)).body.code], [409, 'STATE_CONFLICT'])
    await app.settled()
    const replies = await Promise.all([replay(id), replay(id), replay(id)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 409, 409])
    await app.settled()
    assert.deepEqual(doneOf('again'), ['again', 'again'])
    const refused = (await deliver(app, connection.path, signed({ key: 'no' }, 'wrong'))).status
    assert.equal(refused, 401)
    const list = await app.call({ url: `${deliveriesOf(owner)}?status=rejected`, headers: app.admin })
    assert.equal((await replay(list.body.deliveries[0].id)).status, 409)
  })

  test('dead deliveries are replayed by a filter, a limited number at a time, and a repeated call finds none', async () => {
    const many = await connect()
    for (const entity of ['x', 'y', 'z']) {
      app.failures.set(entity, 6)
      await send({ key: `filter ${entity}`, entity }, many)
    }
    await later(7)
    const replayAll = async (body: object) => {
      const reply = await app.call({ method: 'POST', url: `${deliveriesOf(owner)}/replay`, headers: app.admin, body })
      assert.equal(reply.status, 202)
      return reply.body
    }
    assert.deepEqual(await replayAll({ connectionId: connection.id, from: '2100-01-01T00:00:00Z' }), {
      replayed: 0,
      hasMore: false,
    })
    assert.deepEqual(await replayAll({ connectionId: many.id, limit: 2 }), { replayed: 2, hasMore: true })
    assert.deepEqual(await replayAll({ connectionId: many.id, limit: 2 }), { replayed: 1, hasMore: false })
    assert.deepEqual(await replayAll({ connectionId: many.id }), { replayed: 0, hasMore: false })
    await app.settled()
    assert.deepEqual(doneOf('filter x', 'filter y', 'filter z').sort(), ['filter x', 'filter y', 'filter z'])
  })

  test('a body is erased after 7 days, the delivery after 30, and a deleted connection with it', async () => {
    const old = await inboundApp()
    const person = await tenantAdministrator(old)
    const gone = await createConnection(old, person)
    const { body } = await deliver(old, gone.path, signed({ key: 'old' }, gone.secret))
    await old.settled()
    const get = () => old.call({ url: `${deliveriesOf(person)}/${body.deliveryId}`, headers: old.admin })
    const day = 24 * 3600
    old.clock.advance({ seconds: 6 * day })
    await old.app.housekeep('assistant.')
    assert.equal((await get()).body.delivery.hasBody, true)
    old.clock.advance({ seconds: 2 * day })
    await old.app.housekeep('assistant.')
    assert.equal((await get()).body.delivery.hasBody, false)
    old.clock.advance({ seconds: 23 * day })
    await old.app.housekeep('assistant.')
    assert.equal((await get()).status, 404)
  })
})
