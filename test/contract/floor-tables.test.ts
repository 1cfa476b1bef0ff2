import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readMigrations } from '../../src/storage/migrations.ts'

/** The tables of the floor itself: of storage, jobs and http, and of the language-model client. */
const floorTables = ['installation', 'row_counts', 'row_count_changes', 'public_revision', 'job_turns', 'service_nodes']
const ownTables = [...floorTables, 'idempotency_keys', 'model_tokens']

const sources = globSync(
  'src/{kernel,storage,jobs,backup,http,summarizer,text,retrieval,extraction,ai}/**/*.ts',
).filter((path) => !path.endsWith('.test.ts'))

test('no file of the floor or of an engine has SQL that names a table of a capability', async () => {
  const created = (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, table]) => String(table)),
  )
  const tables = created.filter((table) => !ownTables.includes(table))
  const naming = new RegExp(`\\b(?:from|into|update|join|table)\\s+(?:${tables.join('|')})\\b`)
  const found = sources.filter((path) => naming.test(readFileSync(path, 'utf8')))
  assert.ok(tables.includes('tenants') && sources.length > 100, 'the test looks at nothing')
  assert.deepEqual(found, [])
})
