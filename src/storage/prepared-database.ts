import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { pgliteVersion } from './compiled-pglite.ts'
import { type Migration, migrate } from './migrations.ts'
import { type DatabaseFiles, openScratch } from './pglite.ts'
import { syncFolder } from './sync-folder.ts'

// Creating an embedded database takes seconds; writing a prepared one takes a fraction of a second: docs/decisions/0012-prepared-database.md.

type CacheOptions = { cacheFolder?: string }

// Removed together with the packages, and written by the user who installs them.
const packagesCache = fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url))
// Enough for a disk to sync many files in one go, and far below the usual limit of 1024 open files.
const filesAtOnce = 64
// Far longer than a cache takes to be written: an older draft is left from a process that was killed.
const draftAgeMsMax = 3_600_000

/** An empty database with all migrations applied. The first call creates it and caches it beside the packages. */
export async function preparedDatabase(
  migrations: Migration[],
  { cacheFolder = packagesCache }: CacheOptions = {},
): Promise<DatabaseFiles> {
  const archive = await archivePath(migrations, { cacheFolder })
  const cached = await readArchive(archive)
  if (cached !== null) return cached
  const built = await buildDatabase(migrations, { cacheFolder })
  await writeArchive(archive, built)
  return built
}

/** The file in which that database is cached. */
export async function archivePath(
  migrations: Migration[],
  { cacheFolder = packagesCache }: CacheOptions = {},
): Promise<string> {
  return join(cacheFolder, `database-${await fingerprint(migrations)}.zst`)
}

/** Null if there is none, or if it is damaged: zstd checks a sum of the content. */
async function readArchive(archive: string): Promise<DatabaseFiles | null> {
  try {
    return deserialize(zstdDecompressSync(await readFile(archive))) as DatabaseFiles
  } catch {
    return null
  }
}

/** Best effort: the folder may be read-only. Of several processes that write at once, the last one stays. */
async function writeArchive(archive: string, files: DatabaseFiles): Promise<void> {
  const compressed = zstdCompressSync(serialize(files), { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const cacheFolder = dirname(archive)
  try {
    await mkdir(cacheFolder, { recursive: true })
    await removeOldDrafts(cacheFolder)
    const draft = join(await mkdtemp(join(cacheFolder, 'draft-')), basename(archive))
    // It holds no secrets, and another user than the one who installed the packages may start the service.
    await writeFile(draft, compressed, { flush: true })
    await chmod(draft, 0o644)
    await rename(draft, archive)
    await rm(dirname(draft), { recursive: true })
  } catch {
    // The next process builds it again.
  }
}

async function removeOldDrafts(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const path = join(cacheFolder, name)
    if (!name.startsWith('draft-') || Date.now() - (await stat(path)).mtimeMs < draftAgeMsMax) continue
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * Creates an empty database with all migrations applied in `folder`. It is written beside the folder and renamed once it
 * is complete and on disk, so that a crash leaves all of it or nothing.
 */
export async function createDatabase(folder: string, migrations: Migration[], options?: CacheOptions): Promise<void> {
  await keepDraft(folder, await draftDatabase(folder, migrations, options))
}

/** The first half of `createDatabase`: gives the folder in which the draft is. What a killed process left there is removed. */
export async function draftDatabase(folder: string, migrations: Migration[], options?: CacheOptions): Promise<string> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await writeFiles(draft, await preparedDatabase(migrations, options))
  return draft
}

/** The other half. Nobody has the draft open, and all of it is on disk. */
export async function keepDraft(folder: string, draft: string): Promise<void> {
  await rename(draft, folder)
  syncFolder(dirname(folder))
}

// Raised with every change in how a database is built.
const buildVersion = '2'

/** A hash of everything that a prepared database depends on. */
async function fingerprint(migrations: Migration[]): Promise<string> {
  const parts = [pgliteVersion, buildVersion, ...migrations.flatMap(({ name, checksum }) => [name, checksum])]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

async function buildDatabase(migrations: Migration[], options: CacheOptions): Promise<DatabaseFiles> {
  const parent = await mkdtemp(join(tmpdir(), 'atrium-database-'))
  const folder = join(parent, 'database')
  try {
    // What takes seconds is done once for all that are migrated: to create an empty one.
    if (migrations.length > 0) await writeFiles(folder, await preparedDatabase([], options))
    const pglite = await openScratch(folder)
    try {
      const client = new pg.Client({ ...createPgConfig(pglite) })
      await client.connect()
      // Without migrations there is no table of applied migrations either.
      if (migrations.length > 0) await migrate(client, migrations)
      else await dropTemplates(client)
      // What the migrations wrote to the log is left behind: each copy would start with a log that is nearly full.
      await client.query('select pg_switch_wal()')
      await client.end()
    } finally {
      // A clean shutdown, so that a copy needs no recovery.
      await pglite.close()
    }
    return await readDatabaseFiles(folder)
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

/** From which PostgreSQL creates databases. There is only ever one here, and they are a third of its files. */
async function dropTemplates(client: pg.ClientBase): Promise<void> {
  await client.query('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await client.query(`drop database ${name}`)
}

/** The files of the database in a folder, which nobody has open. */
export async function readDatabaseFiles(folder: string): Promise<DatabaseFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = (isFolder: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === isFolder)
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .sort()
  const files: DatabaseFiles['files'] = []
  for (const path of paths(false)) files.push({ path, bytes: await readFile(join(folder, path)) })
  return { folders: paths(true), files }
}

/** Writes the files to the disk, for their owner alone. */
async function writeFiles(folder: string, { folders, files }: DatabaseFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const path of folders) await mkdir(join(folder, path), { mode: 0o700 })
  const waiting = files.values()
  const writeNext = async () => {
    for (const { path, bytes } of waiting) await writeFile(join(folder, path), bytes, { mode: 0o600, flush: true })
  }
  await Promise.all(Array.from({ length: filesAtOnce }, writeNext))
  // Inner folders before the folder that holds them.
  for (const path of [...folders.toReversed(), '']) syncFolder(join(folder, path))
}
