import pg from 'pg'
import { PreparedQuery } from './prepared-query.ts'
import type { Statement } from './statement-names.ts'

/** What a statement returned. `command`: its first word. */
export type StatementResult = Pick<pg.QueryResult, 'rows' | 'rowCount' | 'command'>

/**
 * Sends a statement, prepared under a name if it has one.
 *
 * The driver makes such a query object itself, but copies all that it is given first, which takes longer than to send it.
 */
export function send(
  client: pg.ClientBase,
  { sql, parameters }: Statement,
  name: string | undefined,
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const query =
      name === undefined ? new pg.Query(sql, parameters as unknown[]) : new PreparedQuery(sql, parameters, name)
    const callback = (error: unknown, result: StatementResult) => {
      const { failure, decoded } = query instanceof PreparedQuery ? query : { failure: null, decoded: null }
      if ((error ?? failure) !== null) return reject(error ?? failure)
      const { rows, rowCount, command } = result
      resolve({ rows: decoded ?? rows, rowCount, command })
    }
    client.query(Object.assign(query, { callback }))
  })
}
