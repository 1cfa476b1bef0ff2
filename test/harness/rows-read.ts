import type { Database } from '../../src/storage/database.ts'
import type { Handle } from '../../src/storage/handle.ts'
import { compile, type Sql, sql } from '../../src/storage/sql.ts'

type Plan = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** A database that notes what it is asked. */
export function notedDatabase(database: Database): { database: Database; asked: Sql[] } {
  const asked: Sql[] = []
  const noted = (handle: Handle): Handle => ({
    inTransaction: handle.inTransaction,
    execute: (statement) => {
      asked.push(statement)
      return handle.execute(statement)
    },
    readPipelined: (statement) => {
      asked.push(statement)
      return handle.readPipelined(statement)
    },
    transaction: (work) => handle.transaction((inner) => work(noted(inner))),
    afterCommit: handle.afterCommit,
  })
  return { database: { ...database, handle: noted(database.handle) }, asked }
}

/** The most rows of tables and indexes that one of these statements reads, of those that only read. The others are skipped. */
export async function rowsReadMax({ handle }: Database, statements: Sql[]): Promise<{ rows: number; text: string }> {
  let most = { rows: 0, text: '' }
  for (const statement of statements) {
    const { sql: text } = compile(statement)
    if (!/^\s*(select|with)\b/i.test(text) || /\b(insert|update|delete|for)\s/i.test(text)) continue
    const { rows } = await handle.execute(
      sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`explain (analyze, format json) ${statement}`,
    )
    const read = rowsRead(rows[0]?.['QUERY PLAN'][0]?.Plan)
    if (read >= most.rows) most = { rows: read, text }
  }
  return most
}

function rowsRead(plan: Plan | undefined): number {
  if (plan === undefined) return 0
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
  return below + (plan['Node Type'].includes('Scan') ? own * plan['Actual Loops'] : 0)
}
