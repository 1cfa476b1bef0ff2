import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { testCounts } from '../../../test/harness/usage-counts.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { CounterInWindow } from '../meters/usage-exceeded.ts'

/** A connection that breaks after the commit and before its answer, as often as said. */
function losingAnswers(platform: PlatformScope, times: number) {
  const seen = { statements: 0, lost: 0 }
  const handle: PlatformScope['handle'] = Object.assign(Object.create(platform.handle), {
    execute: (statement: Parameters<PlatformScope['handle']['execute']>[0]) => {
      seen.statements += 1
      return platform.handle.execute(statement)
    },
    transaction: async <T>(work: Parameters<typeof platform.handle.transaction<T>>[0]) => {
      seen.statements += 1
      const result = await platform.handle.transaction(work)
      if (seen.lost < times) {
        seen.lost += 1
        throw new Error('Connection terminated unexpectedly')
      }
      return result
    },
  })
  return { scope: { ...platform, handle }, seen }
}

describe('what is counted in memory', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  const counted = async (tenantId: string) => ({
    counters: await many(
      app.platform,
      sql<{ meter: string; span: string; scope: string; amount: number }>`select meter, span, scope, amount
        from usage_counters where tenant_id = ${tenantId} order by meter, span, scope, amount`,
    ),
    days: await many(
      app.platform,
      sql<{ meter: string; orgId: string | null; userId: string | null; amount: number }>`
        select meter, org_id as "orgId", user_id as "userId", amount from usage_by_day
        where tenant_id = ${tenantId} order by meter, amount`,
    ),
    products: await many(
      app.platform,
      sql<{ calls: number; users: number }>`select api_calls as calls, active_users as users from usage_metrics
        where tenant_id = ${tenantId}`,
    ),
  })

  test('is counted once although the answer to its commit was lost, also with what was counted since', async () => {
    const { id: tenantId } = await app.tenant()
    const userId = newId(app.clock.now())
    const { scope, seen } = losingAnswers(app.platform, 2)
    const counts = testCounts(app, { platform: scope })
    const countCall = () => {
      counts.add({ tenantId, product: '' }, 'apiCalls')
      counts.active({ tenantId, product: '' }, 'USER', userId)
      counts.use({ tenantId, meter: 'apiCalls', userId })
    }
    countCall()
    await counts.flush()
    countCall()
    await counts.flush()
    await counts.flush()
    assert.equal(seen.lost, 2)
    assert.deepEqual(await counted(tenantId), {
      counters: [
        { meter: 'apiCalls', span: 'day', scope: 'tenant', amount: 2 },
        { meter: 'apiCalls', span: 'month', scope: 'tenant', amount: 2 },
        { meter: 'apiCalls', span: 'month', scope: 'user', amount: 2 },
      ],
      days: [{ meter: 'apiCalls', orgId: null, userId, amount: 2 }],
      products: [{ calls: 2, users: 1 }],
    })
  })

  test('is added up for the tenant, its organizations and its users, from all nodes at once', async () => {
    const { id: tenantId } = await app.tenant()
    const [orgId, ...users] = Array.from({ length: 6 }, () => newId(app.clock.now()))
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        const node = testCounts(app)
        for (let round = 0; round < 4; round++) {
          for (const userId of users) {
            node.use({ tenantId, meter: 'summaries', orgId: orgId ?? null, userId })
            node.use({ tenantId, meter: 'apiCalls', userId, amount: 10 })
          }
          await node.flush()
        }
      }),
    )
    const { counters, days } = await counted(tenantId)
    const sum = (meter: string, scope: string, span: string) =>
      counters
        .filter((row) => row.meter === meter && row.scope === scope && row.span === span)
        .map(({ amount }) => amount)
    assert.deepEqual(sum('summaries', 'tenant', 'month'), [60])
    assert.deepEqual(sum('summaries', 'org', 'day'), [60])
    assert.deepEqual(sum('apiCalls', 'tenant', 'day'), [600])
    assert.deepEqual(sum('apiCalls', 'user', 'month'), Array(5).fill(120))
    assert.equal(
      days.reduce((total, { amount }) => total + amount, 0),
      660,
    )
  })

  test('tells the thresholds of an override once they are reached', async () => {
    const { id: tenantId } = await app.tenant()
    await run(
      app.platform,
      sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
        values (${tenantId}, 'mails', 10, 'test', ${app.clock.now()})`,
    )
    const told: CounterInWindow[] = []
    const counts = testCounts(app, { tellReached: async (_, reached) => void told.push(...reached) })
    counts.use({ tenantId, meter: 'mails', amount: 7 })
    await counts.flush()
    assert.deepEqual(told, [])
    counts.use({ tenantId, meter: 'mails', amount: 5 })
    await counts.flush()
    assert.deepEqual(
      told.map(({ counter: { limitedName, used, limit, reached } }) => ({ limitedName, used, limit, reached })),
      [{ limitedName: 'mails', used: 12, limit: 10, reached: [80, 100] }],
    )
  })

  test('asks the database nothing until the flush', async () => {
    const { id: tenantId } = await app.tenant()
    const { scope, seen } = losingAnswers(app.platform, 0)
    const counts = testCounts(app, { platform: scope })
    for (let count = 0; count < 1000; count++) counts.use({ tenantId, meter: 'apiCalls', userId: null })
    assert.equal(seen.statements, 0)
    await counts.flush()
    assert.deepEqual(
      (await counted(tenantId)).days.map(({ amount }) => amount),
      [1000],
    )
  })
})
