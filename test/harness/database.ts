import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { migrate, readMigrations } from '../../src/storage/migrations.ts'

const silent = { warn: () => undefined }
const made: string[] = []
let shared: Promise<Database> | null = null

/** The one database of this process, migrated, shared by all test files: a test makes a tenant of its own. Never close it. */
export function testDatabase(): Promise<Database> {
  shared ??= freshDatabase({ waitMsMax: sharedWaitMsMax })
  return shared
}

/** Of files that prepare at once each makes databases of its own, on the one event loop. */
const sharedWaitMsMax = 60_000

/** A database for one test that needs all of it, migrated. Whoever asks closes it. */
export async function freshDatabase(options: { waitMsMax?: number } = {}): Promise<Database> {
  if (process.env['ATRIUM_TEST_DATABASE'] === 'postgres') {
    return openDatabase({ databaseUrl: await createPostgresDatabase(), dataFolder: '', log: silent, poolMax: 8 })
  }
  return openDatabase({
    ...options,
    databaseUrl: null,
    dataFolder: ':memory:',
    log: silent,
    image: await pgliteImage(),
  })
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
  const pglite = await PGlite.create('memory://', { loadDataDir: await pgliteImage() })
  const client = new pg.Client({ ...createPgConfig(pglite) })
  await client.connect()
  await migrate(client, before)
  await fill(client)
  const filled = (await pglite.dumpDataDir('none')) as Blob
  await pglite.close()
  return openDatabase({ databaseUrl: null, dataFolder: ':memory:', log: silent, image: filled })
}

/** The address of a new, empty database on the server of TEST_DATABASE_URL; removed when the process ends. */
export async function createPostgresDatabase(): Promise<string> {
  const server = serverUrl()
  const name = `atrium_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  // In a process of its own, because this one ends without waiting for anything.
  if (made.length === 0) {
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

let image: Promise<Blob> | null = null

/** An empty PGlite cluster, made once a version and kept: a start from it takes a quarter of the time. */
export function pgliteImage(): Promise<Blob> {
  image ??= readImage()
  return image
}

async function readImage(): Promise<Blob> {
  const manifest = join(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))), '../package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const path = fileURLToPath(new URL(`../../node_modules/.cache/atrium/pglite-${version}.tar`, import.meta.url))
  try {
    return await openAsBlob(path) // throws at once where there is no file
  } catch {
    return makeImage(path)
  }
}

async function makeImage(path: string): Promise<Blob> {
  const pglite = await PGlite.create('memory://')
  const made = await pglite.dumpDataDir('none')
  await pglite.close()
  const draft = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(draft, made.stream())
  await rename(draft, path)
  return made
}

if (import.meta.main) {
  for (const name of process.argv.slice(2)) await onServer(serverUrl(), `drop database if exists ${name} with (force)`)
}
