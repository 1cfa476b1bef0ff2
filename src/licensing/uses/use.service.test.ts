import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { type TestApp, type TestTenant, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import type { AuditEntry } from '../../identity/audit/audit.store.ts'
import type { Actor } from '../../kernel/caller.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { eventBus } from '../../storage/events.ts'
import { type LicenseInUse, type Licenses, licensing } from '../index.ts'
import { consumeUse } from './use.store.ts'

const product = 'vault-vpn'

type Setup = { app: TestApp; tenant: TestTenant; licenses: Licenses; audited: (AuditEntry & { actor: Actor })[] }

/** A new tenant, the `Licenses` that the VPN gets, and the audit entries that they write. */
async function setup(): Promise<Setup> {
  const app = await testApp()
  const audited: Setup['audited'] = []
  const { licenses } = licensing({
    platform: app.platform,
    clock: app.clock,
    secrets: testSecrets,
    events: eventBus(),
    metrics: metricsRegistry(),
    audit: async (tx, entry) => void audited.push({ ...entry, actor: tx.caller.actor }),
    unknownProducts: async () => [],
    tenantExists: async () => true,
  })
  return { app, tenant: await app.tenant(), licenses, audited }
}

/** Takes a use with a new operation, unless one is given. Returns the license or the refusal code. */
async function consume(
  { app, tenant, licenses }: Setup,
  ask: Partial<Parameters<Licenses['consumeFor']>[1]> = {},
): Promise<LicenseInUse | string> {
  const whole = { product, licenseKey: null, operationId: unique('op'), source: 'SESSION', ...ask } as const
  try {
    return await licenses.consumeFor(app.scopeOf(tenant.id), whole)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const isGranted = (outcome: LicenseInUse | string): outcome is LicenseInUse => typeof outcome !== 'string'

/** The results of `times` calls, with at most `atOnce` running in parallel. */
async function racing<T>({ times, atOnce }: { times: number; atOnce: number }, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let started = 0
  const worker = async () => {
    while (started++ < times) results.push(await work())
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

async function licenseOf({ app }: Setup, key: string) {
  const { body } = await app.call({ url: `/vault/v1/licenses/${key}`, headers: app.admin })
  return body.license
}

async function licensesOf({ app, tenant }: Setup) {
  const { body } = await app.call({ url: `/vault/v1/licenses?tenantId=${tenant.id}&limit=100`, headers: app.admin })
  return body.licenses
}

async function usesOf({ app }: Setup, key: string) {
  const { body } = await app.call({ url: `/vault/v1/licenses/${key}/uses?limit=100`, headers: app.admin })
  return body
}

const revoke = ({ app }: Setup, key: string) =>
  app.call({ method: 'POST', url: `/vault/v1/licenses/${key}/revoke`, headers: app.admin })

test('of 2,000 parallel consumers exactly 500 get the 500 uses', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant, { plan: 'STARTER', maxUses: 500 })
  const scope = it.app.scopeOf(it.tenant.id)
  const now = it.app.clock.now()
  const outcomes = await racing({ times: 2000, atOnce: 50 }, () =>
    consumeUse(scope, { product, keyHash: null }, { operationId: unique('op'), source: 'SESSION', now }),
  )
  assert.equal(outcomes.filter((license) => license !== null).length, 500)
  assert.equal((await licenseOf(it, key)).usesCount, 500)
  assert.equal((await usesOf(it, key)).pagination.total, 500)
})

test('parallel consumers use up all licenses of the tenant, each to its last use and not beyond', async () => {
  const it = await setup()
  // Most licenses are used up while callers wait for them; these callers have to try the next one.
  const caps = [7, 3, ...Array.from({ length: 20 }, () => 1)]
  for (const maxUses of caps) await it.app.license(it.tenant, { plan: 'STARTER', maxUses })
  const outcomes = await racing({ times: 50, atOnce: 25 }, () => consume(it))
  assert.equal(outcomes.filter(isGranted).length, 30)
  assert.equal(outcomes.filter((outcome) => outcome === 'LICENSE_EXHAUSTED').length, 20)
  for (const { usesCount, maxUses } of await licensesOf(it)) assert.equal(usesCount, maxUses)
})

test('50 parallel consumers of a tenant without a license get one TRIAL and its 5 uses', async () => {
  const it = await setup()
  const outcomes = await racing({ times: 50, atOnce: 50 }, () => consume(it))
  assert.equal(outcomes.filter(isGranted).length, 5)
  assert.equal(outcomes.filter((outcome) => outcome === 'LICENSE_EXHAUSTED').length, 45)
  const [trial, ...others] = await licensesOf(it)
  assert.deepEqual(others, [])
  const { plan, maxUses, usesCount, expiresAt, label } = trial
  assert.deepEqual(
    { plan, maxUses, usesCount, expiresAt, label },
    { plan: 'TRIAL', maxUses: 5, usesCount: 5, expiresAt: null, label: 'Automatic trial' },
  )
  const created = it.audited.filter(({ target }) => target.id === trial.id)
  assert.deepEqual(
    created.map(({ action, actor }) => [action, actor.type]),
    [['license.create', 'SYSTEM']],
  )
  assert.ok(!JSON.stringify(created).includes(trial.key))
})

test('a trial is issued once per product, and never to a tenant that had a license for the product', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant, { product: 'editing-sdk' })
  await revoke(it, key)
  assert.equal(await consume(it, { product: 'editing-sdk' }), 'LICENSE_REVOKED')
  assert.ok(isGranted(await consume(it, { product: 'assistant-ai' })))
  assert.ok(isGranted(await consume(it)))
  const trials = (await licensesOf(it)).filter(({ plan }: { plan: string }) => plan === 'TRIAL')
  assert.deepEqual(trials.map((license: { product: string }) => license.product).sort(), ['assistant-ai', 'vault-vpn'])
  await revoke(it, trials.find((license: { product: string }) => license.product === 'vault-vpn').key)
  assert.equal(await consume(it), 'LICENSE_REVOKED')
})

test('an unknown key does not issue a trial', async () => {
  const it = await setup()
  assert.equal(await consume(it, { licenseKey: 'no key' }), 'LICENSE_REQUIRED')
  assert.deepEqual(await licensesOf(it), [])
})

test('a refunded use is taken again once, also by parallel calls, and only while the license has one left', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant, { plan: 'STARTER', maxUses: 2 })
  const operationId = unique('op')
  const used = await consume(it, { operationId })
  assert.ok(isGranted(used))
  const own = it.app.scopeOf(it.tenant.id)
  const use = { licenseId: used.licenseId, operationId }
  const retaken = async () =>
    (await Promise.all(Array.from({ length: 8 }, () => it.licenses.retake(own, use)))).filter(Boolean)
  assert.equal((await retaken()).length, 0, 'it was not refunded')
  await it.licenses.refund(own, use)
  assert.equal(await it.licenses.retake(it.app.scopeOf((await it.app.tenant()).id), use), false)
  assert.equal((await retaken()).length, 1)
  assert.equal((await licenseOf(it, key)).usesCount, 1)
  await it.licenses.refund(own, use)
  for (const _ of [1, 2]) await consume(it)
  assert.equal((await retaken()).length, 0)
  assert.equal((await licenseOf(it, key)).usesCount, 2)
})

