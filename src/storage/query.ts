import { notFound } from '../kernel/refusal.ts'
import type { Scope } from './scope.ts'
import type { Sql } from './sql.ts'

export { type Sql, sql } from './sql.ts'

export async function many<R>(scope: Scope, statement: Sql<R>): Promise<R[]> {
  return (await scope.handle.execute(statement)).rows
}

/** The first row, or null. */
export async function maybeOne<R>(scope: Scope, statement: Sql<R>): Promise<R | null> {
  return (await scope.handle.execute(statement)).rows[0] ?? null
}

/** The first row, or null, of a statement that nearly every request asks (`Handle.look`). */
export async function readPipelined<R>(scope: Scope, statement: Sql<R>): Promise<R | null> {
  return (await scope.handle.readPipelined(statement)).rows[0] ?? null
}

/** The first row; NOT_FOUND where there is none. */
export async function one<R>(scope: Scope, statement: Sql<R>): Promise<R> {
  const row = await maybeOne(scope, statement)
  if (row === null) throw notFound()
  return row
}

/** How many rows the statement changed. */
export async function run(scope: Scope, statement: Sql<unknown>): Promise<number> {
  return (await scope.handle.execute(statement)).affected
}
