import pg from 'pg'
import type { Statement } from './statement-names.ts'

/**
 * Sends a statement, prepared under a name if it has one.
 *
 * The driver makes such a query object itself, but copies all that it is given first, which takes longer than to send it.
 */
export function send(
  client: pg.ClientBase,
  { sql, parameters }: Statement,
  name: string | undefined,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: pg.QueryResult) => {
      if (error) reject(error)
      else resolve(result)
    }
    client.query(Object.assign(new pg.Query(sql, parameters as unknown[]), { name, callback }))
  })
}
