import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { emptyPglite } from '../../test/harness/database.ts'
import { runMaintenance } from './pglite-maintenance.ts'
import { acquireConnection, pgliteSource } from './pool.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const quiet = { logBytesMax: 1e9, deadRowsFloor: 1e9, changedRowsFloor: 1e9 }

const onlyEmbedded = { skip: isServer && 'PostgreSQL does it itself' }

async function opened() {
  const pglite = await emptyPglite()
  const source = pgliteSource(createPgConfig(pglite), { log: { warn: () => undefined } })
  const end = async () => {
    await source.pool.end()
    await pglite.close()
  }
  return { pool: source.pool, connect: () => acquireConnection(source), end }
}

test('the embedded database keeps its log short and frees the space of deleted rows', onlyEmbedded, async () => {
  const { pool, connect, end } = await opened()
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
  await end()
})

test('the embedded database plans anew for a table that has grown', onlyEmbedded, async () => {
  const { pool, connect, end } = await opened()
  await pool.query(
    `create table grown (id int primary key, kind int);
     create index on grown (kind);
     prepare look(int) as select id from grown where kind = $1;
     set plan_cache_mode = force_generic_plan`,
  )
  const plan = async () => {
    const { rows } = await pool.query('explain execute look(1)')
    return rows.map((row) => row['QUERY PLAN']).join(' ')
  }
  assert.match(await plan(), /grown_kind_idx/)
  await pool.query('insert into grown select g, 1 from generate_series(1, 5000) g')
  await pool.query('select pg_stat_force_next_flush()')

  await runMaintenance(connect, quiet)
  assert.match(await plan(), /grown_kind_idx/)
  await runMaintenance(connect, { ...quiet, changedRowsFloor: 50 })
  assert.match(await plan(), /Seq Scan/)

  const analyses = async () => {
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query(`select analyze_count from pg_stat_user_tables where relname = 'grown'`)
    return rows[0].analyze_count as number
  }
  assert.equal(await analyses(), 1)
  await pool.query('insert into grown select g, 1 from generate_series(5001, 5400) g')
  await analyses()
  await runMaintenance(connect, { ...quiet, changedRowsFloor: 50 })
  assert.equal(await analyses(), 1)
  await end()
})
