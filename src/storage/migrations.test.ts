import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { createPostgresDatabase, emptyPglite, freshDatabase } from '../../test/harness/database.ts'
import { type Migration, migrate, readMigrations } from './migrations.ts'
import { sql } from './query.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

/** A session of an empty database. */
async function emptyDatabase(t: { after(work: () => Promise<void>): void }): Promise<pg.ClientBase> {
  if (isServer) {
    const client = new pg.Client({ connectionString: await createPostgresDatabase() })
    await client.connect()
    t.after(() => client.end())
    return client
  }
  const pglite = await emptyPglite()
  const client = new pg.Client({ ...createPgConfig(pglite) })
  await client.connect()
  t.after(() => pglite.close())
  return client
}

function migration(name: string, text: string): Migration {
  return { name, sql: text, checksum: `checksum of ${text}` }
}

async function tables(session: pg.ClientBase): Promise<string[]> {
  const { rows } = await session.query(
    `select table_name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  return rows.map(({ table_name }) => table_name)
}

describe('migrations', () => {
  test('are applied in the order of their numbers, once', async (t) => {
    const session = await emptyDatabase(t)
    const both = [
      migration('0001_a', 'create table a (id int); create table b (id int)'),
      migration('0002_b', 'drop table b'),
    ]
    await migrate(session, both.slice(0, 1))
    assert.deepEqual(await tables(session), ['a', 'b', 'schema_migrations'])
    await migrate(session, both)
    await migrate(session, both)
    assert.deepEqual(await tables(session), ['a', 'schema_migrations'])
    const { rows } = await session.query('select name from schema_migrations order by name')
    assert.deepEqual(rows, [{ name: '0001_a' }, { name: '0002_b' }])
  })

  test('give the same tables to databases that were made with the other text of 0036', async (t) => {
    const session = await emptyDatabase(t)
    const all = await readMigrations()
    const at = all.findIndex(({ name }) => name === '0036_organizations')
    const text = String(all[at]?.sql).replace('  notify_tasks_due boolean not null default true,\n', '')
    const checksum = createHash('sha256').update(text).digest('hex')
    await migrate(session, [...all.slice(0, at), { name: '0036_organizations', sql: text, checksum }])
    await migrate(session, all)
    const { rows } = await session.query(
      "select 1 from information_schema.columns where table_name = 'organization_members' and column_name = 'notify_tasks_due'",
    )
    assert.equal(rows.length, 1)
  })

  test('are refused by a server that is too old, before anything is asked that it may not understand', async () => {
    const asked: string[] = []
    const session = {
      query: async (text: string) => {
        asked.push(text)
        return { rows: text.includes('server_version_num') ? [{ name: '14.23', checksum: '' }] : [] }
      },
    }
    await assert.rejects(migrate(session, [migration('0001_a', 'create table a (id int)')]), {
      message:
        'The database server is PostgreSQL 14.23. Atrium needs version 15 or newer: upgrade the server, or set ' +
        'DATABASE_URL to a newer one.',
    })
    assert.equal(asked.length, 3)
    assert.deepEqual([asked[0], asked[2]], ['begin', 'rollback'])
  })

  test('that fail leave nothing behind, and keep all those before', async (t) => {
    const session = await emptyDatabase(t)
    const failing = [
      migration('0001_a', 'create table a (id int)'),
      migration('0002_b', 'create table b (id int); select 1/0'),
    ]
    await assert.rejects(migrate(session, failing), { code: '22012' })
    assert.deepEqual(await tables(session), ['a', 'schema_migrations'])
    await migrate(session, [failing[0] as Migration, migration('0002_b', 'create table b (id int)')])
    assert.deepEqual(await tables(session), ['a', 'b', 'schema_migrations'])
  })

  test('refuse a database of a newer program, and one whose migrations were changed', async (t) => {
    const session = await emptyDatabase(t)
    const [first, second] = [migration('0001_a', 'create table a (id int)'), migration('0002_b', 'select 1')]
    await migrate(session, [first, second])
    await assert.rejects(migrate(session, [first]), /newer than this program: it has the migration 0002_b/)
    await assert.rejects(migrate(session, [{ ...first, checksum: 'other' }, second]), /0001_a was changed after/)
    assert.deepEqual(await tables(session), ['a', 'schema_migrations'])
  })

  test('are numbered files, read alike whatever their line ends', async () => {
    const migrations = await readMigrations()
    assert.equal(migrations[0]?.name, '0001_house')
    assert.match(migrations[0]?.checksum ?? '', /^[0-9a-f]{64}$/)
  })

  test('all of them are in an opened database', async () => {
    const database = await freshDatabase()
    const { rows } = await database.handle.execute(sql<{ name: string }>`select name from schema_migrations order by 1`)
    assert.deepEqual(
      rows.map(({ name }) => name),
      (await readMigrations()).map(({ name }) => name),
    )
    await database.close()
  })

  test('run once when eight processes start at once', { skip: !isServer && 'PGlite has one process' }, async () => {
    const databaseUrl = await createPostgresDatabase()
    const program = `
      const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./database.ts'))})
      const database = await openDatabase({ databaseUrl: process.argv[1], dataFolder: '', log: console, poolMax: 1 })
      await database.close()`
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, databaseUrl])
    const ended = await Promise.allSettled(Array.from({ length: 8 }, start))
    assert.deepEqual(
      ended.filter(({ status }) => status === 'rejected'),
      [],
    )
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query('select count(*)::int as count from schema_migrations')
    await client.end()
    assert.deepEqual(rows, [{ count: (await readMigrations()).length }])
  })
})
