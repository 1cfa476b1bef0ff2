import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../storage/scope.ts'
import { findLicense, lockLicense } from '../licenses/license.store.ts'
import { parseLicenseKey } from '../licenses/license-key.rules.ts'
import { consumeUse, listUses } from './use.store.ts'
import { type ConsumeUse, distributeGrants, groupByLicense, type UseCaller, useBatcher } from './use-batch.ts'

const product = 'editing-sdk'

async function licenseOf(app: TestApp, tenant: { id: string }, maxUses: number | null) {
  const plan = maxUses === null ? 'PRO' : 'STARTER'
  const { id, key } = await app.license(tenant, { product, plan, ...(maxUses === null ? {} : { maxUses }) })
  const hash = parseLicenseKey(key)?.hash as Buffer
  const read = async () => (await findLicense(app.scopeOf(tenant.id), hash)) ?? assert.fail('no license')
  const recorded = async () => (await listUses(app.scopeOf(tenant.id), id, { page: 1, limit: 1 })).total
  return { id, key, read, recorded }
}

test('of 2,000 parallel callers on three nodes exactly 500 get the 500 uses, and all are counted and recorded', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const license = await licenseOf(app, tenant, 500)
  const nodes = Array.from({ length: 3 }, () => useBatcher(app.platform, app.clock)) as [
    ConsumeUse,
    ConsumeUse,
    ConsumeUse,
  ]
  const outcomes = await Promise.all(
    Array.from({ length: 2000 }, (_, index) => (nodes[index % 3] as ConsumeUse)(app.scopeOf(tenant.id), license.id)),
  )
  const granted = outcomes.filter((outcome) => outcome?.isGranted)
  assert.equal(granted.length, 500)
  assert.equal((await license.read()).usesCount, 500)
  assert.equal(await license.recorded(), 500)
  const standings = new Set(granted.map((outcome) => outcome?.license.usesCount))
  assert.equal(standings.size, 500, 'each who was granted one was told another number of uses left')
  for (const outcome of outcomes) if (!outcome?.isGranted) assert.equal(outcome?.license.usesCount, 500)
})

test('in a batch each license gives only its own uses', async () => {
  const app = await testApp()
  const [tenant, other] = [await app.tenant(), await app.tenant()]
  const few = await licenseOf(app, tenant, 3)
  const free = await licenseOf(app, tenant, null)
  const revoked = await licenseOf(app, tenant, 5)
  const foreign = await licenseOf(app, other, 5)
  await app.call({ method: 'POST', url: `/vault/v1/licenses/${revoked.key}/revoke`, headers: app.admin })
  const take = useBatcher(app.platform, app.clock)
  const ask = (licenseId: string) => take(app.scopeOf(tenant.id), licenseId)
  const all = [free, few, few, few, few, free, revoked, foreign].map(({ id }) => ask(id))
  const outcomes = await Promise.all([...all, ask(newId(app.clock.now()))])
  assert.deepEqual(
    outcomes.map((outcome) => outcome?.isGranted ?? null),
    [true, true, true, true, false, true, false, null, null],
  )
  const counts = await Promise.all([few, free, revoked, foreign].map(async (it) => (await it.read()).usesCount))
  assert.deepEqual(counts, [3, 2, 0, 0])
})

test('a use taken in a transaction is undone by a rollback', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const license = await licenseOf(app, tenant, 5)
  const take = useBatcher(app.platform, app.clock)
  const failing = transaction(app.scopeOf(tenant.id), async (tx) => {
    const taken = await take(tx, license.id)
    assert.equal(taken?.isGranted, true)
    throw new Error('something later')
  })
  await assert.rejects(failing, /something later/)
  assert.equal((await license.read()).usesCount, 0)
  assert.equal(await license.recorded(), 0)
})

