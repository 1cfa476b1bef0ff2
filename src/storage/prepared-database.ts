import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { type Migration, migrate } from './migrations.ts'
import { openScratch } from './pglite.ts'
import { syncFolder } from './sync-folder.ts'

// Making an embedded database takes seconds, copying one a fraction of a second: docs/decisions/0012-prepared-database.md.

type Place = { cacheFolder?: string }

// Goes when the packages do, and is written by whoever installs them.
const packagesCache = fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url))
// Enough for a disk to sync many files in one go, and far below the usual limit of 1024 open files.
const filesAtOnce = 64
// A prepared database holds no secret, and whoever starts the service may be another user than installed the packages.
const readableByAll = { file: 0o644, folder: 0o755 }
const ownersAlone = { file: 0o600, folder: 0o700 }

/**
 * An empty database to which the migrations are applied, in a folder that nobody changes; made at the first call and
 * kept beside the packages. Null where it cannot be kept.
 */
export async function preparedDatabase(
  migrations: Migration[],
  { cacheFolder = packagesCache }: Place = {},
): Promise<string | null> {
  const kept = join(cacheFolder, `database-${await fingerprint(migrations)}`)
  if (!(await isWhole(kept))) await keep(kept, migrations)
  return (await isWhole(kept)) ? databaseOf(kept) : null
}

/** Whether nothing is missing: a cache may be cleared by anybody, and not always all of it. */
async function isWhole(kept: string): Promise<boolean> {
  try {
    return (await readFile(listOf(kept), 'utf8')) === (await pathsIn(databaseOf(kept)))
  } catch {
    return false
  }
}

/** Best effort: another process may be faster, and the place may be closed to us. */
async function keep(kept: string, migrations: Migration[]): Promise<void> {
  let draft = ''
  try {
    await mkdir(dirname(kept), { recursive: true })
    draft = await mkdtemp(join(dirname(kept), 'draft-'))
    await mkdir(databaseOf(draft))
    await make(databaseOf(draft), migrations)
    await writeFile(listOf(draft), await pathsIn(databaseOf(draft)))
    await settle(draft, readableByAll)
    if (!(await isWhole(kept))) await rm(kept, { recursive: true, force: true })
    await rename(draft, kept)
    syncFolder(dirname(kept))
  } catch {
    if (draft !== '') await rm(draft, { recursive: true, force: true })
  }
}

const databaseOf = (kept: string) => join(kept, 'database')
const listOf = (kept: string) => join(kept, 'paths')

async function pathsIn(folder: string): Promise<string> {
  const { folders, files } = await treeOf(folder)
  return [...folders, ...files].join('\n')
}

/**
 * Makes an empty database in `folder`, the migrations applied: beside its place, and moved there when it is whole and on
 * the disk, so that a crash leaves all of it or nothing.
 */
export async function createDatabase(folder: string, migrations: Migration[], place?: Place): Promise<void> {
  const draft = `${folder}.new`
  const prepared = await preparedDatabase(migrations, place)
  await rm(draft, { recursive: true, force: true })
  if (prepared === null || !(await isCopied(prepared, draft))) {
    await mkdir(draft, { mode: 0o700 })
    await make(draft, migrations)
  }
  await settle(draft, ownersAlone)
  await rename(draft, folder)
  syncFolder(dirname(folder))
}

/** False, and nothing is there, where the prepared database cannot be read: it may be cleared at any time. */
async function isCopied(prepared: string, to: string): Promise<boolean> {
  try {
    await copyTree(prepared, to)
    return true
  } catch {
    await rm(to, { recursive: true, force: true })
    return false
  }
}

/** What a prepared database depends on. */
async function fingerprint(migrations: Migration[]): Promise<string> {
  const pglite = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '../package.json'), 'utf8')) as {
    version: string
  }
  const parts = [version, ...migrations.flatMap(({ name, checksum }) => [name, checksum])]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

/** In an empty folder. Does not wait for the disk. */
async function make(folder: string, migrations: Migration[]): Promise<void> {
  const pglite = await openScratch(folder)
  try {
    const client = new pg.Client({ ...createPgConfig(pglite) })
    await client.connect()
    // Without any not even the table of those that were applied.
    if (migrations.length > 0) await migrate(client, migrations)
    await client.end()
  } finally {
    // Shut down in order: a copy has nothing to recover.
    await pglite.close()
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  const { folders, files } = await treeOf(from)
  await mkdir(to, { mode: 0o700 })
  for (const path of folders) await mkdir(join(to, path))
  await forEach(files, (path) => copyFile(join(from, path), join(to, path)))
}

/** Gives everything its mode and waits until it is on the disk. */
async function settle(root: string, modes: { file: number; folder: number }): Promise<void> {
  const { folders, files } = await treeOf(root)
  await forEach(files, async (path) => {
    const file = await open(join(root, path), 'r+')
    try {
      await file.chmod(modes.file)
      await file.sync()
    } finally {
      await file.close()
    }
  })
  // A folder after those in it.
  for (const path of [...folders.reverse(), '']) {
    await chmod(join(root, path), modes.folder)
    syncFolder(join(root, path))
  }
}

/** Paths relative to `root`; a folder before those in it. */
async function treeOf(root: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = (isFolder: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === isFolder)
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
  return { folders: paths(true).sort(), files: paths(false).sort() }
}

async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const takeTurns = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: filesAtOnce }, takeTurns))
}
