import type { Handle } from '../../src/storage/handle.ts'
import { compile, type Sql } from '../../src/storage/sql.ts'

/** The SQL that databases of this process were asked. */
export const askedStatements = new Set<string>()

/** A handle that remembers what it is asked. */
export function rememberingHandle(handle: Handle): Handle {
  return {
    inTransaction: handle.inTransaction,
    execute: (statement) => handle.execute(remembered(statement)),
    readPipelined: (statement) => handle.readPipelined(remembered(statement)),
    transaction: (work) => handle.transaction((inner) => work(rememberingHandle(inner))),
    afterCommit: handle.afterCommit,
  }
}

function remembered<R>(statement: Sql<R>): Sql<R> {
  askedStatements.add(compile(statement).sql)
  return statement
}
