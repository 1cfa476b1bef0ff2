import { listSequences, listTables, type Table } from './catalog.ts'
import { formatVersion, type Manifest, type Row, type Tally, tally, toLine } from './format.ts'
import type { Session } from './session.ts'
import type { BackupSeal } from './trailer.ts'

/** Values as text that does not depend on the server's settings and loses nothing. For the open transaction. */
const exactly = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0;
  set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`

const batchBytes = 1024 * 1024
const batchRowsMax = 5000

export async function beginTransaction(session: Session, mode: string): Promise<void> {
  await session.query(`begin ${mode}`)
  await session.query(exactly)
}

/**
 * The lines of a backup of all that was committed when it began, while others write. Holds a few rows at a time.
 * @param seal the one that the lines will be sealed with; throws if the database has another master key
 */
export async function* dump(
  session: Session,
  { version, createdAt, seal }: { version: string; createdAt: Date; seal: Pick<BackupSeal, 'masterKeyCheck'> | null },
): AsyncGenerator<string> {
  await beginTransaction(session, 'isolation level repeatable read, read only')
  try {
    const manifest = await manifestOf(session, { version, createdAt: createdAt.toISOString() })
    if (seal !== null && seal.masterKeyCheck !== manifest.masterKeyCheck) {
      throw new Error('The master key here is not the one of the database. Give the service’s own as MASTER_KEY.')
    }
    yield toLine(manifest)
    const tallies: Record<string, Tally> = {}
    for (const table of await listTables(session)) {
      yield toLine({ table: table.name, columns: table.columns.map(({ name }) => name) })
      const rows = tally()
      for await (const row of readRows(session, table)) {
        const line = toLine(row)
        rows.add(line)
        yield line
      }
      tallies[table.name] = rows.result()
    }
    for (const name of await listSequences(session)) {
      const [[value, isCalled] = []] = await session.rows(`select last_value::text, is_called::text from ${name}`)
      yield toLine({ sequence: name, value: value as string, isCalled: isCalled === 'true' })
    }
    yield toLine({ end: { tables: tallies } })
  } finally {
    await session.query('rollback').catch(() => undefined)
  }
}

/** Counts and hashes every table, in the transaction that is open. */
export async function tallyAll(session: Session): Promise<Record<string, Tally>> {
  const tallies: Record<string, Tally> = {}
  for (const table of await listTables(session)) {
    const rows = tally()
    for await (const row of readRows(session, table)) rows.add(toLine(row))
    tallies[table.name] = rows.result()
  }
  return tallies
}

/** In an open transaction that began with `beginExactly`; one such walk at a time. */
export async function* readRows(
  session: Session,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
): AsyncGenerator<Row> {
  const values = columns.map((column) => `${column.name}::text`).join(', ')
  await session.query(`declare backup_rows no scroll cursor for select ${values} from ${name}`)
  let ask = 100
  for (;;) {
    const rows = await session.rows(`fetch ${ask} from backup_rows`)
    yield* rows
    if (rows.length < ask) break
    ask = nextAsk(rows)
  }
  await session.query('close backup_rows')
}

/** So many rows that a batch has about `batchBytes`, whether they hold flags or whole documents. */
function nextAsk(rows: Row[]): number {
  let characters = 1
  for (const row of rows) for (const value of row) characters += value?.length ?? 0
  return Math.max(1, Math.min(batchRowsMax, Math.floor((rows.length * batchBytes) / characters)))
}

async function manifestOf(session: Session, about: { version: string; createdAt: string }): Promise<Manifest> {
  const [[isThere] = []] = await session.rows("select (to_regclass('installation') is not null)::text")
  const [[masterKeyCheck] = []] =
    isThere === 'true' ? await session.rows('select master_key_check from installation where id = 1') : []
  if (typeof masterKeyCheck !== 'string') {
    throw new Error('There is nothing to back up: no service has been started on this database yet.')
  }
  const migrations = await session.rows('select name, checksum from schema_migrations order by name collate "C"')
  return {
    atrium: 'backup',
    format: formatVersion,
    ...about,
    database: session.kind,
    migrations: migrations.map(([name, checksum]) => ({ name: name as string, checksum: checksum as string })),
    masterKeyCheck,
  }
}
