import type { Handle } from '../../src/storage/handle.ts'
import type { Sql } from '../../src/storage/sql.ts'

let sent = new Set<readonly string[]>()

/** Each piece of SQL that databases of this process were asked since the last call, as it stands in the code. */
export function takeStatements(): string[] {
  const texts = [...sent].map((piece) => piece.join('?').replaceAll(/\s+/g, ' ').trim())
  sent = new Set()
  return [...new Set(texts)]
}

/** The SQL of each test file of this process. The reporter of the test runner is in the same process. */
export const statementsOf = new Map<string, string[]>()

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

/** The texts of a template are one array at each call, so that a piece is one place in the code. */
function remembered<R>(statement: Sql<R>): Sql<R> {
  sent.add(statement.texts)
  for (const value of statement.values) if (isSql(value)) remembered(value)
  return statement
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'texts' in value && 'values' in value
