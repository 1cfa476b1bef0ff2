import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { usageCalls } from '../../../test/harness/usage.ts'

let app: TestApp
let calls: ReturnType<typeof usageCalls>
before(async () => {
  app = await testApp()
  calls = usageCalls(app)
})

test('thresholds are 80 and 100 percent until a tenant sets others, for all meters or one', async () => {
  const { id, admin } = await calls.tenant()
  const get = async () => (await calls.as(admin, 'GET', '/thresholds')).body.thresholds
  assert.deepEqual(await get(), [{ meter: null, percents: [80, 100] }])
  const set = async (body: object) => {
    app.clock.advance({ seconds: 1 })
    const reply = await calls.as(admin, 'PUT', '/thresholds', body)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body.thresholds, await get())
    return reply.body.thresholds
  }
  await set({ meter: 'asks', percents: [1, 50, 100, 150, 200] })
  await set({ meter: 'asks', percents: [1, 50, 100, 150, 200] })
  assert.deepEqual(await set({ percents: [] }), [
    { meter: null, percents: [] },
    { meter: 'asks', percents: [1, 50, 100, 150, 200] },
  ])
  await set({ percents: null })
  assert.deepEqual(await set({ meter: 'asks', percents: null }), [{ meter: null, percents: [80, 100] }])
  const entries = (await auditOfTenant(app.platform, id)).filter(({ action }) => action === 'usage.thresholds.update')
  assert.deepEqual(
    entries.map(({ targetId, changes }) => [targetId, changes?.['percents']]),
    [
      ['asks', { from: null, to: [1, 50, 100, 150, 200] }],
      [null, { from: null, to: [] }],
      [null, { from: [], to: null }],
      ['asks', { from: [1, 50, 100, 150, 200], to: null }],
    ],
  )
})

test('thresholds that are not up to five ascending percentages of a meter are refused with their path', async () => {
  const { admin, key } = await calls.tenant()
  for (const [body, path] of [
    [{ percents: [100, 80] }, '/body/percents'],
    [{ percents: [80, 80] }, '/body/percents'],
    [{ percents: [1, 2, 3, 4, 5, 6] }, '/body/percents'],
    [{ percents: [0] }, '/body/percents/0'],
    [{ percents: [201] }, '/body/percents/0'],
    [{ percents: [1.5] }, '/body/percents/0'],
    [{ meter: 'meeting', percents: [80] }, '/body/meter'],
    [{}, '/body/percents'],
  ] as const) {
    const reply = await calls.as(admin, 'PUT', '/thresholds', body)
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path], JSON.stringify(body))
  }
  assert.equal(
    (await calls.as(await app.user(key), 'PUT', '/thresholds', { percents: [] })).body.code,
    'INSUFFICIENT_ROLE',
  )
})
