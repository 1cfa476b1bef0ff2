import { type Migration, migrateWithin } from '../storage/migrations.ts'
import { type Column, findObstacles, hasTables, listTables, type Table } from './catalog.ts'
import { beginTransaction, tallyAll } from './dump.ts'
import { BadBackup, type Manifest, type Part, type Row, refuseDifferent, type Sequence } from './format.ts'
import type { Session } from './session.ts'

const batchRowsMax = 2000
const batchCharactersMax = 1024 * 1024

/** What the program can do with a backup of this history. Throws BadBackup where it is newer, or another program's. */
export function migrationsOf(manifest: Manifest, known: Migration[]): Migration[] {
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = known.find((candidate) => candidate.name === name)
    if (migration === undefined) {
      throw new BadBackup(
        `It was written by a newer program, version ${manifest.version}, whose migration ${name} this one does not know. Restore it with that version or a newer one.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new BadBackup(`Its migration ${name} is not this program's: it was changed after the backup was made.`)
    }
    return migration
  })
}

/**
 * Restores a backup into an empty database, in one transaction: all of it is there afterwards, counted and hashed again,
 * or nothing is. A backup of an older program is brought up to date.
 * @param afterwards what the world outside has to be told of the database having gone back in time.
 * @param isPrepared the database was made for this backup alone, with the tables of its migrations, which are empty.
 */
export async function load(
  session: Session,
  {
    parts,
    migrations,
    afterwards = [],
    isPrepared = false,
  }: { parts: AsyncIterable<Part>; migrations: Migration[]; afterwards?: readonly string[]; isPrepared?: boolean },
): Promise<void> {
  await beginTransaction(session, '')
  try {
    if (!isPrepared && (await hasTables(session))) {
      throw new Error(
        "The database is not empty. A backup is restored into an empty one: give the name of a new database, or move the data folder's `database` away.",
      )
    }
    await fill(session, parts, migrations)
    for (const statement of afterwards) await session.query(statement)
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => undefined)
    throw error
  }
}

/** For a database that stays after `load`. */
export async function settle(session: Session): Promise<void> {
  await session.query('analyze')
  // A server writes its log back by itself.
  if (session.kind === 'pglite') await session.query('checkpoint')
}

async function fill(session: Session, parts: AsyncIterable<Part>, migrations: Migration[]): Promise<void> {
  let tables: Table[] = []
  let putBack: string[] = []
  const loader = loaderOf(session)
  for await (const part of parts) {
    if (part.kind === 'row') {
      await loader.add(part.row)
      continue
    }
    await loader.flush()
    switch (part.kind) {
      case 'manifest':
        await migrateWithin(session, migrationsOf(part.manifest, migrations))
        tables = await listTables(session)
        putBack = await makeWay(session, tables)
        break
      case 'table':
        loader.begin(part.header.table, columnsOf(part.header, tables))
        break
      case 'sequence':
        await setSequence(session, part.sequence)
        break
      case 'end':
        for (const statement of putBack) await session.query(statement)
        // What the database gives back is compared, not what it was given.
        refuseDifferent(part.tables, await tallyAll(session))
        await migrateWithin(session, migrations)
    }
  }
}

/** Empties the tables, in which migrations may have put rows, and gives the statements that put back what would be in the way. */
async function makeWay(session: Session, tables: Table[]): Promise<string[]> {
  const obstacles = await findObstacles(session)
  for (const { remove } of obstacles) await session.query(remove)
  const filled = await tablesWithRows(session, tables)
  if (filled.length > 0) await session.query(`truncate ${filled.join(', ')}`)
  return ['set constraints all immediate', ...obstacles.map(({ restore }) => restore)]
}

/** Of some 160 tables migrations fill three. To empty the others takes a second: each gets new files, and so do its indexes. */
async function tablesWithRows(session: Session, tables: Table[]): Promise<string[]> {
  const asked = tables.map(({ name }, index) => `select ${index} where exists (select from ${name})`)
  const rows = await session.rows(`select filled::text from (${asked.join(' union all ')}) as found(filled)`)
  return rows.map(([index]) => (tables[Number(index)] as Table).name)
}

function columnsOf({ table, columns }: { table: string; columns: string[] }, tables: Table[]): Column[] {
  const known = tables.find(({ name }) => name === table)
  if (known === undefined) {
    throw new BadBackup(
      `Its table ${table} is made by no migration of this program: the database held something else too.`,
    )
  }
  return columns.map((name) => {
    const column = known.columns.find((candidate) => candidate.name === name)
    if (column === undefined)
      throw new BadBackup(`Its table ${table} has a column ${name} that is made by no migration.`)
    return column
  })
}

async function setSequence(session: Session, { sequence, value, isCalled }: Sequence): Promise<void> {
  await session.rows('select setval($1::regclass, $2::bigint, $3)', [sequence, value, isCalled])
}

/** Inserts rows in batches: one array of texts for each column, which the database reads as the column's type. */
function loaderOf(session: Session) {
  let statement = ''
  let width = 0
  let rows: Row[] = []
  let characters = 0
  const flush = async () => {
    if (rows.length === 0) return
    const batch = rows
    rows = []
    characters = 0
    await session.rows(
      statement,
      Array.from({ length: width }, (_, index) => batch.map((row) => row[index])),
    )
  }
  return {
    begin: (table: string, columns: Column[]) => {
      statement = insertInto(table, columns)
      width = columns.length
    },
    add: async (row: Row) => {
      rows.push(row)
      for (const value of row) characters += value?.length ?? 0
      if (rows.length >= batchRowsMax || characters >= batchCharactersMax) await flush()
    },
    flush,
  }
}

function insertInto(table: string, columns: Column[]): string {
  const values = columns.map(({ type }, index) => `v${index}::${type}`).join(', ')
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const names = columns.map((_, index) => `v${index}`).join(', ')
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
    select ${values} from unnest(${arrays}) as given(${names})`
}
