import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { completes, startModelServer } from '../../test/harness/model-server.ts'
import { overrideLimit } from '../../test/harness/usage-limits.ts'
import { planEnd, planInForce } from '../licensing/index.ts'
import { many, sql } from '../storage/query.ts'
import { scopeToTenant } from '../storage/scope.ts'
import { meteringService } from '../usage/meters/metering.service.ts'
import { ModelFailure } from './model-failure.ts'
import { tenantModel } from './tenant-model.ts'

const question = {
  instructions: 'i'.repeat(200),
  prompt: 'p'.repeat(200),
  outputTokensMax: 900,
  schema: { type: 'object' },
}
const subject = { orgId: null, userId: null }

async function meteredModel() {
  const server = await startModelServer()
  const app = await testApp()
  const { id: tenantId } = await app.tenant()
  const scope = scopeToTenant(app.platform, tenantId)
  const metering = meteringService({
    clock: app.clock,
    planOf: (_, now) => planInForce({ tenantId, product: 'assistant-ai', now, otherwise: null }),
    planEndOf: (_, now) => planEnd({ tenantId, product: 'assistant-ai', now }),
    tellReached: async () => undefined,
  })
  const settings = {
    ...{ baseUrl: server.baseUrl, apiKey: 'model-key-never-to-be-shown', model: 'test-model', timeoutMs: 60_000 },
    ...{ tokensPerDay: 1_000_000_000, inputTokensMax: 24_000 },
  }
  const model = tenantModel(settings, { clock: app.clock, metering })
  const counters = () =>
    many(
      app.platform,
      sql<{ span: string; amount: number; reserved: number }>`select span, amount, reserved from usage_counters
        where tenant_id = ${tenantId} and scope = 'tenant' order by span`,
    )
  return { server, app, tenantId, scope, model, counters, limit: overrideLimit.bind(null, app, tenantId) }
}

describe('the tokens of a model', () => {
  test('are never promised beyond a limit of a month or a day, whatever the model does with 200 requests at once', async () => {
    const { server, scope, model, counters, limit } = await meteredModel()
    await limit('modelTokensPerDay', { hard: 50_000 })
    const waiting: (() => void | Promise<void>)[] = []
    let refused = 0
    const { promise: allAsked, resolve } = Promise.withResolvers<void>()
    const countAsked = () => waiting.length + refused === 200 && resolve()
    server.behave((reply, request) => {
      const at = waiting.length
      // A quarter lies about its tokens, a quarter tells the truth, and the others break off.
      if (at % 2 === 0) waiting.push(() => void reply.destroy())
      else waiting.push(() => completes({}, { tokens: at % 4 === 1 ? -5 : 300 })(reply, request))
      countAsked()
    })
    const asked = Array.from({ length: 200 }, () =>
      model.ask(scope, question, subject).catch((error) => {
        assert.ok(error instanceof ModelFailure)
        if (error.reason === 'BUDGET_SPENT') refused++
        countAsked()
      }),
    )
    await allAsked
    const [reserved] = await counters()
    assert.ok((reserved?.reserved ?? 0) > 40_000 && (reserved?.reserved ?? 0) <= 50_000, JSON.stringify(reserved))
    for (const answer of waiting) await answer()
    await Promise.all(asked)
    await server.close()
    const [day, month] = await counters()
    assert.equal(day?.reserved, 0)
    assert.equal(month?.reserved, 0)
    assert.equal(day?.amount, month?.amount)
  })
})
