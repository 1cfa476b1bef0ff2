import { hash } from 'node:crypto'

// A backup is lines of JSON: a manifest; then each table, as a header and its rows; then the sequences; then an end with
// how many rows each table has and what they hash to. Values are text as PostgreSQL writes it, which it reads back to
// the same value whatever the type, on any of its versions and on PGlite.

export const formatVersion = 1

export type Manifest = {
  atrium: 'backup'
  format: number
  /** The version of the program that wrote it. */
  version: string
  createdAt: string
  database: 'pglite' | 'postgres'
  migrations: { name: string; checksum: string }[]
  /** Tells whether a master key is the one that the sealed values were written with. The key itself is never in a backup. */
  masterKeyCheck: string
}

/** A row's values in the order of the header's columns. */
export type Row = (string | null)[]

export type TableHeader = { table: string; columns: string[] }
export type Sequence = { sequence: string; value: string; isCalled: boolean }
export type Tally = { rows: number; sha256: string }
type End = { end: { tables: Record<string, Tally> } }

export type Part =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; header: TableHeader }
  | { kind: 'row'; row: Row }
  | { kind: 'sequence'; sequence: Sequence }
  | { kind: 'end'; tables: Record<string, Tally> }

/** Thrown for a file that is not a whole backup, with what is wrong in words for an operator. */
export class BadBackup extends Error {}

const wrap = 1n << 256n

/**
 * Counts and hashes the rows of a table in whatever order they come: the sum of the rows' SHA-256 modulo 2^256. Two
 * databases sort texts differently, so an order would have to be paid for with a sort of our own. It is made to find
 * accidents; the seal of the file (`trailer.ts`) finds those who change it.
 */
export function tally(): { add(rowLine: string): void; result(): Tally } {
  let rows = 0
  let sum = 0n
  return {
    add: (rowLine) => {
      rows += 1
      sum += BigInt(`0x${hash('sha256', rowLine)}`)
    },
    result: () => ({ rows, sha256: (sum % wrap).toString(16).padStart(64, '0') }),
  }
}

/** One line of a backup, without its line end: JSON has no line ends of its own. */
export function toLine(content: Manifest | TableHeader | Row | Sequence | End): string {
  return JSON.stringify(content)
}

/** What the lines of a backup say, in their order. Throws BadBackup where they contradict each other or end too soon. */
export async function* readParts(lines: AsyncIterable<string>): AsyncGenerator<Part> {
  const tables = new Map<string, ReturnType<typeof tally>>()
  let header: TableHeader | null = null
  let count = 0
  let isEnded = false
  for await (const line of lines) {
    count += 1
    if (isEnded) throw new BadBackup(`Line ${count} stands after the end.`)
    const part = readLine(line, count)
    if ((count === 1) !== (part.kind === 'manifest')) throw new BadBackup(`Line ${count} is a ${part.kind}.`)
    if (part.kind === 'table') {
      header = part.header
      if (tables.has(header.table)) throw new BadBackup(`The table ${header.table} is in it twice.`)
      tables.set(header.table, tally())
    }
    if (part.kind === 'row') {
      if (header?.columns.length !== part.row.length) throw new BadBackup(`Line ${count} is no row of its table.`)
      tables.get(header.table)?.add(line)
    }
    if (part.kind === 'end') {
      isEnded = true
      const found = Object.fromEntries([...tables].map(([table, rows]) => [table, rows.result()]))
      refuseDifferent(part.tables, found)
    }
    yield part
  }
  if (!isEnded) throw new BadBackup(`It ends at line ${count}, before its end.`)
}

/** Throws BadBackup with the first table whose count or hash is not as it should be. */
export function refuseDifferent(expected: Record<string, Tally>, found: Record<string, Tally>): void {
  for (const table of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted, actual] = [expected[table], found[table]]
    if (wanted === undefined || actual === undefined) {
      throw new BadBackup(`The table ${table} is ${wanted === undefined ? 'not expected' : 'missing'}.`)
    }
    if (wanted.rows !== actual.rows) {
      throw new BadBackup(`The table ${table} has ${actual.rows} rows instead of ${wanted.rows}.`)
    }
    if (wanted.sha256 !== actual.sha256) throw new BadBackup(`The rows of the table ${table} were changed.`)
  }
}

function readLine(line: string, number: number): Part {
  let content: unknown
  try {
    content = JSON.parse(line)
  } catch {
    throw new BadBackup(`Line ${number} cannot be read.`)
  }
  if (Array.isArray(content)) return { kind: 'row', row: content as Row }
  const members = (content ?? {}) as Partial<Manifest & TableHeader & Sequence & End>
  if (members.atrium === 'backup') return { kind: 'manifest', manifest: readManifest(members) }
  if (members.table !== undefined) return { kind: 'table', header: members as TableHeader }
  if (members.sequence !== undefined) return { kind: 'sequence', sequence: members as Sequence }
  if (members.end !== undefined) return { kind: 'end', tables: members.end.tables }
  throw new BadBackup(`Line ${number} is no part of a backup.`)
}

function readManifest(members: Partial<Manifest>): Manifest {
  if (members.format !== formatVersion) {
    throw new BadBackup(
      `It has format ${members.format} of version ${members.version}; this program reads ${formatVersion}. Use the program that wrote it, or a newer one.`,
    )
  }
  return members as Manifest
}
