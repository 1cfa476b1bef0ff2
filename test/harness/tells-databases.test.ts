import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thatTellDatabases } from './tells-databases.ts'

test('a test file can tell the databases apart where it asks, or something that it imports does', () => {
  const own = ['src/storage/pipeline.test.ts', 'test/journeys/visits.test.ts']
  const through = ['src/catalog/products/product-admin.routes.test.ts', 'src/webhooks/attempts/deliveries.test.ts']
  const neither = ['src/kernel/period.test.ts', 'agent/plan.test.ts', 'test/contract/lock.test.ts']
  assert.deepEqual(thatTellDatabases([...neither, ...own, ...through]), [...own, ...through])
})
