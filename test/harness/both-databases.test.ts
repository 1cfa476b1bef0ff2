import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { isTestedOn, onBothDatabases, onOneDatabase } from './both-databases.ts'

test('storage, races and files with tests for one database run on both databases, others on PostgreSQL', () => {
  const both = [
    'src/storage/sql.test.ts',
    'src/vault/servers/placement.test.ts',
    'src/knowledge/vectors/vector-search.test.ts',
  ]
  const postgres = ['src/tasks/tasks/task.test.ts', 'test/contract/access.test.ts', 'test/journeys/outbound.test.ts']
  const pglite = ['test/journeys/order-of-use.test.ts']
  const all = [...both, ...postgres, ...pglite]
  assert.deepEqual(
    all.filter((file) => isTestedOn('pglite', file)),
    [...both, ...pglite],
  )
  assert.deepEqual(
    all.filter((file) => isTestedOn('postgres', file)),
    [...both, ...postgres],
  )
})

test('every place that is named is there', () => {
  assert.deepEqual(
    [...onBothDatabases, ...Object.keys(onOneDatabase)].filter((place) => !existsSync(place)),
    [],
  )
})
