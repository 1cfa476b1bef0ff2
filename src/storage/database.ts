import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { once } from '../kernel/once.ts'
import { withTimeout } from '../kernel/with-timeout.ts'
import { lockDataFolder } from './folder-lock.ts'
import { flushStatement } from './group-commit.ts'
import { watchGrowth } from './grown-tables.ts'
import type { Handle } from './handle.ts'
import { migrate, readMigrations } from './migrations.ts'
import { explainOpenFailure } from './open-failure.ts'
import { type DatabaseFiles, databaseFolder, type Extensions, isDatabase, openFolder, openMemory } from './pglite.ts'
import { startMaintenance } from './pglite-maintenance.ts'
import { inWholeStatements } from './pglite-messages.ts'
import {
  acquireConnection,
  type Connection,
  pgliteSource,
  postgresSource,
  type Source,
  type StorageLog,
} from './pool.ts'
import { createDatabase, preparedDatabase } from './prepared-database.ts'
import { rootHandle } from './root-handle.ts'
import { copyDatabase, type Snapshot } from './snapshot.ts'

export type Database = {
  kind: 'pglite' | 'postgres'
  handle: Handle
  /** How many milliseconds the smallest query took, with the wait for a free connection. Rejects after `timeoutMs`. */
  ping(timeoutMs: number): Promise<number>
  /** Open connections, those of them that are idle, and callers that wait for one. */
  stats(): { total: number; idle: number; waiting: number }
  /**
   * Copies the embedded database, as it is at one moment of the call, into an existing empty folder in the data folder.
   * Null for a database whose files are not ours. Refuses NOT_FOUND without such a folder, STATE_CONFLICT if it has a copy.
   */
  snapshot: ((folder: string) => Promise<Snapshot>) | null
  /** Waits for running statements. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** `postgres://...`; null for the embedded database. */
  databaseUrl: string | null
  /** Where the embedded database lives, locked against a second process; `:memory:` for one that is forgotten. */
  dataFolder: string
  log: StorageLog
  /** Connections to PostgreSQL. */
  poolMax?: number
  /** What `:memory:` is a copy of, if not of an empty database. */
  copied?: DatabaseFiles
  /** What can be created in `:memory:`. */
  extensions?: Extensions
  /** Told in words what the start is doing where that may take more than a moment. */
  progress?: (text: string) => void
  /** How long a statement may wait for the connection of `:memory:`, if that is longer than the default. */
  waitMsMax?: number
}

/** Opens the database and applies its migrations. Throws an error whose message tells an operator what to do. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === null ? openEmbedded(options) : openServer(options, options.databaseUrl)
}

async function openServer({ poolMax = 8, log, progress }: DatabaseOptions, url: string): Promise<Database> {
  // Not a connection of the pool: a migration, and the wait for one, may take longer than the pool allows a statement.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await migrate(client, await readMigrations(), migrationsTeller(progress))
  } catch (error) {
    throw explainOpenFailure(url, error)
  } finally {
    await client.end().catch(() => undefined)
  }
  const source = postgresSource({ url, connectionsMax: poolMax, log })
  const endWatch = watchGrowth(() => acquireConnection(source), log)
  const close = async () => {
    endWatch()
    await Promise.all([source.pipeline?.close(), source.pool.end()])
  }
  return { kind: 'postgres', ...over(source, log), snapshot: null, close: once(close) }
}

function migrationsTeller(progress: DatabaseOptions['progress']) {
  return (count: number) => progress?.(`Preparing the database: ${count} migration${count === 1 ? '' : 's'} to apply.`)
}

async function openEmbedded({
  dataFolder,
  copied,
  extensions,
  log,
  waitMsMax,
  progress,
}: DatabaseOptions): Promise<Database> {
  if (dataFolder === ':memory:') {
    const pglite = await openMemory(copied ?? (await preparedDatabase(await readMigrations())), extensions)
    return overPglite(pglite, { log, waitMsMax, folder: null, release: async () => undefined })
  }
  const lock = await lockDataFolder(dataFolder)
  try {
    const folder = databaseFolder(dataFolder)
    if (!(await isDatabase(folder))) {
      progress?.(`Creating the embedded database in ${dataFolder}. This happens once and may take half a minute.`)
      await createDatabase(folder, await readMigrations())
    }
    const pglite = await openFolder(folder)
    return await overPglite(pglite, { log, progress, folder: dataFolder, release: lock.release })
  } catch (error) {
    await lock.release()
    throw error
  }
}

type Embedding = {
  progress?: DatabaseOptions['progress'] | undefined
  log: StorageLog
  waitMsMax?: number | undefined
  folder: string | null
  release: () => Promise<void>
}

async function overPglite(pglite: PGlite, { log, progress, waitMsMax, folder, release }: Embedding): Promise<Database> {
  const source = pgliteSource(createPgConfig(inWholeStatements(pglite)), { log, waitMsMax })
  const end = async () => {
    await source.pool.end()
    await pglite.close()
  }
  await migrateThrough(source.pool, progress).catch(async (error: unknown) => {
    await end()
    throw error
  })
  const connect = () => acquireConnection(source)
  const ends = [startMaintenance(connect, log), watchGrowth(connect, log)]
  const close = async () => {
    for (const endUpkeep of ends) endUpkeep()
    await end()
    await release()
  }
  const snapshot = folder === null ? null : (name: string) => snapshotIn(folder, name, source)
  return { kind: 'pglite', ...over(source, log), snapshot, close: once(close) }
}

/** Holds the only connection while it copies, so no statement runs. Others wait for it as long as always, then are refused. */
async function snapshotIn(dataFolder: string, name: string, source: Source): Promise<Snapshot> {
  return copyDatabase(
    { from: databaseFolder(dataFolder), to: databaseFolder(join(dataFolder, name)) },
    async (work) => {
      const connection = await acquireConnection(source)
      try {
        // Otherwise what is not on the disk yet would be written while the files are copied.
        await connection.query({ sql: flushStatement, parameters: [] })
        await work()
      } finally {
        await connection.release()
      }
    },
  )
}

async function migrateThrough(pool: pg.Pool, progress: DatabaseOptions['progress']): Promise<void> {
  const client = await pool.connect()
  try {
    await migrate(client, await readMigrations(), migrationsTeller(progress))
  } finally {
    client.release()
  }
}

function over(source: Source, log: StorageLog) {
  const { pool, pipeline } = source
  const connect = (use?: { isReading: boolean }) => acquireConnection(source, use)
  return {
    handle: rootHandle({ connect, log, pipeline }),
    ping: (timeoutMs: number) => ping(connect, timeoutMs),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

async function ping(connect: () => Promise<Connection>, timeoutMs: number): Promise<number> {
  const startedAt = performance.now()
  const asked = (async () => {
    const connection = await connect()
    try {
      await connection.query({ sql: 'select 1', parameters: [] })
    } finally {
      await connection.release()
    }
  })()
  await withTimeout(timeoutMs, asked)
  return performance.now() - startedAt
}
