import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { usageCalls } from '../../../test/harness/usage.ts'

let app: TestApp
let calls: ReturnType<typeof usageCalls>
before(async () => {
  app = await testApp()
  calls = usageCalls(app)
})
const reason = 'a test'
const quota = (id: string, meter: string) => `/tenants/${id}/quotas/${meter}`

describe('an override of a tenant', () => {
  test('holds for the next use instead of the plan, until it ends or is deleted', async () => {
    const { id } = await calls.tenant()
    await app.license({ id }, { product: 'assistant-ai', plan: 'TRIAL' })
    const until = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const set = await calls.asPlatform('PUT', quota(id, 'meetings'), { hard: 2, until, reason })
    assert.equal(set.status, 200)
    assert.deepEqual(set.body.quota, {
      meter: 'meetings',
      override: { soft: null, hard: 2, isPlanLimit: false, atLimit: null, until, reason },
      granted: 0,
    })
    assert.equal(await calls.use(id, { meetings: 2 }), null)
    assert.equal(await calls.use(id, { meetings: 1 }), 'USAGE_EXCEEDED')
    app.clock.advance({ seconds: 60 })
    assert.equal(await calls.use(id, { meetings: 18 }), null, 'the plan has 20')
    assert.equal(await calls.use(id, { meetings: 1 }), 'USAGE_EXCEEDED')
    assert.equal((await calls.asPlatform('DELETE', quota(id, 'meetings'))).status, 404, 'it has ended')
    await calls.asPlatform('PUT', quota(id, 'meetings'), { hard: null, reason })
    assert.equal(await calls.use(id, { meetings: 1000 }), null)
    assert.equal((await calls.asPlatform('DELETE', quota(id, 'meetings'))).status, 204)
    assert.equal(await calls.use(id, { meetings: 1 }), 'USAGE_EXCEEDED')
    assert.equal((await calls.asPlatform('DELETE', quota(id, 'meetings'))).status, 404)
  })

  test('can change only what happens at the limit of the plan', async () => {
    const { id } = await calls.tenant()
    await app.license({ id }, { product: 'assistant-ai', plan: 'TRIAL' })
    const { body } = await calls.asPlatform('PUT', quota(id, 'meetings'), { atLimit: 'TELL', reason })
    assert.deepEqual([body.quota.override.isPlanLimit, body.quota.override.hard], [true, null])
    assert.equal(await calls.use(id, { meetings: 21 }), null)
    await calls.asPlatform('PUT', quota(id, 'meetings'), { soft: 10, reason })
    assert.equal(await calls.use(id, { meetings: 1 }), 'USAGE_EXCEEDED', 'of a limit that refuses, the plan decides')
  })

  test('of a meter that falls back can tell only: then the model goes on', async () => {
    const { id, scope } = await calls.tenant()
    const ask = async () => (await app.app.metering.countWithin(scope, { amounts: { asks: 1 } })).isWithin
    await calls.asPlatform('PUT', quota(id, 'asks'), { hard: 1, reason })
    assert.deepEqual([await ask(), await ask()], [true, false])
    await calls.asPlatform('PUT', quota(id, 'asks'), { hard: 1, atLimit: 'TELL', reason })
    assert.equal(await ask(), true)
  })

  test('of a meter that falls back can refuse, and says what was used, also above the limit', async () => {
    const { id, scope } = await calls.tenant()
    await app.license({ id }, { product: 'assistant-ai', plan: 'TRIAL' })
    const ask = (asks: number) => app.app.metering.countWithin(scope, { amounts: { asks } })
    assert.equal((await ask(150)).isWithin, false)
    await calls.asPlatform('PUT', quota(id, 'asks'), { atLimit: 'REFUSE', reason })
    const refused = await ask(1).catch((error) => error)
    assert.deepEqual([refused.options.usage.used, refused.options.usage.limit], [150, 100])
    assert.match(refused.message, /used 150 of 100/)
  })

  test('of tokens of a month holds for a day as well, a tenth of it, until the day has its own', async () => {
    const { id, admin } = await calls.tenant()
    const change = (meter: string, body: object) => calls.asPlatform('PUT', quota(id, meter), { reason, ...body })
    const ofDay = async () => {
      const { quotas } = (await calls.as(admin, 'GET', '/quotas?scope=tenant')).body
      const { limit, source } = quotas.find(({ meter }: { meter: string }) => meter === 'modelTokensPerDay')
      return [limit, source]
    }
    await change('modelTokens', { hard: 1_000_000 })
    assert.deepEqual(await ofDay(), [100_000, 'OVERRIDE'], 'also without a plan')
    await app.license({ id }, { product: 'assistant-ai', plan: 'TRIAL' })
    await change('modelTokens', { hard: 5_000_000 })
    assert.deepEqual(await ofDay(), [500_000, 'OVERRIDE'])
    assert.equal(await calls.use(id, { modelTokens: 500_000 }), null)
    assert.equal(await calls.use(id, { modelTokens: 1 }), 'USAGE_EXCEEDED')
    await change('modelTokensPerDay', { hard: 600_000 })
    assert.deepEqual(await ofDay(), [600_000, 'OVERRIDE'])
    await change('modelTokensPerDay', { atLimit: 'TELL' })
    assert.deepEqual(await ofDay(), [500_000, 'OVERRIDE'], 'the day has no limit of its own')
    await change('modelTokens', { hard: 5_000_000, atLimit: 'TELL' })
    await change('modelTokensPerDay', { atLimit: null })
    assert.equal(await calls.use(id, { modelTokens: 500_001 }), null, 'a month that only tells has days that only tell')
    await change('modelTokens', { hard: null })
    assert.deepEqual(await ofDay(), [null, 'OVERRIDE'])
    await change('modelTokens', { soft: 10 })
    assert.deepEqual(await ofDay(), [20_000, 'PLAN'])
    await change('modelTokens', { hard: 5_000_000, until: new Date(app.clock.now().getTime() + 60_000).toISOString() })
    app.clock.advance({ seconds: 60 })
    assert.deepEqual(await ofDay(), [20_000, 'PLAN'], 'that of the month has ended')
  })

  test('is audited with what was before', async () => {
    const { id } = await calls.tenant()
    await calls.asPlatform('PUT', quota(id, 'asks'), { hard: 5, reason: 'first' })
    app.clock.advance({ seconds: 1 })
    await calls.asPlatform('PUT', quota(id, 'asks'), { hard: null, reason: 'second' })
    app.clock.advance({ seconds: 1 })
    await calls.asPlatform('DELETE', quota(id, 'asks'))
    const entries = (await auditOfTenant(app.platform, id)).filter(({ action }) => action.startsWith('usage.quota'))
    type Changes = { from: { override: { hard: number | null } | null }; to: Changes['from'] | null }
    assert.deepEqual(
      entries.map(({ action, targetId, changes }) => {
        const { from, to } = changes as Changes
        return [action, targetId, from.override?.hard, to?.override?.hard]
      }),
      [
        ['usage.quota.update', 'asks', undefined, 5],
        ['usage.quota.update', 'asks', 5, null],
        ['usage.quota.delete', 'asks', null, undefined],
      ],
    )
  })

  test('is refused with every wrong field, and for an unknown meter or tenant', async () => {
    const { id } = await calls.tenant()
    const past = '2020-01-01T00:00:00.000Z'
    for (const [meter, body, paths] of [
      [
        'meetings',
        { reason, soft: 5, hard: 4, until: past, atLimit: 'FALL_BACK' },
        ['/body/atLimit', '/body/soft', '/body/until'],
      ],
      ['meetings', { reason }, ['/body']],
      ['meetings', { reason, until: '2030-01-01T00:00:00Z' }, ['/body']],
      ['meetings', { reason, grant: 5, hard: 4 }, ['/body/hard']],
      ['meetings', { reason, grant: 0 }, ['/body/grant']],
      ['meetings', { hard: 4 }, ['/body/reason']],
      ['modelTokens', { reason, atLimit: 'REFUSE' }, ['/body/atLimit']],
      ['modelTokensPerDay', { reason, atLimit: 'REFUSE' }, ['/body/atLimit']],
      ['mails', { reason, atLimit: 'REFUSE' }, ['/body/atLimit']],
      ['documents', { reason, atLimit: 'TELL' }, ['/body/atLimit']],
    ] as const) {
      const reply = await calls.asPlatform('PUT', quota(id, meter), body)
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.deepEqual(reply.body.errors.map(({ path }: { path: string }) => path).toSorted(), paths)
    }
    for (const [meter, atLimit] of [
      ['vpnBytes', 'REFUSE'],
      ['asks', 'REFUSE'],
      ['modelTokensPerDay', 'FALL_BACK'],
      ['botMinutes', 'TELL'],
    ] as const)
      assert.equal((await calls.asPlatform('PUT', quota(id, meter), { reason, atLimit })).status, 200)
    assert.equal((await calls.asPlatform('PUT', quota(id, 'meeting'), { reason, hard: 4 })).status, 404)
    assert.equal((await calls.asPlatform('PUT', quota(crypto.randomUUID(), 'asks'), { reason, hard: 4 })).status, 404)
  })
})

