import assert from 'node:assert/strict'
import { test } from 'node:test'
import { many, sql } from '../src/storage/query.ts'
import { testApp } from './harness/app.ts'
import { migratedPglite } from './harness/database.ts'
import { askedStatements } from './harness/statements.ts'
import { seenSecrets, watchColumn } from './harness/suite-secrets.ts'
import { allTables, quoted } from './harness/tables.ts'

// A few tests make tables of their own.
const missingTable = '42P01'

// `test/run.ts` runs this file behind all others, whichever they are.
test('PGlite understands every statement that PostgreSQL was asked', {
  skip: process.env['ATRIUM_TEST_DATABASE'] !== 'postgres' && 'PGlite was asked itself',
}, async (t) => {
  if (askedStatements.size === 0) return
  const pglite = await migratedPglite()
  t.after(() => pglite.close())
  const refused: string[] = []
  for (const text of askedStatements)
    await pglite.describeQuery(text).catch((error: Error & { code?: string }) => {
      if (error.code !== missingTable) refused.push(`${error.message}: ${text}`)
    })
  t.diagnostic(`${askedStatements.size} statements`)
  assert.deepEqual(refused, [])
})

test('no secret that the tests were given or sent lies in a table, a log line or an answer that is not meant to show it', async (t) => {
  // Tests of processes alone leave no database of this process behind, only what was printed.
  if (seenSecrets().known > 0) await searchTables()
  const { known, leaks } = seenSecrets()
  t.diagnostic(`${known} secrets`)
  assert.deepEqual(leaks, [])
})

async function searchTables(): Promise<void> {
  const { platform } = await testApp()
  const tables = await allTables(platform)
  assert.ok(tables.length > 10)
  for (const table of tables) {
    // As JSON: bytes are hexadecimal there, and every column has its name.
    const rows = await many(
      platform,
      sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row from ${quoted(table)} t`,
    )
    for (const { row } of rows) {
      for (const [column, value] of Object.entries(row)) watchColumn(`${table.schema}.${table.name}.${column}`, value)
    }
  }
}
