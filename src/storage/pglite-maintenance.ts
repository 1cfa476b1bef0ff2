import type { Connection, StorageLog } from './pool.ts'

// PostgreSQL has background processes for this; PGlite is a single process without them. Without checkpoints its log
// grows for ever, and a start after a crash replays all of it. Without vacuum deleted rows stay.

const everyMs = 30_000
// About half a second of replay. PostgreSQL's own default of 1 GB is for larger machines.
const logBytesMax = 32 * 1024 * 1024
// PostgreSQL vacuums at a fifth of the table. Here a minimum leaves small tables alone.
const deadRowsFloor = 1000
// PostgreSQL's own rule: a tenth of the table, and so many rows.
const changedRowsFloor = 50
const analyzedTablesMax = 4

type MaintenanceLimits = { logBytesMax: number; deadRowsFloor: number; changedRowsFloor: number }

/** Checks every half minute whether there is something to do. Returns the function that ends it. */
export function startMaintenance(connect: () => Promise<Connection>, log: StorageLog): () => void {
  const check = () =>
    runMaintenance(connect, { logBytesMax, deadRowsFloor, changedRowsFloor }).catch((error: unknown) =>
      log.warn({ err: error }, 'maintenance of the embedded database failed; it will be tried again'),
    )
  const timer = setInterval(check, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** At most one checkpoint, the vacuum of one table and the analysis of four: each blocks the process while it runs. */
export async function runMaintenance(connect: () => Promise<Connection>, limits: MaintenanceLimits): Promise<void> {
  const connection = await connect()
  const query = async (sql: string, parameters: unknown[] = []) => (await connection.query({ sql, parameters })).rows
  try {
    const [log] = await query(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()',
    )
    if (log?.bytes > limits.logBytesMax) await query('checkpoint')
    const [worst] = await query(
      `select relid::regclass::text as table from pg_stat_user_tables
        where n_dead_tup > $1 + n_live_tup / 5 order by n_dead_tup desc limit 1`,
      [limits.deadRowsFloor],
    )
    if (worst) await query(`vacuum (analyze) ${worst.table}`)
    const changed = await query(
      `select relid::regclass::text as table from pg_stat_user_tables
        where n_mod_since_analyze > $1 + n_live_tup / 10 order by n_mod_since_analyze desc limit $2`,
      [limits.changedRowsFloor, analyzedTablesMax],
    )
    for (const { table } of changed) await query(`analyze ${table}`)
  } finally {
    await connection.release()
  }
}
