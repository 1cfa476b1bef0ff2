import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, testApp } from '../../test/harness/app.ts'
import { laterDay, utcDay } from '../kernel/period.ts'
import { many, one, run, sql } from '../storage/query.ts'
import { type TenantScope, transaction } from '../storage/scope.ts'
import { meteringService } from './meters/metering.service.ts'
import { countUnsettled } from './unsettled/unsettled.service.ts'
import { forgetUser } from './upkeep/removed-user.store.ts'
import { deleteOldUsage } from './upkeep/retention.store.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('upkeep of usage', () => {
  let app: TestApp
  let key: TestKey
  let scope: TenantScope
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant())
    scope = app.scopeOf(key.tenantId)
  })
  const metering = () =>
    meteringService({
      clock: app.clock,
      planOf: () => sql<string | null>`null::text`,
      planEndOf: () => sql`null::timestamptz`,
      tellReached: async () => undefined,
    })
  const count = (amounts: Record<string, number>, subject = {}) =>
    transaction(scope, (tx) => metering().count(tx, { amounts, ...subject }))
  const countOld = () =>
    countUnsettled(app.platform, {
      ...{ clock: app.clock, log: silent, metering: metering(), signal: AbortSignal.timeout(60_000) },
    })
  const tokens = () =>
    one(
      app.platform,
      sql<{ amount: number; reserved: number }>`select amount, reserved from usage_counters
        where tenant_id = ${key.tenantId} and meter = 'modelTokens' and span = 'month' and scope = 'tenant'`,
    )
  const recount = async () => {
    const url = `/admin/tenants/${key.tenantId}/usage`
    const asked = await app.call({ method: 'POST', url: `${url}/recount`, headers: app.admin })
    assert.deepEqual([asked.status, asked.body.recount.finishedAt], [202, null])
    await app.settled()
    const { status, body } = await app.call({ url: `${url}/recounts/${asked.body.recount.id}`, headers: app.admin })
    assert.equal(status, 200)
    assert.notEqual(body.recount.finishedAt, null)
    return body.recount.differences
  }

  test('a reservation that nobody settles counts as used after ten minutes, once, and is listed', async () => {
    const userId = crypto.randomUUID()
    const forgotten = await metering().reserve(scope, { userId }, 500)
    app.clock.advance({ seconds: 300 })
    const open = await metering().reserve(scope, { userId }, 30)
    assert.ok(forgotten && open)
    await countOld()
    assert.deepEqual(await tokens(), { amount: 0, reserved: 530 })
    app.clock.advance({ seconds: 360 })
    await Promise.all([countOld(), countOld(), countOld()])
    assert.deepEqual(await tokens(), { amount: 500, reserved: 30 })
    assert.equal(await metering().settle(scope, forgotten, 7), false)
    assert.equal(await metering().settle(scope, open, 20), true)
    assert.deepEqual(await tokens(), { amount: 520, reserved: 0 })
    const { body } = await app.call({ url: '/admin/usage/unsettled', headers: app.admin })
    const listed = body.reservations.filter(({ tenantId }: { tenantId: string }) => tenantId === key.tenantId)
    assert.deepEqual(
      listed.map(({ id, tokens: amount }: { id: string; tokens: number }) => [id, amount]),
      [[forgotten.id, 500]],
    )
  })

  test('a recount finds nothing where all was counted, and each counter that is wrong', async () => {
    const [orgId, userId] = [crypto.randomUUID(), crypto.randomUUID()]
    await count({ meetings: 3, asks: 2 }, { orgId, userId })
    await count({ meetings: 1 })
    assert.deepEqual(await recount(), [])
    await run(
      app.platform,
      sql`update usage_counters set amount = 9 where tenant_id = ${key.tenantId} and meter = 'meetings' and scope = 'org'
        and span = 'day'`,
    )
    await run(
      app.platform,
      sql`delete from usage_counters where tenant_id = ${key.tenantId} and meter = 'asks' and scope = 'user'`,
    )
    const seen = ({ meter, scope: of, subjectId, span, counted, expected }: Record<string, unknown>) => [
      meter,
      of,
      subjectId,
      span,
      counted,
      expected,
    ]
    assert.deepEqual((await recount()).map(seen), [
      ['asks', 'user', userId, 'month', 0, 2],
      ['meetings', 'org', orgId, 'day', 9, 3],
    ])
  })

  test('a recount finds meetings that were not counted, and none where some were deleted', async () => {
    let user = await app.user(key)
    const create = async () => {
      const { status, body } = await app.call({
        ...{ method: 'POST', url: '/assistant/v1/meetings', headers: user.headers },
        body: { title: 'Planning' },
      })
      assert.equal(status, 201)
      return body.id
    }
    await create()
    app.clock.advance({ seconds: 24 * 3600 })
    user = await app.user(key) // with a token that has not expired
    const [deleted] = [await create(), await create(), await create()]
    const { status } = await app.call({
      ...{ method: 'DELETE', url: `/assistant/v1/meetings/${deleted}`, headers: user.headers },
    })
    assert.equal(status, 204)
    assert.deepEqual(await recount(), [])
    const day = utcDay(app.clock.now())
    for (const table of [sql`usage_counters set amount = 1`, sql`usage_by_day set amount = 1`])
      await run(app.platform, sql`update ${table} where tenant_id = ${key.tenantId} and meter = 'meetings'`)
    const found = (await recount()).filter(
      ({ window, span }: { window: string; span: string }) => window === day && span === 'day',
    )
    assert.deepEqual(found, [
      {
        ...{ meter: 'meetings', scope: 'tenant', subjectId: key.tenantId, span: 'day', window: day },
        ...{ counted: 1, expected: 2, isCorrected: false },
      },
    ])
  })

  test('a recount puts right how much is stored', async () => {
    await run(app.platform, sql`insert into tenant_storage (tenant_id, mail_bytes) values (${key.tenantId}, 123)`)
    const [difference, ...others] = await recount()
    assert.deepEqual([difference.meter, difference.counted, difference.expected, others], ['storageBytes', 123, 0, []])
    assert.deepEqual(await recount(), [])
  })

  test('a recount is shown for its own tenant only, and for an existing one', async () => {
    const asked = await app.call({
      method: 'POST',
      url: `/admin/tenants/${key.tenantId}/usage/recount`,
      headers: app.admin,
    })
    const other = await app.tenant()
    const url = `/admin/tenants/${other.id}/usage/recounts/${asked.body.recount.id}`
    assert.equal((await app.call({ url, headers: app.admin })).status, 404)
    const unknown = `/admin/tenants/${crypto.randomUUID()}/usage/recount`
    assert.equal((await app.call({ method: 'POST', url: unknown, headers: app.admin })).status, 404)
  })

  test('the sums of a removed user stay, without the id', async () => {
    const user = await app.user(key)
    await count({ meetings: 3 }, { userId: user.id })
    await count({ meetings: 2 })
    const removed = await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
    assert.ok(removed.status < 300)
    app.clock.advance({ seconds: 61 })
    await app.settled()
    const rows = await many(
      app.platform,
      sql<{ userId: string | null; amount: number }>`select user_id as "userId", amount from usage_by_day
        where tenant_id = ${key.tenantId} and meter = 'meetings'`,
    )
    assert.deepEqual(rows, [{ userId: null, amount: 5 }])
    const left = await many(app.platform, sql`select from usage_counters where subject_id = ${user.id}`)
    assert.equal(left.length, 0)
    // A job may run twice.
    await transaction(scope, (tx) => forgetUser(tx, user.id))
    assert.deepEqual(await recount(), [])
  })

  test('rows are deleted once they are of no use, and not before', async () => {
    const { now } = { now: app.clock.now() }
    const today = utcDay(now)
    const userId = crypto.randomUUID()
    const at = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000)
    for (const days of [30, 36, 63, 401]) {
      const day = laterDay(today, -days)
      await run(
        app.platform,
        sql`with days as (
            insert into usage_by_day (tenant_id, day, meter, amount) values (${key.tenantId}, ${day}, 'asks', ${days})
          ), reports as (
            insert into usage_reports (tenant_id, meter, key, reported_at)
            values (${key.tenantId}, 'botMinutes', ${String(days)}, ${at(days)})
          ) insert into usage_counters (tenant_id, meter, span, window_start, scope, subject_id, amount)
          values (${key.tenantId}, 'modelTokens', 'day', ${day}, 'user', ${userId}, ${days}),
            (${key.tenantId}, 'modelTokens', 'day', ${day}, 'tenant', ${key.tenantId}, ${days})`,
      )
    }
    await deleteOldUsage(app.platform, { now, signal: AbortSignal.timeout(60_000) })
    const amounts = async (rows: Promise<{ amount: number }[]>) => (await rows).map(({ amount }) => amount)
    const ofCounters = (of: string) =>
      amounts(
        many(
          app.platform,
          sql<{ amount: number }>`select amount from usage_counters where tenant_id = ${key.tenantId} and scope = ${of}
            order by amount`,
        ),
      )
    assert.deepEqual(
      await amounts(
        many(
          app.platform,
          sql<{ amount: number }>`select amount from usage_by_day where tenant_id = ${key.tenantId} order by amount`,
        ),
      ),
      [30, 36, 63],
    )
    assert.deepEqual(
      [await ofCounters('tenant'), await ofCounters('user')],
      [
        [30, 36, 63],
        [30, 36],
      ],
    )
    const reports = await many(
      app.platform,
      sql<{ key: string }>`select key from usage_reports where tenant_id = ${key.tenantId}`,
    )
    assert.deepEqual(reports, [{ key: '30' }])
  })
})