test('a locked license makes only its own callers wait', {
  skip: process.env['ATRIUM_TEST_DATABASE'] !== 'postgres' && 'PGlite serves one transaction at a time',
}, async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const [held, free] = [await licenseOf(app, tenant, 5), await licenseOf(app, tenant, 5)]
  const take = useBatcher(app.platform, app.clock)
  const ask = ({ id }: { id: string }) => take(app.scopeOf(tenant.id), id)
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = transaction(app.platform, async (tx) => {
    await lockLicense(tx, { id: held.id })
    isHeld.resolve()
    await mayEnd.promise
  })
  await isHeld.promise
  let isServed = false
  const waiting = Promise.all([ask(held), ask(held)]).finally(() => {
    isServed = true
  })
  for (let time = 0; time < 3; time++) assert.equal((await ask(free))?.isGranted, true)
  assert.equal(isServed, false)
  mayEnd.resolve()
  await holding
  assert.deepEqual(
    (await waiting).map((taken) => taken?.isGranted),
    [true, true],
  )
  assert.equal((await held.read()).usesCount, 2)
})

test('every use is listed separately, newest first, over any pages', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  const license = await licenseOf(app, tenant, null)
  const scope = app.scopeOf(tenant.id)
  const take = useBatcher(app.platform, app.clock)
  const took: { source: string; at: Date }[] = []
  const takeAtOnce = async (uses: number) => {
    await Promise.all(Array.from({ length: uses }, () => take(scope, license.id)))
    for (let use = 0; use < uses; use++) took.unshift({ source: 'VALIDATE', at: app.clock.now() })
  }
  const takeForSession = async () => {
    const taking = { operationId: unique('session'), source: 'SESSION', now: app.clock.now() } as const
    assert.ok(await consumeUse(scope, { licenseId: license.id }, taking))
    took.unshift({ source: 'SESSION', at: app.clock.now() })
  }
  for (const step of [() => takeAtOnce(3), takeForSession, () => takeAtOnce(1), () => takeAtOnce(40), takeForSession]) {
    app.clock.advance({ seconds: 1 })
    await step()
  }
  // At the same time as the session before it.
  await takeAtOnce(2)
  const whole = await listUses(scope, license.id, { page: 1, limit: 100 })
  assert.equal(whole.total, took.length)
  assert.equal(new Set(whole.items.map(({ operationId }) => operationId)).size, took.length)
  assert.deepEqual(
    whole.items.map(({ usedAt }) => usedAt),
    took.map(({ at }) => at),
  )
  const sourcesOf = (uses: { source: string }[]) => uses.map(({ source }) => source)
  assert.deepEqual(sourcesOf(whole.items.slice(3)), sourcesOf(took.slice(3)))
  for (const limit of [1, 7]) {
    const pages = Array.from({ length: Math.ceil(took.length / limit) + 1 }, (_, at) => ({ page: at + 1, limit }))
    const cut = await Promise.all(pages.map(async (page) => (await listUses(scope, license.id, page)).items))
    assert.deepEqual(cut.flat(), whole.items)
  }
})

test('the first callers get the grants', () => {
  const arbitraryCallers = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
  const arbitraryGrants = fc.record({ a: fc.nat(10), b: fc.nat(10) })
  fc.assert(
    fc.property(arbitraryCallers, arbitraryGrants, (licenses, grants) => {
      const callers: UseCaller[] = licenses.map((licenseId) => ({
        tenantId: 't',
        licenseId,
        licenseRef: `t ${licenseId}`,
      }))
      const before = 100
      const { requests, positions } = groupByLicense(callers)
      const useGrants = requests.map(({ licenseId }) => {
        const granted = grants[licenseId as 'a' | 'b']
        if (granted === undefined) return undefined
        const license = { plan: 'PRO' as const, maxUses: null, expiresAt: null, revokedAt: null }
        return { ...license, usesCount: before + granted, granted }
      })
      assert.equal(new Set(requests.map(({ licenseId }) => licenseId)).size, requests.length)
      const outcomes = distributeGrants(positions, useGrants)
      const ranks: Record<string, number> = { a: 0, b: 0 }
      for (const [index, { licenseId }] of callers.entries()) {
        const granted = grants[licenseId as 'a' | 'b']
        const outcome = outcomes[index] ?? null
        if (granted === undefined) assert.equal(outcome, null)
        else {
          ranks[licenseId] = (ranks[licenseId] ?? 0) + 1
          const rank = ranks[licenseId] as number
          assert.equal(outcome?.isGranted, rank <= granted)
          assert.equal(outcome?.license.usesCount, before + Math.min(rank, granted))
        }
      }
    }),
  )
})
