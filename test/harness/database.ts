import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { systemCaller } from '../../src/kernel/caller.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/storage/database.ts'
import { type Migration, migrate, readMigrations } from '../../src/storage/migrations.ts'
import { mintPlatformScope } from '../../src/storage/mint.ts'
import { type DatabaseFiles, openMemory, openScratch } from '../../src/storage/pglite.ts'
import { createDatabase, preparedDatabase, readDatabaseFiles } from '../../src/storage/prepared-database.ts'
import { run, sql } from '../../src/storage/query.ts'
import { temporaryFolder } from './service.ts'
import { rememberingHandle } from './statements.ts'

const silent = { warn: () => undefined }
const made: string[] = []
let shared: Promise<Database> | null = null
// Read once: it is 45 MB, compressed.
let prepared: Promise<DatabaseFiles> | null = null

/** The one database of this process, migrated, shared by all test files: a test makes a tenant of its own. Never close it. */
export function testDatabase(): Promise<Database> {
  shared ??= freshDatabase({ waitMsMax: sharedWaitMsMax })
  return shared
}

/** Of files that prepare at once each makes databases of its own, on the one event loop. */
const sharedWaitMsMax = 60_000

/** Forgets the jobs that were enqueued in the shared database since then and have not run. */
export async function dropJobsSince(start: Date): Promise<void> {
  if (shared === null) return
  const platform = mintPlatformScope((await shared).handle, systemCaller)
  await run(platform, sql`delete from jobs.job_common where state < 'active' and created_on >= ${start}`)
}

/** `extensions`: of the embedded database. */
type FreshOptions = Pick<DatabaseOptions, 'waitMsMax' | 'extensions'>

/** A database for one test that needs all of it, migrated. Whoever asks closes it. */
export async function freshDatabase(options: FreshOptions = {}): Promise<Database> {
  const database = await openMigrated(options)
  return { ...database, handle: rememberingHandle(database.handle) }
}

async function openMigrated(options: FreshOptions): Promise<Database> {
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') {
    return openDatabase({ databaseUrl: await createMigratedDatabase(), dataFolder: '', log: silent, poolMax: 8 })
  }
  return openDatabase({
    ...options,
    databaseUrl: null,
    dataFolder: ':memory:',
    log: silent,
    copied: await readPrepared(),
  })
}

async function readPrepared(): Promise<DatabaseFiles> {
  prepared ??= preparedDatabase(await readMigrations())
  return prepared
}

/**
 * A database as a version before left it, with what that version wrote, opened by this version. Whoever asks closes it.
 * @param migration the number of the first that the version before did not have.
 */
export async function upgradedFrom(
  migration: string,
  fill: (client: pg.ClientBase) => Promise<void>,
): Promise<Database> {
  const before = (await readMigrations()).filter(({ name }) => name < migration)
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') {
    const databaseUrl = await createPostgresDatabase()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await migrate(client, before)
    await fill(client).finally(() => client.end())
    return openDatabase({ databaseUrl, dataFolder: '', log: silent, poolMax: 4 })
  }
  const folder = join(await temporaryFolder(), 'database')
  await createDatabase(folder, before)
  const pglite = await openScratch(folder)
  const client = new pg.Client({ ...createPgConfig(pglite) })
  await client.connect()
  await fill(client)
  await client.end()
  await pglite.close()
  return openDatabase({
    databaseUrl: null,
    dataFolder: ':memory:',
    log: silent,
    copied: await readDatabaseFiles(folder),
  })
}

/** An empty embedded database in memory. Whoever asks closes it. */
export async function emptyPglite(): Promise<PGlite> {
  return openMemory(await preparedDatabase([]))
}

/** The same with all migrations applied. */
export async function migratedPglite(): Promise<PGlite> {
  return openMemory(await readPrepared())
}

/** The address of a new, empty database on the server of TEST_DATABASE_URL; removed when the process ends. */
export function createPostgresDatabase(): Promise<string> {
  return createDatabaseOn(serverUrl(), 'template0')
}

/** A new database there with all migrations applied. */
export async function createMigratedDatabase(): Promise<string> {
  migrated ??= migratedTemplate(serverUrl(), await readMigrations())
  return createDatabaseOn(serverUrl(), await migrated)
}

let migrated: Promise<string> | null = null

/** The name of a migrated database on the server that nobody is connected to: PostgreSQL copies only such. */
async function migratedTemplate(server: string, migrations: Migration[]): Promise<string> {
  const url = await createDatabaseOn(server, 'template0')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await migrate(client, migrations).finally(() => client.end())
  return new URL(url).pathname.slice(1)
}

async function createDatabaseOn(server: string, template: string): Promise<string> {
  const name = `atrium_test_${randomBytes(6).toString('hex')}`
  // The other way, through the log, takes twice as much of a processor: the log of tests is not kept.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  // In a process of its own, because this one ends without waiting for anything.
  if (made.length === 0 && process.env['TEST_DATABASE_IS_TEMPORARY'] === undefined) {
    process.once('exit', () => spawnSync(process.execPath, [import.meta.filename, ...made], { stdio: 'inherit' }))
  }
  made.push(name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) throw new Error('Set TEST_DATABASE_URL to a PostgreSQL whose user may create databases, or use `npm test`.')
  return url
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

async function dropDatabases(names: readonly string[]): Promise<void> {
  for (const name of names) await onServer(serverUrl(), `drop database if exists ${name} with (force)`)
}

// `require` loads no module that awaits at its top level, and test files are loaded by it.
if (import.meta.main) void dropDatabases(process.argv.slice(2))
