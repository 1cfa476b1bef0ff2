import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { oldestPostgres } from '../../src/storage/migrations.ts'
import { filesOnOldestPostgres } from '../harness/oldest-postgres.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the oldest PostgreSQL is the same version in the program, in the documents and where the tests are run', () => {
  assert.match(read('docs/nodes.md'), new RegExp(`^PostgreSQL must be version ${oldestPostgres} or newer`, 'm'))
  const installed = read('.ci/run').match(/postgresql[-/]\d+/g)
  assert.deepEqual(installed, [`postgresql/${oldestPostgres}`, `postgresql-${oldestPostgres}`])
})

test('the files that run on the oldest PostgreSQL exist', () => {
  assert.deepEqual(
    filesOnOldestPostgres.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
    [],
  )
})
