import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { emptyPglite } from '../../test/harness/database.ts'
import { runMaintenance } from './pglite-maintenance.ts'
import { acquireConnection, pgliteSource } from './pool.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const quiet = { logBytesMax: 1e9, deadRowsFloor: 1e9 }

test('the embedded database keeps its log short and frees the space of deleted rows', {
  skip: isServer && 'PostgreSQL does it itself',
}, async () => {
  const pglite = await emptyPglite()
  const source = pgliteSource(createPgConfig(pglite), { log: { warn: () => undefined } })
  const { pool } = source
  const connect = () => acquireConnection(source)
  const logBytes = async () => {
    const { rows } = await pool.query(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()',
    )
    return rows[0].bytes as number
  }
  const vacuums = async () => {
    const { rows } = await pool.query(`select vacuum_count from pg_stat_user_tables where relname = 'Busy one'`)
    return rows[0].vacuum_count as number
  }
  await pool.query(
    `create table "Busy one" as select g as id, repeat('x', 100) as text from generate_series(1, 5000) g;
     delete from "Busy one" where id > 100`,
  )
  await pool.query('select pg_stat_force_next_flush()')
  const written = await logBytes()
  assert.ok(written > 500_000)

  await runMaintenance(connect, quiet)
  assert.deepEqual([await logBytes(), await vacuums()], [written, 0])

  await runMaintenance(connect, { ...quiet, logBytesMax: 500_000 })
  assert.ok((await logBytes()) < 100_000)

  await runMaintenance(connect, { ...quiet, deadRowsFloor: 1000 })
  assert.equal(await vacuums(), 1)
  await pool.query('select pg_stat_force_next_flush()')
  await runMaintenance(connect, { ...quiet, deadRowsFloor: 1000 })
  assert.equal(await vacuums(), 1)
  await pool.end()
  await pglite.close()
})
