import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, testLimits } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { laterDay, utcDay } from '../../kernel/period.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { limitedNames } from '../meters/meter.rules.ts'
import { meteringService } from '../meters/metering.service.ts'

describe('the list of limits', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let admin: TestUser
  let owner: TestUser
  let orgId: string
  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant({ limits: { maxStorageBytes: 5000 } }))
    admin = await orgs.person(key)
    await app.promote(admin)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
  })

  const read = (user: TestUser, query: string) =>
    app.call({
      url: `/assistant/v1/usage/quotas${query}`,
      headers: { authorization: `Bearer ${user.accessToken}` },
    })
  const quotasOf = async (user: TestUser, query: string) => {
    const { status, body } = await read(user, query)
    assert.equal(status, 200, JSON.stringify(body))
    return Object.fromEntries(body.quotas.map((quota: { meter: string }) => [quota.meter, quota]))
  }
  const count = (amounts: Record<string, number>, subject: object = {}) => {
    const planOf = () => sql<string | null>`null::text`
    const metering = meteringService({
      clock: app.clock,
      planOf,
      planEndOf: () => sql`null::timestamptz`,
      tellReached: async () => undefined,
    })
    return transaction(app.scopeOf(key.tenantId), (tx) => metering.count(tx, { amounts, ...subject }))
  }
  const override = (meter: string, hard: number | null) =>
    run(
      app.platform,
      sql`insert into usage_overrides (tenant_id, meter, soft, hard, reason, updated_at)
        values (${key.tenantId}, ${meter}, 3, ${hard}, 'test', ${app.clock.now()})`,
    )

  test('of a tenant has every meter, with the plan or the override that sets its limit', async () => {
    await app.license({ id: key.tenantId }, { product: 'assistant-ai', plan: 'TRIAL' })
    await count({ meetings: 15, asks: 7, modelTokens: 100 })
    await override('asks', 5)
    const quotas = await quotasOf(admin, '?scope=tenant')
    assert.deepEqual(
      limitedNames.filter((name) => quotas[name] === undefined),
      [],
    )
    const month = utcDay(app.clock.now()).slice(0, 7)
    const { window, resetsAt, ...meetings } = quotas['meetings']
    assert.deepEqual([window.from, window.kind, resetsAt], [`${month}-01`, 'month', `${window.to}T00:00:00.000Z`])
    assert.deepEqual(meetings, {
      ...{ meter: 'meetings', unit: 'meetings', used: 15, reserved: 0, soft: null, limit: 20, remaining: 5 },
      ...{ atLimit: 'REFUSE', source: 'PLAN', plan: 'TRIAL', forecast: null },
    })
    const { used, soft, limit, remaining, atLimit, source, plan } = quotas['asks']
    assert.deepEqual(
      { used, soft, limit, remaining, atLimit, source, plan },
      { used: 7, soft: 3, limit: 5, remaining: 0, atLimit: 'FALL_BACK', source: 'OVERRIDE', plan: null },
    )
    const perDay = quotas['modelTokensPerDay']
    assert.deepEqual([perDay.limit, perDay.used, perDay.window.kind], [20_000, 100, 'day'])
    assert.deepEqual([quotas['mails'].limit, quotas['mails'].remaining, quotas['mails'].source], [null, null, null])
  })

  test('has the limits that are stored with the tenant; of two limits of storage the lower one holds', async () => {
    const quotas = await quotasOf(admin, '?scope=tenant')
    const { window, used, limit, source } = quotas['maxUsers']
    assert.deepEqual(
      { window, used, limit, source },
      { window: null, used: 2, limit: testLimits.maxUsers, source: 'DEFAULT' },
    )
    assert.deepEqual([quotas['maxOrgs'].used, quotas['maxApiKeys'].used], [1, 1])
    const storage = () => quotasOf(admin, '?scope=tenant').then(({ storageBytes }) => storageBytes)
    const seen = ({ limit: bytes, source: whose }: { limit: number; source: string }) => [bytes, whose]
    assert.deepEqual(seen(await storage()), [5000, 'OVERRIDE'])
    await override('storageBytes', 4000)
    assert.deepEqual(seen(await storage()), [4000, 'OVERRIDE'])
    assert.equal((await quotasOf(owner, `?scope=org&orgId=${orgId}`))['maxOrgMembers'].used, 1)
    assert.equal((await quotasOf(owner, ''))['maxDevicesPerUser'].used, 0)
  })

  test('of an organization or a user has the limits that the tenant has set, and its own uses', async () => {
    for (const [scope, id, max] of [
      ['org', orgId, 9],
      ['eachUser', '00000000-0000-0000-0000-000000000000', 6],
    ] as const)
      await run(
        app.platform,
        sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
          values (${key.tenantId}, ${scope}, ${id}, 'meetings', ${max}, ${app.clock.now()})`,
      )
    await count({ meetings: 2 }, { orgId, userId: owner.id })
    await count({ meetings: 1 }, { orgId })
    const seen = ({ used, limit, source }: Record<string, unknown>) => ({ used, limit, source })
    const ofOrg = (await quotasOf(owner, `?scope=org&orgId=${orgId}`))['meetings']
    assert.deepEqual(seen(ofOrg), { used: 3, limit: 9, source: 'OWN' })
    assert.deepEqual(seen((await quotasOf(owner, ''))['meetings']), { used: 2, limit: 6, source: 'OWN' })
    assert.equal((await read(owner, '?scope=tenant')).status, 403)
  })

  test('forecasts the end of the window from the uses of the last weeks, for the tenant and the user', async () => {
    const today = utcDay(app.clock.now())
    for (let back = 1; back <= 28; back++) {
      const day = laterDay(today, -back)
      await run(
        app.platform,
        sql`with counted as (
            insert into usage_counters (tenant_id, meter, span, window_start, scope, subject_id, amount)
            values (${key.tenantId}, 'meetings', 'day', ${day}, 'tenant', ${key.tenantId}, 10)
          ) insert into usage_by_day (tenant_id, day, meter, user_id, amount)
          values (${key.tenantId}, ${day}, 'meetings', ${owner.id}, 10)`,
      )
    }
    const ofTenant = (await quotasOf(admin, '?scope=tenant'))['meetings']
    const msLeft = Date.parse(ofTenant.resetsAt) - app.clock.now().getTime()
    const expected = { atEnd: Math.floor((msLeft / 86_400_000) * 10 + 1e-9), reachesLimitAt: null }
    assert.deepEqual(ofTenant.forecast, expected)
    assert.deepEqual((await quotasOf(owner, ''))['meetings'].forecast, expected)
    assert.equal((await quotasOf(admin, ''))['meetings'].forecast, null)
  })

  test('is read by administrators of the platform, for an existing tenant', async () => {
    await count({ meetings: 3 })
    const url = `/admin/tenants/${key.tenantId}/quotas`
    const { status, body } = await app.call({ url, headers: app.admin })
    const meetings = body.quotas.find(({ meter }: { meter: string }) => meter === 'meetings')
    assert.deepEqual([status, meetings.used, meetings.limit], [200, 3, null])
    for (const id of [crypto.randomUUID(), 'x'])
      assert.equal((await app.call({ url: `/admin/tenants/${id}/quotas`, headers: app.admin })).status, 404)
  })
})