test('a use is refunded once, also by parallel calls, and never by another operation or tenant', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant, { plan: 'STARTER', maxUses: 2 })
  const operationId = unique('op')
  const used = await consume(it, { operationId })
  await consume(it)
  assert.ok(isGranted(used))
  const { licenseId } = used
  const own = it.app.scopeOf(it.tenant.id)
  const foreign = it.app.scopeOf((await it.app.tenant()).id)
  assert.equal(await it.licenses.refund(foreign, { licenseId, operationId }), false)
  assert.equal(await it.licenses.refund(own, { licenseId, operationId: unique('op') }), false)
  assert.equal((await licenseOf(it, key)).usesCount, 2)
  const refunds = await Promise.all(
    Array.from({ length: 20 }, () => it.licenses.refund(own, { licenseId, operationId })),
  )
  assert.equal(refunds.filter(Boolean).length, 1)
  const { usesCount, usesRemaining } = await licenseOf(it, key)
  assert.deepEqual({ usesCount, usesRemaining }, { usesCount: 1, usesRemaining: 1 })
  const { uses } = await usesOf(it, key)
  const given = uses.find((use: { operationId: string }) => use.operationId === operationId)
  const at = it.app.clock.now().toISOString()
  assert.deepEqual(given, { operationId, source: 'SESSION', usedAt: at, refundedAt: at })
})

