import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { createMigratedDatabase } from '../../test/harness/database.ts'
import { openDatabase } from './database.ts'
import type { Handle } from './handle.ts'
import { createPipeline } from './pipeline.ts'
import { sql } from './query.ts'
import { statementNames } from './statement-names.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const log = { warn: () => undefined }

async function databaseFor(t: TestContext, poolMax: number) {
  const url = await createMigratedDatabase()
  const { handle, close } = await openDatabase({ databaseUrl: url, dataFolder: '', log, poolMax })
  t.after(close)
  await untilPipelined(handle, poolMax)
  return { url, handle }
}

type Readers = Pick<Handle, 'readPipelined' | 'execute'>
const ownPid = sql<{ pid: number }>`select pg_backend_pid() as pid`
const pidOf = async ({ readPipelined }: Readers) => (await readPipelined(ownPid)).rows[0]?.pid

/**
 * The first reads go over the pool, until the connection of their own is open: from then on all have one. While each
 * connection of the pool is busy with one long statement, a read that is answered by none of them has it.
 */
async function untilPipelined(handle: Readers, poolMax: number): Promise<void> {
  const long = sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.02)`
  for (;;) {
    const holding = Promise.all(Array.from({ length: poolMax }, () => handle.execute(long)))
    const pid = await pidOf(handle)
    const pool = (await holding).map(({ rows }) => rows[0]?.pid)
    if (new Set(pool).size === poolMax && !pool.includes(pid)) return
  }
}

async function cut(url: string, pid: number | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_terminate_backend($1)', [pid])
  await client.end()
}

describe('pipelined reads', {
  skip: !isServer && 'PGlite has one connection for everything',
}, () => {
  test('share one connection and need none of the pool', async (t) => {
    const { handle } = await databaseFor(t, 1)
    const mayEnd = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const holding = handle.transaction(async () => {
      entered.resolve()
      await mayEnd.promise
    })
    await entered.promise
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) => handle.readPipelined(sql<{ it: number }>`select ${index}::int as it`)),
    )
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.it),
      Array.from({ length: 500 }, (_, index) => index),
    )
    mayEnd.resolve()
    await holding
  })

  test('one that fails fails alone', async (t) => {
    const { handle } = await databaseFor(t, 1)
    const outcomes = await Promise.allSettled(
      [1, 0, 2].map((by) => handle.readPipelined(sql<{ it: number }>`select 4 / ${by}::int as it`)),
    )
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows[0]?.it : outcome.reason.code)),
      [4, '22012', 2],
    )
  })

  test('are answered although their connection is lost, and get another', async (t) => {
    const { url, handle } = await databaseFor(t, 2)
    const before = await pidOf(handle)
    const reading = Promise.all(Array.from({ length: 50 }, () => handle.readPipelined(sql`select pg_sleep(0.002)`)))
    await cut(url, before)
    assert.equal((await reading).length, 50)
    await untilPipelined(handle, 2)
    assert.notEqual(await pidOf(handle), before)
  })
})

test('a connection is not closed because the event loop was held for longer than an answer may take', {
  skip: !isServer && 'PGlite has no such connection',
}, async (t) => {
  const connectionString = await createMigratedDatabase()
  let made = 0
  const createClient = (socket: Socket) => {
    made += 1
    return new pg.Client({ connectionString, stream: () => socket, pipeline: true })
  }
  const pipeline = createPipeline({ createClient, names: statementNames(10), answerMsMax: 500, unansweredMax: 10 })
  t.after(pipeline.close)
  const one = { sql: 'select 1 as it', parameters: [] }
  let answer: ReturnType<typeof pipeline.read> = null
  while (answer === null) {
    await nextTurn()
    answer = pipeline.read(one)
  }
  await answer
  const late = pipeline.read(one)
  // Sent in this turn, answered in the next.
  await nextTurn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
  assert.deepEqual((await late)?.rows, [{ it: 1 }])
  assert.equal(made, 1)
})

test('a read in a transaction sees its changes, and none leaves the transaction', async (t) => {
  const { handle } = isServer ? await databaseFor(t, 2) : await memoryDatabase(t)
  await handle.transaction(async (tx) => {
    await tx.execute(sql`create temporary table mine (it int) on commit drop`)
    await tx.execute(sql`insert into mine values (1)`)
    assert.equal((await tx.readPipelined(sql`select it from mine`)).rows.length, 1)
    await assert.rejects(handle.readPipelined(sql`select 1`), /outside the open transaction/)
  })
})

async function memoryDatabase(t: TestContext) {
  const { freshDatabase } = await import('../../test/harness/database.ts')
  const { handle, close } = await freshDatabase()
  t.after(close)
  return { handle }
}
