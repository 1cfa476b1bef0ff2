import { many, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'

export type Column = { table: string; column: string }

/** Every column of every table that a migration of ours makes, which alone can hold rows of tenants. */
export function allColumns(platform: PlatformScope): Promise<Column[]> {
  return many(
    platform,
    sql<Column>`select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
  )
}

export type Table = { schema: string; name: string }

/** Every table of every schema of ours: those of the job queue, too, which keeps what a job was told. */
export function allTables(platform: PlatformScope): Promise<Table[]> {
  return many(
    platform,
    sql<Table>`select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`,
  )
}

/** As it is written in a statement. */
export function quoted({ schema, name }: Table) {
  return sql.raw(`"${schema}"."${name}"`)
}

/**
 * Every row of every table in which one of the words stands, as text, led by schema and name of the table; bytes as the
 * characters they would be. The database searches, one table after another: that of all tests is long.
 */
export async function rowsWith(platform: PlatformScope, ...words: string[]): Promise<string[]> {
  // Bytes are hexadecimal in the text of a row.
  const forms = words.flatMap((word) => [word, Buffer.from(word).toString('hex')])
  const patterns = forms.map((form) => `%${form.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const found: string[] = []
  for (const table of await allTables(platform)) {
    const rows = await many(
      platform,
      sql<Record<string, unknown>>`select * from ${quoted(table)} t where t::text like any (${patterns}::text[])`,
    )
    for (const row of rows) found.push(`${table.schema}.${table.name} ${Object.values(row).map(textOf).join(' ')}`)
  }
  return found
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(JSON.stringify(value))
}
