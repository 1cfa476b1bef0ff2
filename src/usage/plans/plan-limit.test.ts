import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { usageCalls } from '../../../test/harness/usage.ts'

// Plans belong to the whole installation. Only figures of which no other test knows are changed here.
let app: TestApp
let calls: ReturnType<typeof usageCalls>
before(async () => {
  app = await testApp()
  calls = usageCalls(app)
})

test('plans begin with the figures of the contract, and name every meter', async () => {
  const { status, body } = await calls.asPlatform('GET', '/usage/plans')
  assert.equal(status, 200)
  assert.deepEqual(
    body.plans.map(({ plan, meters }: { plan: string; meters: Record<string, number | null> }) => [
      plan,
      meters['meetings'],
      meters['asks'],
      meters['documents'],
    ]),
    [
      ['TRIAL', 20, 100, 100],
      ['STARTER', 200, 2000, 1000],
      ['PRO', null, 50_000, null],
      ['ENTERPRISE', null, null, null],
    ],
  )
  const { meters } = body.plans[0]
  assert.ok('vpnBytes' in meters && !('modelTokensPerDay' in meters))
})

test('a change replaces only the limits that it names, holds at once and is audited with what was before', async (t) => {
  t.after(() => calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { summaries: null, mails: null } }))
  const first = await calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { summaries: 500 } })
  assert.equal(first.status, 200)
  app.clock.advance({ seconds: 1 })
  const { body } = await calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { mails: 7, summaries: 600 } })
  assert.deepEqual([body.plan.meters.mails, body.plan.meters.summaries], [7, 600])
  assert.deepEqual((await calls.asPlatform('GET', '/usage/plans/ENTERPRISE')).body, body)
  const same = await calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { mails: 7 } })
  assert.deepEqual(same.body, body)
  const [entry, earlier] = (await auditOfTarget(app, 'ENTERPRISE')).filter(
    ({ action }) => action === 'usage.plan.update',
  )
  assert.deepEqual(entry?.changes, { mails: { from: null, to: 7 }, summaries: { from: 500, to: 600 } })
  assert.deepEqual(earlier?.changes, { summaries: { from: null, to: 500 } })
  app.clock.advance({ seconds: 1 })
  const none = await calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { mails: null } })
  assert.equal(none.body.plan.meters.mails, null)
})

test('two changes at once are audited one after another', async (t) => {
  t.after(() => calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { vpnSessions: null } }))
  await Promise.all(
    [1, 2, 3, 4].map((max) => calls.asPlatform('PUT', '/usage/plans/ENTERPRISE', { meters: { vpnSessions: max } })),
  )
  const changes = (await auditOfTarget(app, 'ENTERPRISE')).flatMap(({ changes }) => changes?.['vpnSessions'] ?? [])
  const steps = changes as { from: number | null; to: number }[]
  assert.equal(steps.length, 4)
  assert.equal(new Set(steps.map(({ from }) => from)).size, 4, 'each began where another ended')
})

test('an unknown plan does not exist, and an unknown meter is named with its path', async () => {
  assert.equal((await calls.asPlatform('GET', '/usage/plans/GOLD')).body.code, 'NOT_FOUND')
  assert.equal((await calls.asPlatform('PUT', '/usage/plans/GOLD', { meters: { mails: 1 } })).body.code, 'NOT_FOUND')
  for (const [meters, path] of [
    [{ meeting: 1 }, '/body/meters/meeting'],
    [{ modelTokensPerDay: 1 }, '/body/meters/modelTokensPerDay'],
    [{ mails: -1 }, '/body/meters/mails'],
    [{}, '/body/meters'],
  ] as const) {
    const { status, body } = await calls.asPlatform('PUT', '/usage/plans/TRIAL', { meters })
    assert.deepEqual([status, body.errors[0].path], [400, path])
  }
})
