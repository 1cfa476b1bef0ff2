import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { many, run, sql } from '../../storage/query.ts'
import { scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { ExactMeter } from './meter.rules.ts'
import { meteringService } from './metering.service.ts'

async function metered(planOf = () => sql<string | null>`null::text`) {
  const app = await testApp()
  const scope = scopeToTenant(app.platform, (await app.tenant()).id)
  const clock = testClock(new Date('2031-11-30T23:59:59.999Z'))
  const metering = meteringService({
    clock,
    planOf,
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
  const report = (tx: TenantScope, key: string, amount: number) =>
    transaction(tx, (inner) => metering.countAnyway(inner, { amounts: { botMinutes: amount }, key }))
  await Promise.all(
    reports.toSorted(() => random.fraction() - 0.5).map(({ key, amount }) => report(scope, key, amount)),
  )
  // The transaction was committed, and whoever reported never heard of it.
  await report(scope, 'lost', 5)
  await report(scope, 'lost', 5)
  // A report that failed has claimed nothing.
  const failing = transaction(scope, async (tx) => {
    await report(tx, 'failed', 3)
    throw new Error('undone')
  })
  await assert.rejects(failing)
  await report(scope, 'failed', 3)
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

test('an answer that was given stays counted where the count cannot be moved to its engine', async () => {
  let failures = 0
  const { scope, metering } = await metered(() => {
    if (failures-- > 0) throw new Error('the database is away')
    return sql`null::text`
  })
  const { engine } = await metering.countAnswer(scope, { engine: 'llm' }, async () => {
    failures = 1
    return { engine: 'local' } as const
  })
  assert.equal(engine, 'local')
  assert.deepEqual((await used(scope, 'asks')).days, { '2031-11-30': 1 })
})

test('a key counts once for each meter, also at a limit and where something is given back', async () => {
  const { scope, metering } = await metered()
  const limitedTo = (max: number) =>
    run(
      scope,
      sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
        values (${scope.tenantId}, 'documentPages', ${max}, 'test', ${new Date()})
        on conflict (tenant_id, meter) do update set hard = excluded.hard`,
    )
  const count = () =>
    transaction(scope, (tx) => metering.count(tx, { amounts: { documentPages: 5 }, key: 'one' })).then(
      (usage) => usage.map(({ remaining }) => remaining),
      (error) => error.code,
    )
  await limitedTo(4)
  assert.equal(await count(), 'USAGE_EXCEEDED')
  await limitedTo(5)
  assert.deepEqual(await count(), [0], 'what was refused has claimed nothing')
  assert.deepEqual(await count(), [], 'a repeat is not refused, though the limit is reached')
  const back = () => metering.uncount(scope, { amounts: { documentPages: 2 }, key: 'one:back' })
  await Promise.all([back(), back(), back()])
  await metering.countAnyway(scope, { amounts: { botMinutes: 1 }, key: 'one' })
  assert.equal((await used(scope, 'documentPages')).counters['month 2031-11-01'], 3)
  assert.equal((await used(scope, 'botMinutes')).counters['month 2031-11-01'], 1)
})

test('a use that is refused in the month in which it began says how long that one lasts from now', async () => {
  const { clock, scope, metering } = await metered()
  await run(
    scope,
    sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
      values (${scope.tenantId}, 'documentPages', 0, 'test', ${new Date()})`,
  )
  const at = new Date(clock.now().getTime() - 3600_000)
  const refused = await transaction(scope, (tx) => metering.count(tx, { at, amounts: { documentPages: 1 } })).catch(
    (error) => error,
  )
  assert.deepEqual([refused.options.usage.window.to, refused.options.retryAfterSeconds], ['2031-12-01', 1])
})
