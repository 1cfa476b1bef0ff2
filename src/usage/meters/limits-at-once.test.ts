import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { callersAtAllLevels, wrongCounts } from '../../../test/harness/callers-at-all-levels.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { many, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import type { ExactMeter } from './meter.rules.ts'
import { meteringService } from './metering.service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

const node = ({ clock }: TestApp) =>
  meteringService({
    clock,
    planOf: () => sql`null::text`,
    planEndOf: () => sql`null::timestamptz`,
    tellReached: async () => undefined,
  })

describe('limits of the tenant, of organizations and of users at once', () => {
  // Counted in one statement, by the function, and of two meters together.
  const sets: ExactMeter[][] = [['meetings'], ['modelTokens'], ['asks', 'transcriptWords']]
  for (const meters of sets)
    test(`each grant exactly what they leave to callers of three nodes: ${meters.join(' and ')}`, async () => {
      const app = await testApp()
      const { id: tenantId } = await app.tenant()
      const { waves, expected } = await callersAtAllLevels(app, tenantId, { meters, scale: 1 })
      const nodes = Array.from({ length: 3 }, () => node(app))
      const scopes: Record<string, number> = { granted: 0 }
      const amounts = Object.fromEntries(meters.map((meter) => [meter, 1]))
      for (const wave of waves)
        await Promise.all(
          wave.map(async (subject, at) => {
            const counting = nodes[at % nodes.length] as (typeof nodes)[number]
            const seen = await transaction(app.scopeOf(tenantId), (tx) =>
              counting.count(tx, { ...subject, amounts }),
            ).then(
              () => 'granted',
              (error) => (error instanceof Refusal ? (error.options.usage?.scope ?? '') : Promise.reject(error)),
            )
            scopes[seen] = (scopes[seen] ?? 0) + 1
          }),
        )
      assert.equal(scopes['granted'], 50)
      assert.deepEqual(Object.keys(scopes).toSorted(), ['granted', 'org', 'tenant', 'user'], 'each level refuses some')
      for (const meter of meters) assert.deepEqual(await wrongCounts(app, tenantId, { meter, expected }), [])
    })

  test('let those who wait for a counter have it in the order in which they came', {
    skip: !isServer && 'PGlite has one connection',
  }, async () => {
    const app = await testApp()
    const { id: tenantId } = await app.tenant()
    const scope = app.scopeOf(tenantId)
    const metering = node(app)
    // In one statement, and by the function.
    const amounts = [{ meetings: 1 }, { meetings: 1, transcriptWords: 1 }]
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const served: number[] = []
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const asked = [
      transaction(scope, async (tx) => {
        await metering.count(tx, { amounts: { meetings: 1 } })
        held.resolve()
        await free.promise
      }),
    ]
    await held.promise
    for (let caller = 0; caller < 4; caller++) {
      const counting = transaction(scope, async (tx) => {
        await metering.count(tx, { amounts: amounts[caller % 2] ?? {} })
        served.push(caller)
      })
      asked.push(counting)
      while ((await many(app.platform, waiting)).length <= caller) await setImmediate()
    }
    free.resolve()
    await Promise.all(asked)
    assert.deepEqual(served, [0, 1, 2, 3])
  })
})
