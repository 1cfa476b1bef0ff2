import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { type FolderLock, lockDataFolder } from '../storage/folder-lock.ts'
import type { Migration } from '../storage/migrations.ts'
import { explainOpenFailure } from '../storage/open-failure.ts'
import { databaseFolder, openCopy, openFolder, openScratch } from '../storage/pglite.ts'
import { createDatabase, draftDatabase, keepDraft } from '../storage/prepared-database.ts'
import type { Row } from './format.ts'

/**
 * One connection to a whole database as it is: nothing is migrated, and no statement or wait has a time limit, because
 * a large table takes as long as it takes.
 */
export type Session = {
  kind: 'pglite' | 'postgres'
  /** Rows as arrays of what the driver gives: the backup asks for text alone. */
  rows(text: string, values?: unknown[]): Promise<Row[]>
  query(text: string, values?: unknown[]): Promise<{ rows: { name: string; checksum: string }[] }>
  close(): Promise<void>
}

export async function serverSession(url: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    fallback_application_name: 'atrium-backup',
  })
  try {
    await client.connect()
  } catch (error) {
    throw explainOpenFailure(url, error)
  }
  return over('postgres', client, () => client.end())
}

/** The embedded database in a data folder. Throws FolderInUse. */
export async function folderSession(dataFolder: string): Promise<Session> {
  const lock = await lockDataFolder(dataFolder)
  try {
    return await overPglite(await openFolder(databaseFolder(dataFolder)), lock.release)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * An embedded database with the tables of these migrations, for a data folder that has none. It is the folder's once `fill` has
 * filled it; until then, and if that fails or the process is killed, the folder has none. Throws FolderInUse.
 */
export async function newFolderDatabase(
  dataFolder: string,
  migrations: Migration[],
  fill: (session: Session) => Promise<void>,
): Promise<void> {
  const lock = await lockDataFolder(dataFolder)
  const folder = databaseFolder(dataFolder)
  try {
    const draft = await draftDatabase(folder, migrations)
    try {
      const session = await overPglite(await openFolder(draft))
      await fill(session).finally(session.close)
      await keepDraft(folder, draft)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  } finally {
    await lock.release()
  }
}

/** The copy of an embedded database in a folder that is locked already. The lock ends with the session. */
export async function copySession(dataFolder: string, lock: FolderLock): Promise<Session> {
  return overPglite(await openCopy(databaseFolder(dataFolder)), lock.release)
}

/**
 * An embedded database with the tables of these migrations, which is gone when it is closed. On the disk, so that its size does not
 * become our memory.
 */
export async function scratchSession(migrations: Migration[]): Promise<Session> {
  const parent = await mkdtemp(join(tmpdir(), 'atrium-verify-'))
  const remove = () => rm(parent, { recursive: true, force: true })
  try {
    const folder = join(parent, 'database')
    await createDatabase(folder, migrations)
    return await overPglite(await openScratch(folder), remove)
  } catch (error) {
    await remove()
    throw error
  }
}

/** Closes the database with the session. */
export async function overPglite(
  pglite: PGlite,
  release: () => Promise<void> = async () => undefined,
): Promise<Session> {
  const client = new pg.Client({ ...createPgConfig(pglite) })
  await client.connect()
  return over('pglite', client, async () => {
    await client.end()
    await pglite.close()
    await release()
  })
}

function over(kind: Session['kind'], client: pg.Client, close: () => Promise<void>): Session {
  // The statement that is running, or the next one, fails by itself.
  client.on('error', () => undefined)
  return {
    kind,
    rows: async (text, values) =>
      (await client.query<Row>({ text, rowMode: 'array', ...(values ? { values } : {}) })).rows,
    query: (text, values) => client.query(text, values),
    close,
  }
}
