import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Runs the migrations that the database has not seen, in the order of their numbers and in one transaction. Nodes that
 * start at once wait for each other (an advisory lock). Rejects where the database is newer than this program.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  // Its own Kysely over the caller's pool, never destroyed: that would end the pool.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('corrupted migrations')) {
    throw new Error(
      `The database has a migration that this program does not know: it belongs to a newer version of Atrium. (${message})`,
    )
  }
  throw error
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = files.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return [name.replace('.sql', ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}
