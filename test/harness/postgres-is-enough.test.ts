import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { askedOfPostgresAlone, postgresIsEnough } from './postgres-is-enough.ts'

test('what files that run on PostgreSQL alone ask of it is named unless PGlite is asked the same', () => {
  const text = 'select ? from users u where u.tenant_id = ? and u.id = ?'
  // Stores have all words of the last two, but not in one piece.
  const ofTest = ['delete from a_table_of_no_store where id = ?', "'TRIAL'", 'select ? from users u where u.id = ?']
  const ran = (database: string, file: string, ...statements: string[]) => ({
    database,
    statements: { [file]: statements },
  })
  const here = ran('postgres', 'a.test.ts', text, ...ofTest)
  assert.deepEqual(askedOfPostgresAlone([here], ['a.test.ts']), [text], 'and not what only a test asks')
  assert.deepEqual(askedOfPostgresAlone([here, ran('pglite', 'b.test.ts', text)], ['a.test.ts']), [])
  assert.deepEqual(askedOfPostgresAlone([here], ['c.test.ts']), [], 'a file that runs on both')
})

test('every file that runs on PostgreSQL alone is there, and is named once', () => {
  assert.deepEqual(
    postgresIsEnough.filter((file) => !existsSync(file)),
    [],
  )
  assert.equal(new Set(postgresIsEnough).size, postgresIsEnough.length)
})