test('a use taken in a transaction is undone by a rollback', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant, { plan: 'STARTER' })
  const scope = it.app.scopeOf(it.tenant.id)
  const failed = scope.handle.transaction(async (handle) => {
    await it.licenses.consumeFor(
      { ...scope, handle },
      { product, licenseKey: key, operationId: 'x', source: 'SESSION' },
    )
    throw new Error('no address left')
  })
  await assert.rejects(failed, /no address left/)
  assert.equal((await licenseOf(it, key)).usesCount, 0)
  assert.equal((await usesOf(it, key)).pagination.total, 0)
})

test('no use is granted after a revocation was answered', async () => {
  const it = await setup()
  const { key } = await it.app.license(it.tenant)
  let isRevoked = false
  let granted = 0
  const underWay = Promise.withResolvers<void>()
  const consumer = async () => {
    for (let late = 0; late < 5; ) {
      await setImmediate() // lets the request in: an embedded database answers without leaving the event loop's turn
      const hasBegunLate = isRevoked
      const outcome = await consume(it)
      if (isGranted(outcome) && ++granted === 20) underWay.resolve()
      if (!hasBegunLate) continue
      late++
      assert.equal(outcome, 'LICENSE_REVOKED')
    }
  }
  const consumers = Array.from({ length: 20 }, consumer)
  await underWay.promise
  assert.equal((await revoke(it, key)).status, 200)
  isRevoked = true
  await Promise.all(consumers)
  assert.equal((await licenseOf(it, key)).usesCount, granted)
})

test('the best license is used first: unlimited, then most uses left, then oldest', async () => {
  const it = await setup()
  const make = async (terms: Record<string, unknown>) => {
    it.app.clock.advance({ seconds: 1 })
    return (await it.app.license(it.tenant, terms)).key
  }
  const few = await make({ plan: 'STARTER', maxUses: 1 })
  const older = await make({ plan: 'STARTER', maxUses: 2 })
  const newer = await make({ plan: 'STARTER', maxUses: 2 })
  const expired = await make({ plan: 'PRO', expiresAt: new Date(it.app.clock.now().getTime() + 2000) })
  const unlimited = await make({ plan: 'PRO' })
  const nextHint = async () => {
    const outcome = await consume(it)
    return isGranted(outcome) ? outcome.keyHint : outcome
  }
  const hintOf = (key: string) => key.slice(-5)
  it.app.clock.advance({ seconds: 1 })
  assert.equal((await licenseOf(it, expired)).status, 'EXPIRED')
  assert.deepEqual([await nextHint(), await nextHint()], [hintOf(unlimited), hintOf(unlimited)])
  await revoke(it, unlimited)
  const order = [await nextHint(), await nextHint(), await nextHint(), await nextHint(), await nextHint()]
  assert.deepEqual(order, [older, newer, few, older, newer].map(hintOf))
  assert.equal(await nextHint(), 'LICENSE_EXHAUSTED')
})

