import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Migration = { name: string; sql: string; checksum: string }

/** A driver's client on one session, without a limit on how long a statement takes. */
type Session = {
  query(text: string, values?: unknown[]): Promise<{ rows: { name: string; checksum: string }[] }>
}

// Any constant of our own; `atrium` in ASCII, as a decimal: PostgreSQL 15 reads no hexadecimal numbers.
const lockId = '107152763614573'

/** The oldest PostgreSQL on which the tests run, `test/harness/oldest-postgres.ts`. The migrations use syntax of it. */
export const oldestPostgres = 15

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** `NNNN_name.sql` files in the order of their numbers. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (file) => {
      // Git may check out text with other line ends.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return { name: file.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Told once, before the first migration that the database lacks: how many there are to apply. */
export type OnMigrations = (count: number) => void

/**
 * Applies what the database does not have yet, each migration in a transaction of its own. Processes that start at once
 * take turns. Throws, and changes nothing, if the database is newer than the program or has another history.
 *
 * Not Kysely's Migrator: its lock belongs to a session, which a proxy that pools by transaction never gives back, and
 * it knows no checksums.
 */
export async function migrate(session: Session, migrations: Migration[], onMigrations?: OnMigrations): Promise<void> {
  let isTold = false
  const tellOnce = (count: number) => {
    if (!isTold) onMigrations?.(count)
    isTold = true
  }
  while (await applyNext(session, migrations, tellOnce)) {
    // One per transaction: a crash in the middle keeps those that were finished.
  }
}

async function applyNext(session: Session, migrations: Migration[], onMigrations?: OnMigrations): Promise<boolean> {
  await session.query('begin')
  try {
    const isApplied = await applyNextInTransaction(session, migrations, onMigrations)
    await session.query('commit')
    return isApplied
  } catch (error) {
    await session.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Applies all migrations in the transaction that is open on the session. */
export async function migrateWithin(session: Session, migrations: Migration[]): Promise<void> {
  while (await applyNextInTransaction(session, migrations)) {
    // Until none is left.
  }
}

async function applyNextInTransaction(
  session: Session,
  migrations: Migration[],
  onMigrations?: OnMigrations,
): Promise<boolean> {
  await refuseOldServer(session)
  await session.query(`select pg_advisory_xact_lock(${lockId})`)
  const applied = await appliedMigrations(session)
  refuseOtherHistory(applied, migrations)
  const [next, ...others] = migrations.filter(({ name }) => !applied.has(name))
  if (next === undefined) return false
  onMigrations?.(1 + others.length)
  await session.query(next.sql)
  await session.query('insert into schema_migrations (name, checksum) values ($1, $2)', [next.name, next.checksum])
  return true
}

async function refuseOldServer(session: Session): Promise<void> {
  const { rows: tooOld } = await session.query(
    `select current_setting('server_version') as name where current_setting('server_version_num')::int < ${oldestPostgres}0000`,
  )
  if (tooOld.length === 0) return
  throw new Error(
    `The database server is PostgreSQL ${tooOld[0]?.name}. Atrium needs version ${oldestPostgres} or newer: upgrade the ` +
      'server, or set DATABASE_URL to a newer one.',
  )
}

async function appliedMigrations(session: Session): Promise<Map<string, string>> {
  // Checked first, because `create table if not exists` sends a notice each time and needs the right to create.
  const { rows: tables } = await session.query("select 'x' as name where to_regclass('schema_migrations') is not null")
  if (tables.length === 0) {
    await session.query(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
  }
  const { rows } = await session.query('select name, checksum from schema_migrations')
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** A file was changed after it had been on main, and put back. Databases with either text are equal after the migration 0039. */
const otherChecksums = new Map([
  ['0036_organizations', '315a0acdad70e7d2bbc61edf02443b8e6c859698f6678407f05c28a294014038'],
])

function refuseOtherHistory(applied: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      throw new Error(
        `The database is newer than this program: it has the migration ${name}, which the program does not know. ` +
          'Start the newer version, or restore a backup that was made before it.',
      )
    }
    if (known.get(name) !== checksum && otherChecksums.get(name) !== checksum) {
      throw new Error(
        `The migration ${name} was changed after this database had applied it. Put the file back as it was and make ` +
          'the change in a new migration.',
      )
    }
  }
}
