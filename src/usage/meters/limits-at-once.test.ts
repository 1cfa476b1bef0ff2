import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { callersAtAllLevels, wrongCounts } from '../../../test/harness/callers-at-all-levels.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import type { ExactMeter } from './meter.rules.ts'
import { meteringService } from './metering.service.ts'

describe('limits of the tenant, of organizations and of users at once', () => {
  // Counted in one statement, by the function, and of two meters together.
  const sets: ExactMeter[][] = [['meetings'], ['modelTokens'], ['asks', 'transcriptWords']]
  for (const meters of sets)
    test(`each grant exactly what they leave to callers of three nodes: ${meters.join(' and ')}`, async () => {
      const app = await testApp()
      const { id: tenantId } = await app.tenant()
      const { waves, expected } = await callersAtAllLevels(app, tenantId, { meters, scale: 1 })
      const nodes = Array.from({ length: 3 }, () =>
        meteringService({
          clock: app.clock,
          planOf: () => sql`null::text`,
          planEndOf: () => sql`null::timestamptz`,
          tellReached: async () => undefined,
        }),
      )
      const scopes: Record<string, number> = { granted: 0 }
      const amounts = Object.fromEntries(meters.map((meter) => [meter, 1]))
      for (const wave of waves)
        await Promise.all(
          wave.map(async (subject, at) => {
            const node = nodes[at % nodes.length] as (typeof nodes)[number]
            const seen = await transaction(app.scopeOf(tenantId), (tx) => node.count(tx, { ...subject, amounts })).then(
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
})