test('with a key only that license is used, and one of another tenant or product counts as unknown', async () => {
  const it = await setup()
  await it.app.license(it.tenant)
  const { key } = await it.app.license(it.tenant, { plan: 'STARTER', maxUses: 1 })
  const other = await it.app.license(it.tenant, { product: 'editing-sdk' })
  const foreign = await it.app.license(await it.app.tenant())
  const used = await consume(it, { licenseKey: key.toLowerCase().replaceAll('-', ' ') })
  assert.ok(isGranted(used) && used.keyHint === key.slice(-5))
  assert.equal(await consume(it, { licenseKey: key }), 'LICENSE_EXHAUSTED')
  for (const licenseKey of [other.key, foreign.key, '']) {
    assert.equal(await consume(it, { licenseKey }), 'LICENSE_REQUIRED')
  }
  assert.equal((await licenseOf(it, foreign.key)).usesCount, 0)
})

test('a license can be used up to the last millisecond before expiresAt', async () => {
  const it = await setup()
  const expiresAt = new Date(it.app.clock.now().getTime() + 2)
  await it.app.license(it.tenant, { expiresAt })
  it.app.clock.advance({ ms: 1 })
  assert.ok(isGranted(await consume(it)))
  it.app.clock.advance({ ms: 1 })
  assert.equal(await consume(it), 'LICENSE_EXPIRED')
  it.app.clock.advance({ ms: 1 })
  assert.equal(await consume(it), 'LICENSE_EXPIRED')
})

test('in any order of operations the count is granted minus refunded uses plus those taken again, never over the maximum', async () => {
  const it = await setup()
  const { app, licenses } = it
  const scope = app.scopeOf(it.tenant.id)
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('consume' as const), times: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), at: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('retake' as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('extend' as const), uses: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 30 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const) }) },
  )
  const run = async (maxUses: number, steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    const lifeMs = 40
    const soon = () => new Date(app.clock.now().getTime() + lifeMs)
    const model = { maxUses, expiresAt: soon(), isRevoked: false, open: [] as string[], refunded: [] as string[] }
    const { id, key } = await app.license(it.tenant, { plan: 'STARTER', maxUses, expiresAt: model.expiresAt })
    const grantable = () =>
      model.isRevoked || model.expiresAt <= app.clock.now() ? 0 : model.maxUses - model.open.length
    for (const next of steps) {
      const known = [...model.open, ...model.refunded]
      const operationId = 'at' in next ? known[next.at % known.length] : undefined
      if (next.do === 'consume') {
        const operations = Array.from({ length: next.times }, () => unique('op'))
        const outcomes = await Promise.all(operations.map((op) => consume(it, { licenseKey: key, operationId: op })))
        const won = operations.filter((_, at) => isGranted(outcomes[at] ?? ''))
        assert.equal(won.length, Math.min(next.times, grantable()))
        model.open.push(...won)
      } else if (next.do === 'refund' && operationId !== undefined) {
        assert.equal(await licenses.refund(scope, { licenseId: id, operationId }), model.open.includes(operationId))
        if (model.open.includes(operationId)) model.refunded.push(operationId)
        model.open = model.open.filter((op) => op !== operationId)
      } else if (next.do === 'retake' && operationId !== undefined) {
        const isTaken = model.refunded.includes(operationId) && model.open.length < model.maxUses
        assert.equal(await licenses.retake(scope, { licenseId: id, operationId }), isTaken)
        if (isTaken) model.open.push(operationId)
        if (isTaken) model.refunded = model.refunded.filter((op) => op !== operationId)
      } else if (next.do === 'extend') {
        model.maxUses += next.uses
        model.expiresAt = soon()
        const body = { maxUses: model.maxUses, expiresAt: model.expiresAt }
        await app.call({ method: 'PATCH', url: `/vault/v1/licenses/${key}`, headers: app.admin, body })
      } else if (next.do === 'wait') {
        app.clock.advance({ ms: next.ms })
      } else if (next.do === 'revoke') {
        await revoke(it, key)
        model.isRevoked = true
      }
      const { usesCount, status } = await licenseOf(it, key)
      assert.equal(usesCount, model.open.length)
      assert.ok(usesCount <= model.maxUses)
      assert.equal(status === 'REVOKED', model.isRevoked)
    }
  }
  await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fc.array(step, { maxLength: 12 }), run), {
    numRuns: 25,
  })
})