describe('a grant', () => {
  test('adds to the limit that holds, in this window only, once for an idempotency key', async () => {
    const { id } = await calls.tenant()
    await app.license({ id }, { product: 'assistant-ai', plan: 'TRIAL' })
    const key = { 'idempotency-key': crypto.randomUUID() }
    for (let time = 0; time < 3; time++) {
      const { status, body } = await calls.asPlatform('PUT', quota(id, 'meetings'), { grant: 5, reason }, key)
      assert.deepEqual([status, body.quota.granted], [200, 5])
    }
    assert.equal(await calls.use(id, { meetings: 25 }), null)
    assert.equal(await calls.use(id, { meetings: 1 }), 'USAGE_EXCEEDED')
    const more = await calls.asPlatform('PUT', quota(id, 'meetings'), { grant: 1, reason })
    assert.equal(more.body.quota.granted, 6)
    assert.equal(await calls.use(id, { meetings: 1 }), null)
    app.clock.advance({ seconds: 40 * 24 * 3600 })
    assert.equal(await calls.use(id, { meetings: 21 }), 'USAGE_EXCEEDED', 'of the next month the plan has 20')
    assert.equal(await calls.use(id, { meetings: 20 }), null)
    assert.equal((await calls.asPlatform('DELETE', quota(id, 'meetings'))).status, 404, 'nothing is set in this window')
  })

  test('is taken back with the override', async () => {
    const { id } = await calls.tenant()
    await calls.asPlatform('PUT', quota(id, 'meetings'), { hard: 1, reason })
    await calls.asPlatform('PUT', quota(id, 'meetings'), { grant: 9, reason })
    assert.equal((await calls.asPlatform('DELETE', quota(id, 'meetings'))).status, 204)
    await calls.asPlatform('PUT', quota(id, 'meetings'), { hard: 1, reason })
    assert.equal(await calls.use(id, { meetings: 2 }), 'USAGE_EXCEEDED')
  })

  test('is refused where there is no limit to add to', async () => {
    const { id } = await calls.tenant()
    const { status, body } = await calls.asPlatform('PUT', quota(id, 'meetings'), { grant: 5, reason })
    assert.deepEqual([status, body.code], [409, 'STATE_CONFLICT'])
    await calls.asPlatform('PUT', quota(id, 'modelTokensPerDay'), { hard: 5, reason })
    assert.equal((await calls.asPlatform('PUT', quota(id, 'modelTokensPerDay'), { grant: 5, reason })).status, 200)
    assert.equal((await calls.asPlatform('PUT', quota(id, 'modelTokens'), { grant: 5, reason })).status, 409)
  })
})
