import type { Connection, StorageLog } from './pool.ts'
import { sqlErrorRefusal } from './sql-error.ts'

// PostgreSQL keeps a plan until its table is analyzed. One that was made for an empty table reads all rows of a tenant, because
// all indexes that begin with the tenant look the same. Autovacuum looks once a minute, and the embedded database has none. By
// then a burst may have stored thousands of rows, and have read all of them for each new one.

const everyMs = 2_000
// Beside half of the rows: so each analysis is of a table twice as large as at the last.
const changedRowsFloor = 50
// Above this the size of the table alone makes for good plans, and an analysis takes longer.
const rowsMax = 100_000
const tablesMax = 4
// Tables of PostgreSQL itself have lower numbers (FirstNormalObjectId).
const firstOwnOid = 16_384

/** Analyzes small tables soon after they have grown. Returns the function that ends it. */
export function watchGrowth(connect: () => Promise<Connection>, log: StorageLog): () => void {
  let isChecking = false
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      await analyzeGrown(connect)
    } catch (error) {
      // Of a database that is away everybody tells who needs it.
      if (sqlErrorRefusal(error) === null)
        log.warn({ err: error }, 'tables that have grown were not analyzed; it will be tried again')
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(check, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * At most four tables: in the embedded database each of them blocks the process meanwhile. None of somebody else in the same
 * database.
 */
export async function analyzeGrown(connect: () => Promise<Connection>): Promise<void> {
  const connection = await connect()
  const query = async (sql: string, parameters: unknown[] = []) => (await connection.query({ sql, parameters })).rows
  try {
    const grown = await query(
      `select oid::regclass::text as table from pg_class
        where relkind = 'r' and oid >= $1 and pg_has_role(relowner, 'usage') and pg_stat_get_live_tuples(oid) < $2
          and pg_stat_get_mod_since_analyze(oid) > $3 + pg_stat_get_live_tuples(oid) / 2
        order by pg_stat_get_mod_since_analyze(oid) desc limit $4`,
      [firstOwnOid, rowsMax, changedRowsFloor, tablesMax],
    )
    // Not one that autovacuum is at.
    for (const { table } of grown) await query(`analyze (skip_locked) ${table}`)
  } finally {
    await connection.release()
  }
}
