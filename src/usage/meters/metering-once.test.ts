import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { many, sql } from '../../storage/query.ts'
import { scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { ExactMeter } from './meter.rules.ts'
import { meteringService } from './metering.service.ts'

async function metered() {
  const app = await testApp()
  const scope = scopeToTenant(app.platform, (await app.tenant()).id)
  const clock = testClock(new Date('2031-11-30T23:59:59.999Z'))
  const metering = meteringService({
    clock,
    planOf: () => sql`null::text`,
    planEndOf: () => sql`null::timestamptz`,
    tellReached: async () => undefined,
  })
  return { clock, scope, metering }
}

/** What the tenant has used, by window: of its counters, and of the same uses by day. */
async function used({ tenantId, ...scope }: TenantScope, meter: ExactMeter) {
  const counters = await many(
    { tenantId, ...scope },
    sql<{ window: string; amount: number }>`select span || ' ' || window_start as window, amount from usage_counters
      where tenant_id = ${tenantId} and meter = ${meter} and scope = 'tenant' order by 1`,
  )
  const days = await many(
    { tenantId, ...scope },
    sql<{ day: string; amount: number }>`select day::text, sum(amount)::bigint as amount from usage_by_day
      where tenant_id = ${tenantId} and meter = ${meter} group by day order by day`,
  )
  return {
    counters: Object.fromEntries(counters.map(({ window, amount }) => [window, amount])),
    days: Object.fromEntries(days.map(({ day, amount }) => [day, amount])),
  }
}

test('what is reported five times, in any order and at once, and again after an answer was lost, counts once', async () => {
  const { scope, metering } = await metered()
  const random = seededRandom(7)
  const reports = Array.from({ length: 100 }, (_, n) => ({ key: `minute-${n % 20}`, amount: 1 + (n % 20) }))
  const isNew = await Promise.all(
    reports
      .toSorted(() => random.fraction() - 0.5)
      .map(({ key, amount }) => metering.countReport(scope, { amounts: { botMinutes: amount } }, { key })),
  )
  assert.equal(isNew.filter(Boolean).length, 20)
  // The transaction was committed, and whoever reported never heard of it.
  await transaction(scope, (tx) => metering.countReport(tx, { amounts: { botMinutes: 5 } }, { key: 'lost' }))
  await metering.countReport(scope, { amounts: { botMinutes: 5 } }, { key: 'lost' })
  // A report that failed has claimed nothing.
  const failing = transaction(scope, async (tx) => {
    await metering.countReport(tx, { amounts: { botMinutes: 3 } }, { key: 'failed' })
    throw new Error('undone')
  })
  await assert.rejects(failing)
  await metering.countReport(scope, { amounts: { botMinutes: 3 } }, { key: 'failed' })
  assert.deepEqual(await used(scope, 'botMinutes'), {
    counters: { 'day 2031-11-30': 218, 'month 2031-11-01': 218 },
    days: { '2031-11-30': 218 },
  })
})

test('each use is in one window, to the last millisecond of a month, and tokens are in that of their reservation', async () => {
  const { clock, scope, metering } = await metered()
  const count = () => transaction(scope, (tx) => metering.count(tx, { amounts: { meetings: 1 } }))
  const reservation = await metering.reserve(scope, {}, 100)
  assert.ok(reservation)
  await count()
  clock.advance({ ms: 1 })
  await count()
  await count()
  await metering.settle(scope, reservation, 40)
  assert.deepEqual(await used(scope, 'meetings'), {
    counters: { 'day 2031-11-30': 1, 'day 2031-12-01': 2, 'month 2031-11-01': 1, 'month 2031-12-01': 2 },
    days: { '2031-11-30': 1, '2031-12-01': 2 },
  })
  assert.deepEqual(await used(scope, 'modelTokens'), {
    counters: { 'day 2031-11-30': 40, 'month 2031-11-01': 40 },
    days: { '2031-11-30': 40 },
  })
  await metering.settle(scope, reservation, 40)
  assert.equal(
    (await used(scope, 'modelTokens')).counters['month 2031-11-01'],
    40,
    'a second settlement changes nothing',
  )
})

test('an answer that fails after the end of its month is taken from the month in which it was counted', async () => {
  const { clock, scope, metering } = await metered()
  const use = { amounts: { asks: 1 }, at: clock.now() }
  clock.advance({ ms: 1 })
  await metering.countWithin(scope, use)
  await metering.uncount(scope, use)
  await metering.uncount(scope, { ...use, at: clock.now() })
  const { counters, days } = await used(scope, 'asks')
  assert.deepEqual([...new Set([...Object.values(counters), ...Object.values(days)])], [0], 'and never below zero')
})

test('an answer counts once, for the engine that gave it, and one that fails does not count', async () => {
  const { scope, metering } = await metered()
  const byEngine = async () =>
    Object.fromEntries(
      (
        await many(
          scope,
          sql<{ engine: string; amount: number }>`select engine, amount from usage_by_day
            where tenant_id = ${scope.tenantId} and meter = 'asks'`,
        )
      ).map(({ engine, amount }) => [engine, amount]),
    )
  const give = (engine: 'local' | 'llm') => metering.countAnswer(scope, { engine: 'llm' }, async () => ({ engine }))
  await Promise.all([give('llm'), give('local'), give('local')])
  assert.deepEqual(await byEngine(), { llm: 1, local: 2 })
  const failing = metering.countAnswer(scope, { engine: 'llm' }, async () => {
    throw new Error('no answer')
  })
  await assert.rejects(failing, /no answer/)
  assert.deepEqual(await byEngine(), { llm: 1, local: 2 })
  assert.deepEqual([...new Set(Object.values((await used(scope, 'asks')).counters))], [3])
})
