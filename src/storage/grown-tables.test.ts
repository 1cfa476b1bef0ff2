import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { createPostgresDatabase, emptyPglite } from '../../test/harness/database.ts'
import { analyzeGrown } from './grown-tables.ts'
import { acquireConnection, pgliteSource, postgresSource, type Source } from './pool.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const log = { warn: () => undefined }

async function opened(): Promise<{ source: Source; end: () => Promise<void> }> {
  if (isServer) {
    const source = postgresSource({ url: await createPostgresDatabase(), connectionsMax: 1, log })
    return { source, end: async () => void (await Promise.all([source.pipeline?.close(), source.pool.end()])) }
  }
  const pglite = await emptyPglite()
  const source = pgliteSource(createPgConfig(pglite), { log })
  const end = async () => {
    await source.pool.end()
    await pglite.close()
  }
  return { source, end }
}

test('a statement that was planned for an empty table gets another plan once there are rows', async (t) => {
  const { source, end } = await opened()
  t.after(end)
  const { pool } = source
  // Rows so wide that PostgreSQL expects few of them.
  const texts = Array.from({ length: 16 }, (_, n) => `text${n} text`)
  await pool.query(`create table notes (tenant_id int, id int, kind int, ${texts}, primary key (tenant_id, id))`)
  await pool.query('create index on notes (tenant_id, kind)')
  await pool.query('set plan_cache_mode = force_generic_plan')
  await pool.query('prepare look(int, int) as select kind from notes where tenant_id = $1 and id = $2')
  const plan = async () => {
    const { rows } = await pool.query('explain execute look(1, 1)')
    return rows.map((row) => row['QUERY PLAN']).join(' ')
  }
  const insert = async (from: number, to: number) => {
    await pool.query('insert into notes select 1, g, 1 from generate_series($1::int, $2::int) g', [from, to])
    await pool.query('select pg_stat_force_next_flush()')
  }
  const analyses = async () => {
    await analyzeGrown(() => acquireConnection(source))
    await pool.query('select pg_stat_force_next_flush()')
    const { rows } = await pool.query(`select analyze_count from pg_stat_user_tables where relname = 'notes'`)
    return rows[0].analyze_count as number
  }
  assert.match(await plan(), /notes_tenant_id_kind_idx/, 'reads all rows of the tenant')
  await insert(1, 40)
  assert.equal(await analyses(), 0, 'too few to matter')
  await insert(41, 5000)
  assert.match(await plan(), /notes_tenant_id_kind_idx/, 'as before')
  assert.equal(await analyses(), 1)
  assert.match(await plan(), /notes_pkey/)
  await insert(5001, 9000)
  assert.equal(await analyses(), 1, 'not twice as many yet')
  await insert(9001, 10_500)
  assert.equal(await analyses(), 2)
})

test('tables of PostgreSQL itself are left to it', async (t) => {
  const { source, end } = await opened()
  t.after(end)
  const { pool } = source
  const columns = Array.from({ length: 500 }, (_, n) => `c${n} int`)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
    await pool.query(`create table ${name} (${columns})`)
  await pool.query('select pg_stat_force_next_flush()')
  const analyses = async () => {
    const { rows } = await pool.query('select sum(analyze_count)::int as count from pg_stat_sys_tables')
    return rows[0].count as number
  }
  const before = await analyses()
  await analyzeGrown(() => acquireConnection(source))
  await pool.query('select pg_stat_force_next_flush()')
  assert.equal(await analyses(), before)
})
