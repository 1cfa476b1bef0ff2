import { many, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'

export type Column = { table: string; column: string }

/** Every column of every table of ours. */
export function allColumns(platform: PlatformScope): Promise<Column[]> {
  return many(
    platform,
    sql<Column>`select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
  )
}

/** Every row of every table as text, led by the table's name; bytes as the characters they would be. */
export async function dumpRows(platform: PlatformScope): Promise<string[]> {
  const names = [...new Set((await allColumns(platform)).map(({ table }) => table))]
  const tables = await Promise.all(
    names.map(async (name) => {
      const rows = await many(platform, sql<Record<string, unknown>>`select * from ${sql.raw(name)}`)
      return rows.map((row) => `${name} ${Object.values(row).map(textOf).join(' ')}`)
    }),
  )
  return tables.flat()
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(JSON.stringify(value))
}
