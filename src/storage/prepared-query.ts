import pg from 'pg'
import { columnTypes } from './column-types.ts'

type Row = Record<string, unknown>

/** How the rows of a statement are read. */
type Columns = {
  names: string[]
  parsers: ((text: string) => unknown)[]
  /** A row with all columns null. */
  empty: Row
}

/** What is used here of the driver's connection, and of the messages of the server. */
type DriverConnection = { describe: (message: unknown) => void }
type RowDescription = { fields: { name: string; dataTypeID: number }[] }
type DataRow = { fields: (string | null)[] }
type CommandComplete = { text: string }

/** The driver's query, with the methods that its types leave out. */
interface DriverQuery extends pg.Query {
  prepare(connection: DriverConnection): void
  handleRowDescription(message: RowDescription): void
  handleDataRow(message: DataRow): void
  handleCommandComplete(message: CommandComplete, connection: DriverConnection): void
}

const DriverQuery = pg.Query as unknown as new (sql: string, parameters: readonly unknown[]) => DriverQuery

/**
 * A statement with a name. For the driver's own query, the server describes the columns of the result each time, which costs
 * up to a tenth of the processor time of a small read. They cannot change while the statement is prepared, so they are kept.
 */
export class PreparedQuery extends DriverQuery {
  readonly name: string
  /** The rows so far. */
  readonly decoded: Row[] = []
  /** Why a row could not be read. */
  failure: unknown = null
  #columns: Columns | undefined
  #known: Map<string, Columns> | undefined

  constructor(sql: string, parameters: readonly unknown[], name: string) {
    super(sql, parameters)
    this.name = name
  }

  override prepare(connection: DriverConnection): void {
    const kept = keptFor(connection)
    this.#known = kept.columns
    this.#columns = kept.columns.get(this.name)
    kept.isAsking = this.#columns === undefined
    try {
      super.prepare(connection)
    } finally {
      kept.isAsking = true
    }
  }

  override handleRowDescription({ fields }: RowDescription): void {
    this.#columns = toColumns(fields)
    this.#known?.set(this.name, this.#columns)
  }

  override handleDataRow({ fields }: DataRow): void {
    try {
      this.decoded.push(readRow(this.#columns as Columns, fields))
    } catch (error) {
      // Thrown to the driver, it would end the process.
      this.failure ??= error
    }
  }

  override handleCommandComplete(message: CommandComplete, connection: DriverConnection): void {
    if (this.#columns === undefined) this.handleRowDescription({ fields: [] })
    super.handleCommandComplete(message, connection)
  }
}

/** The columns of a connection's statements, by name. `isAsking`: the driver may ask for those of the next statement. */
type Kept = { columns: Map<string, Columns>; isAsking: boolean }

const keptByConnection = new WeakMap<DriverConnection, Kept>()

function keptFor(connection: DriverConnection): Kept {
  const known = keptByConnection.get(connection)
  if (known !== undefined) return known
  const kept: Kept = { columns: new Map(), isAsking: true }
  keptByConnection.set(connection, kept)
  const describe = connection.describe.bind(connection)
  connection.describe = (message) => {
    if (kept.isAsking) describe(message)
  }
  return kept
}

function toColumns(fields: RowDescription['fields']): Columns {
  const names = fields.map(({ name }) => name)
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID, 'text')),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  }
}

function readRow({ names, parsers, empty }: Columns, texts: (string | null)[]): Row {
  const row = { ...empty }
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string | null
    if (text !== null) row[names[at] as string] = parsers[at]?.(text)
  }
  return row
}
