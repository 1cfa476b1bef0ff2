import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { eventBus } from '../../storage/events.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { type ReachedThreshold, thresholdService } from '../meters/threshold.service.ts'
import { thresholdText } from '../threshold-mails/threshold-mail.rules.ts'
import type { StockLimit } from './stock-limit.service.ts'
import { stockThresholds } from './stock-threshold.service.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

async function storingTenant() {
  const { id } = await app.tenant()
  const scope = app.scopeOf(id)
  const told: ReachedThreshold[] = []
  const events = eventBus()
  events.on('usage.threshold.reached', async (_, { tenantId, ...reached }) => void told.push(reached))
  const tellStored = stockThresholds({ clock: app.clock, tellReached: thresholdService({ events }) })
  const limit: StockLimit = { meter: 'documents', max: 10, source: 'TRIAL', text: '' }
  /** As whoever stores documents does: `count` are there then. */
  const store = (count: number, changed: Partial<StockLimit> = {}) =>
    transaction(scope, async (tx) => {
      await run(
        tx,
        sql`insert into tenant_storage (tenant_id, document_count, document_bytes) values (${id}, ${count}, ${count * 100})
          on conflict (tenant_id) do update set document_count = excluded.document_count, document_bytes = excluded.document_bytes`,
      )
      await tellStored(tx, { ...limit, ...changed })
    })
  const seen = () =>
    told.splice(0).map(({ counter, percent }) => [counter.limitedName, percent, counter.used, counter.limit])
  return { id, scope, store, seen, told }
}

test('thresholds of what is stored are told when they are reached, each once a month for a limit', async () => {
  const { store, seen } = await storingTenant()
  await store(7)
  assert.deepEqual(seen(), [])
  await store(8)
  await store(9)
  assert.deepEqual(seen(), [['documents', 80, 8, 10]])
  await store(10)
  assert.deepEqual(seen(), [['documents', 100, 10, 10]])
  await store(10, { max: 12 })
  assert.deepEqual(seen(), [['documents', 80, 10, 12]], 'a raised limit is another one')
  await store(10, { meter: 'storageBytes', max: 1000 })
  assert.deepEqual(seen(), [
    ['storageBytes', 80, 1000, 1000],
    ['storageBytes', 100, 1000, 1000],
  ])
  app.clock.advance({ seconds: 32 * 24 * 3600 })
  await store(9)
  assert.deepEqual(seen(), [['documents', 80, 9, 10]])
})

test('two that reach a threshold of what is stored at once tell of it once', async () => {
  const { store, seen } = await storingTenant()
  await Promise.all([store(8), store(8), store(8)])
  assert.equal(seen().length, 1)
})

test('nothing is told of what is stored without a limit, or where a tenant wants no notice', async () => {
  const { id, scope, store, seen } = await storingTenant()
  await store(10, { max: null })
  await run(scope, sql`insert into usage_thresholds (tenant_id, meter, percents) values (${id}, 'documents', '{}')`)
  await store(10)
  assert.deepEqual(seen(), [])
})

test('a mail about what is stored says how much it is, and that nothing is taken away', async () => {
  const { store, told } = await storingTenant()
  await store(8, { source: 'DEFAULT' })
  const { subject, paragraphs } = thresholdText(told[0] ?? assert.fail(), { subject: null, isOfEachUser: false })
  assert.equal(subject, '80 % of the limit: documents')
  assert.deepEqual(paragraphs, [
    'Your tenant stores 8 of 10 documents, which is 80 % of the limit or more.',
    'This is the limit of the installation.',
    'At 100 % nothing more can be stored. Nothing that is stored is taken away.',
  ])
})
