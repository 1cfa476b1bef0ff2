import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { planEnd, planInForce } from '../../licensing/index.ts'
import { many, run, sql } from '../../storage/query.ts'
import { scopeToTenant, transaction } from '../../storage/scope.ts'
import { windowAt } from './meter.rules.ts'
import { meteringService } from './metering.service.ts'
import type { CounterInWindow } from './usage-exceeded.ts'

const exactMeters = ['meetings', 'transcriptWords', 'asks', 'documentPages', 'botMinutes', 'modelTokens'] as const

async function meteredTenant({ defaultPlan = null as string | null } = {}) {
  const app = await testApp()
  const tenant = await app.tenant()
  const scope = scopeToTenant(app.platform, tenant.id)
  const told: CounterInWindow[] = []
  const metering = meteringService({
    clock: app.clock,
    planOf: ({ tenantId }, now) => planInForce({ tenantId, product: 'assistant-ai', now, otherwise: defaultPlan }),
    planEndOf: ({ tenantId }, now) => planEnd({ tenantId, product: 'assistant-ai', now }),
    tellReached: async (_, reached) => void told.push(...reached),
  })
  const limit = (meter: string, hard: number | null, more: { until?: Date; atLimit?: string } = {}) =>
    run(
      scope,
      sql`insert into usage_overrides (tenant_id, meter, hard, at_limit, until, reason, updated_at)
        values (${tenant.id}, ${meter}, ${hard}, ${more.atLimit ?? null}, ${more.until ?? null}, 'test', ${app.clock.now()})
        on conflict (tenant_id, meter) do update set hard = excluded.hard, until = excluded.until`,
    )
  const counters = () =>
    many(
      scope,
      sql<{ meter: string; span: string; scope: string; amount: number; reserved: number }>`
        select meter, span, scope, amount, reserved from usage_counters where tenant_id = ${tenant.id} order by meter, span, scope`,
    )
  const count = (amounts: Record<string, number>, subject = {}) =>
    transaction(scope, (tx) => metering.count(tx, { amounts, ...subject }))
  return { app, tenant, scope, told, metering, limit, counters, count }
}

const outcome = (counting: Promise<unknown>): Promise<string> =>
  counting.then(
    () => 'counted',
    (error) => (error instanceof Refusal ? error.code : Promise.reject(error)),
  )

describe('a tenant without a license, where no plan is the default', () => {
  test('is refused nothing, however much it uses', async () => {
    const { scope, metering, count } = await meteredTenant()
    const [orgId, userId] = [crypto.randomUUID(), crypto.randomUUID()]
    // Above all plans. Other tests look at who uses most, and take a billion.
    const much = 200_000_000
    for (const meter of exactMeters) {
      for (let use = 0; use < 2; use++) assert.deepEqual(await count({ [meter]: much }, { orgId, userId }), [])
      assert.deepEqual(await metering.requireLeft(scope, { meter, orgId, userId }), [])
      assert.equal(await transaction(scope, (tx) => metering.left(tx, { meter, orgId, userId })), null)
    }
    assert.deepEqual(await metering.countWithin(scope, { orgId, userId, amounts: { asks: much } }), {
      isWithin: true,
      usage: [],
    })
    assert.notEqual(await metering.reserve(scope, { orgId, userId }, much), null)
  })
})

describe('a meter with a limit', () => {
  for (const meter of exactMeters)
    test(`grants exactly what is left to parallel callers: ${meter}`, async () => {
      const { limit, count, counters } = await meteredTenant()
      await limit(meter, 30)
      // Else it would be a tenth of the month's.
      await limit('modelTokensPerDay', null)
      const outcomes = await Promise.all(Array.from({ length: 80 }, () => outcome(count({ [meter]: 1 }))))
      assert.deepEqual(
        outcomes.toSorted(),
        [...Array(50).fill('USAGE_EXCEEDED'), ...Array(30).fill('counted')].toSorted(),
      )
      assert.deepEqual(
        (await counters()).map(({ span, amount }) => [span, amount]),
        [
          ['day', 30],
          ['month', 30],
        ],
      )
    })

  test('counts nothing of a use that is refused for the organization or the user, or whose transaction fails', async () => {
    const { app, tenant, scope, metering, count, counters } = await meteredTenant()
    const [orgId, userId] = [crypto.randomUUID(), crypto.randomUUID()]
    for (const [kind, id, max] of [
      ['org', orgId, 2],
      ['eachUser', '00000000-0000-0000-0000-000000000000', 1],
    ] as const)
      await run(
        scope,
        sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
          values (${tenant.id}, ${kind}, ${id}, 'meetings', ${max}, ${app.clock.now()})`,
      )
    assert.equal(await outcome(count({ meetings: 1 }, { orgId, userId })), 'counted')
    const refused = await count({ meetings: 1 }, { orgId, userId }).catch((error) => error)
    const { from, to } = windowAt(app.clock.now(), 'month')
    assert.deepEqual(refused.options.usage, {
      meter: 'meetings',
      used: 1,
      limit: 1,
      window: { from, to, kind: 'month' },
      plan: 'OWN',
      scope: 'user',
    })
    assert.equal(await outcome(count({ meetings: 1 }, { orgId, userId: crypto.randomUUID() })), 'counted')
    assert.equal(await outcome(count({ meetings: 1 }, { orgId, userId: crypto.randomUUID() })), 'USAGE_EXCEEDED')
    await assert.rejects(
      transaction(scope, async (tx) => {
        await metering.count(tx, { amounts: { meetings: 1 } })
        throw new Error('undone')
      }),
    )
    const tenantRows = (await counters()).filter((row) => row.scope === 'tenant')
    assert.deepEqual(
      tenantRows.map(({ amount }) => amount),
      [2, 2],
    )
    const [sum] = await many(
      scope,
      sql<{ sum: number }>`select sum(amount)::int as sum from usage_by_day where tenant_id = ${tenant.id}`,
    )
    assert.equal(sum?.sum, 2)
  })
})
