import { type Page, type PageRequest, pageOffset } from '../kernel/paging.ts'
import { notFound } from '../kernel/refusal.ts'
import type { Scope } from './scope.ts'
import { type Sql, sql } from './sql.ts'

export { type Parameter, type Sql, sql } from './sql.ts'

export async function many<R>(scope: Scope, statement: Sql<R>): Promise<R[]> {
  return (await scope.handle.execute(statement)).rows
}

/** The first row, or null. */
export async function maybeOne<R>(scope: Scope, statement: Sql<R>): Promise<R | null> {
  return (await scope.handle.execute(statement)).rows[0] ?? null
}

/** The first row, or null, of a statement that runs with nearly every request (`Handle.readPipelined`). */
export async function readPipelined<R>(scope: Scope, statement: Sql<R>): Promise<R | null> {
  return (await scope.handle.readPipelined(statement)).rows[0] ?? null
}

/** The first row. Refuses NOT_FOUND if there is none. */
export async function one<R>(scope: Scope, statement: Sql<R>): Promise<R> {
  const row = await maybeOne(scope, statement)
  if (row === null) throw notFound()
  return row
}

/** Returns how many rows the statement changed. */
export async function run(scope: Scope, statement: Sql<unknown>): Promise<number> {
  return (await scope.handle.execute(statement)).affected
}

type PageQuery = {
  columns: Sql
  /** From `from` to the end of the condition. */
  from: Sql
  orderBy: Sql
  /** Selects as many rows as `from` at a lower cost, for the total. */
  countFrom?: Sql
}

/** One page of the rows, and how many there are on all pages. */
export async function listPage<R>(
  scope: Scope,
  page: PageRequest,
  { columns, from, orderBy, countFrom = from }: PageQuery,
): Promise<Page<R>> {
  const items = await many(
    scope,
    sql<R>`select ${columns} ${from} order by ${orderBy} limit ${page.limit} offset ${pageOffset(page)}`,
  )
  const { total } = await one(scope, sql<{ total: number }>`select count(*)::int as total ${countFrom}`)
  return { items, total }
}
