import { many, one, sql } from '../../src/storage/query.ts'
import type { Scope } from '../../src/storage/scope.ts'

type Row = Record<string, unknown>
type Watched = 'meetings' | 'devices' | 'vpn_sessions'

export async function readRow(scope: Scope, table: Watched, id: string): Promise<Row> {
  const statement = sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.raw(table)} t where id = ${id}`
  return (await one(scope, statement)).row
}

export const changedColumns = (before: Row, after: Row): string[] =>
  Object.keys(after).filter((column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]))

/** Which of these columns an index of the table names: a row is written into all indexes anew if one of them changes. */
export async function indexedAmong(scope: Scope, table: Watched, columns: readonly string[]): Promise<string[]> {
  const indexes = await many(
    scope,
    sql<{ text: string }>`select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = ${table}::regclass`,
  )
  return columns.filter((column) => indexes.some(({ text }) => new RegExp(`\\b${column}\\b`).test(text)))
}
