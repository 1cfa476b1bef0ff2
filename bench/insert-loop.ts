// Writes one row after another, each committed by itself: the plainest way to count something.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { openFolder } from '../src/storage/pglite.ts'
import { createDatabase } from '../src/storage/prepared-database.ts'
import { closedLoop, type Notice, type Span, type Tally } from './closed-loop.ts'
import { serveJobs } from './worker.ts'

/** `url`: of an empty PostgreSQL, null for the embedded database in an empty folder. */
export type InsertJob = { url: string | null; folder: string; callers: number; span: Span }

type Insert = (values: unknown[]) => Promise<unknown>

const table =
  'create table bench_views (id uuid primary key, type text not null, at timestamptz not null, product_id uuid not null)'
const text = 'insert into bench_views (id, type, at, product_id) values ($1, $2, $3, $4)'
const product = randomUUID()
let opened: Promise<Insert> | null = null

serveJobs<InsertJob, Tally>(async ({ url, folder, callers, span }, notice: Notice) => {
  opened ??= url === null ? embedded(folder) : onServer(url)
  const insert = await opened
  const { latenciesMs: _, ...tally } = await closedLoop({ callers, span, notice }, async () => {
    await insert([randomUUID(), 'product.view', new Date(), product])
  })
  return tally
})

async function onServer(url: string): Promise<Insert> {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  await pool.query(table)
  return (values) => pool.query({ name: 'insert', text, values })
}

async function embedded(folder: string): Promise<Insert> {
  await createDatabase(folder, [])
  const pglite = await openFolder(folder)
  await pglite.exec(table)
  return async (values) => {
    await pglite.query(text, values)
    // It answers without leaving the thread: the clock that ends the window would have no turn.
    await nextTurn()
  }
}
