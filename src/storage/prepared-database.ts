import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { type Migration, migrate } from './migrations.ts'
import { openScratch } from './pglite.ts'
import { syncFolder } from './sync-folder.ts'

// Creating an embedded database takes seconds; copying one takes a fraction of a second: docs/decisions/0012-prepared-database.md.

type CacheOptions = { cacheFolder?: string }

// Removed together with the packages, and written by the user who installs them.
const packagesCache = fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url))
// Enough for a disk to sync many files in one go, and far below the usual limit of 1024 open files.
const filesAtOnce = 64
// A prepared database holds no secrets, and another user than the one who installed the packages may start the service.
const readableByAll = { file: 0o644, folder: 0o755 }
const ownerOnly = { file: 0o600, folder: 0o700 }

/**
 * The folder of an empty database with all migrations applied. Nobody changes it. The first call creates it and caches it
 * beside the packages. Null where it cannot be cached.
 */
export async function preparedDatabase(
  migrations: Migration[],
  { cacheFolder = packagesCache }: CacheOptions = {},
): Promise<string | null> {
  const cached = join(cacheFolder, `database-${await fingerprint(migrations)}`)
  if (!(await isComplete(cached))) await cacheDatabase(cached, migrations)
  return (await isComplete(cached)) ? databaseFolder(cached) : null
}

/** Whether all files exist: anybody may clear a cache, sometimes only in part. */
async function isComplete(cached: string): Promise<boolean> {
  try {
    return (await readFile(pathListFile(cached), 'utf8')) === (await listPaths(databaseFolder(cached)))
  } catch {
    return false
  }
}

/** Best effort: another process may be faster, and the folder may be read-only. */
async function cacheDatabase(cached: string, migrations: Migration[]): Promise<void> {
  let draft = ''
  try {
    await mkdir(dirname(cached), { recursive: true })
    draft = await mkdtemp(join(dirname(cached), 'draft-'))
    await mkdir(databaseFolder(draft))
    await buildDatabase(databaseFolder(draft), migrations)
    await writeFile(pathListFile(draft), await listPaths(databaseFolder(draft)))
    await flush(draft, readableByAll)
    if (!(await isComplete(cached))) await rm(cached, { recursive: true, force: true })
    await rename(draft, cached)
    syncFolder(dirname(cached))
  } catch {
    if (draft !== '') await rm(draft, { recursive: true, force: true })
  }
}

const databaseFolder = (cached: string) => join(cached, 'database')
const pathListFile = (cached: string) => join(cached, 'paths')

async function listPaths(folder: string): Promise<string> {
  const { folders, files } = await readTree(folder)
  return [...folders, ...files].join('\n')
}

/**
 * Creates an empty database with all migrations applied in `folder`. It is built beside the folder and renamed once it is
 * complete and on disk, so that a crash leaves all of it or nothing.
 */
export async function createDatabase(folder: string, migrations: Migration[], options?: CacheOptions): Promise<void> {
  const draft = `${folder}.new`
  const prepared = await preparedDatabase(migrations, options)
  await rm(draft, { recursive: true, force: true })
  if (prepared === null || !(await tryCopy(prepared, draft))) {
    await mkdir(draft, { mode: 0o700 })
    await buildDatabase(draft, migrations)
  }
  await flush(draft, ownerOnly)
  await rename(draft, folder)
  syncFolder(dirname(folder))
}

/** Copies the prepared database. False, with nothing left behind, if it cannot be read: it may be cleared at any time. */
async function tryCopy(prepared: string, to: string): Promise<boolean> {
  try {
    await copyTree(prepared, to)
    // Files that were removed before the copy listed them would be missing silently.
    if ((await readFile(pathListFile(dirname(prepared)), 'utf8')) === (await listPaths(to))) return true
  } catch {
    // Removed meanwhile.
  }
  await rm(to, { recursive: true, force: true })
  return false
}

/** A hash of everything that a prepared database depends on. */
async function fingerprint(migrations: Migration[]): Promise<string> {
  const pglite = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '../package.json'), 'utf8')) as {
    version: string
  }
  const parts = [version, ...migrations.flatMap(({ name, checksum }) => [name, checksum])]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

/** Creates a database in an empty folder, without waiting for the disk. */
async function buildDatabase(folder: string, migrations: Migration[]): Promise<void> {
  const pglite = await openScratch(folder)
  try {
    const client = new pg.Client({ ...createPgConfig(pglite) })
    await client.connect()
    // Without migrations there is no table of applied migrations either.
    if (migrations.length > 0) await migrate(client, migrations)
    await client.end()
  } finally {
    // A clean shutdown, so that a copy needs no recovery.
    await pglite.close()
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  const { folders, files } = await readTree(from)
  await mkdir(to, { mode: 0o700 })
  for (const path of folders) await mkdir(join(to, path))
  await forEach(files, (path) => copyFile(join(from, path), join(to, path)))
}

/** Sets the mode of everything and flushes it to disk. */
async function flush(root: string, modes: { file: number; folder: number }): Promise<void> {
  const { folders, files } = await readTree(root)
  await forEach(files, async (path) => {
    const file = await open(join(root, path), 'r+')
    try {
      await file.chmod(modes.file)
      await file.sync()
    } finally {
      await file.close()
    }
  })
  // Inner folders before the folder that holds them.
  for (const path of [...folders.reverse(), '']) {
    await chmod(join(root, path), modes.folder)
    syncFolder(join(root, path))
  }
}

/** Paths relative to `root`; a folder comes before those inside it. */
async function readTree(root: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = (isFolder: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === isFolder)
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
  return { folders: paths(true).sort(), files: paths(false).sort() }
}

async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const runNext = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: filesAtOnce }, runNext))
}
