import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { createPostgresDatabase, emptyPglite } from '../../test/harness/database.ts'
import { columnTypes } from './column-types.ts'
import { inWholeStatements } from './pglite-messages.ts'
import { send } from './send.ts'
import { statementNames } from './statement-names.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

/** A connection of its own, and how often the server has described the columns of a result on it. */
async function connect(t: TestContext, options: pg.ClientConfig = {}) {
  const client = new pg.Client({ ...options, ...(await source(t)) })
  await client.connect()
  t.after(() => client.end())
  const names = statementNames(100)
  let descriptions = 0
  const { connection } = client as unknown as { connection: EventEmitter }
  connection.on('rowDescription', () => {
    descriptions += 1
  })
  const ask = async (sql: string, ...parameters: unknown[]) =>
    (await send(client, { sql, parameters }, names.nameFor(sql))).rows
  return { client, ask, described: () => descriptions }
}

async function source(t: TestContext): Promise<pg.ClientConfig> {
  if (isServer) return { connectionString: await createPostgresDatabase() }
  const pglite = await emptyPglite()
  t.after(() => pglite.close())
  return createPgConfig(inWholeStatements(pglite))
}

describe('a prepared statement', () => {
  test('has its columns described once, and reads every row by them', async (t) => {
    const { ask, described } = await connect(t)
    const values = `select $1::text as word, $2::bigint as bytes, $3::timestamptz as at, $4::jsonb as value, $5::text[] as list`
    const at = new Date('2026-02-03T04:05:06.007Z')
    for (const bytes of [1, 2 ** 53]) {
      const rows = await ask(values, 'é', bytes, at, { a: [1] }, ['x', null])
      assert.deepEqual(rows, [{ word: 'é', bytes, at, value: { a: [1] }, list: ['x', null] }])
    }
    assert.deepEqual(await ask(values, null, null, null, null, null), [
      { word: null, bytes: null, at: null, value: null, list: null },
    ])
    assert.equal(described(), 1)
    const many = 'select n as "n" from generate_series(1, $1::int) n'
    assert.deepEqual(await ask(many, 0), [])
    assert.deepEqual(await ask(many, 3), [{ n: 1 }, { n: 2 }, { n: 3 }])
    assert.equal(described(), 2)
  })

  test('says how many rows it has changed, each time', async (t) => {
    const { client } = await connect(t)
    await client.query('create table things (id int)')
    const insert = (count: number) =>
      send(client, { sql: 'insert into things select generate_series(1, $1::int)', parameters: [count] }, 'insert')
    for (const count of [2, 0, 3]) {
      const { rows, rowCount, command } = await insert(count)
      assert.deepEqual({ rows, rowCount, command }, { rows: [], rowCount: count, command: 'INSERT' })
    }
  })

  test('fails by itself, whether it had been described or not', async (t) => {
    const { ask, described } = await connect(t)
    const double = 'select $1::int * 2 as doubled'
    await assert.rejects(ask(double, 'a word'), { code: '22P02' })
    assert.deepEqual(await ask(double, 21), [{ doubled: 42 }])
    await assert.rejects(ask(double, 'a word'), { code: '22P02' })
    await assert.rejects(ask(double, 2 ** 30), { code: '22003' })
    assert.deepEqual(await ask(double, 4), [{ doubled: 8 }])
    assert.ok(described() <= 2, `described ${described()} times`)
    await assert.rejects(ask('select $1 from nowhere', 1), { code: '42P01' })
    assert.deepEqual(await ask(double, 5), [{ doubled: 10 }])
  })

  test('that returns what nobody can read fails, and the connection goes on', async (t) => {
    const { client, ask } = await connect(t)
    const parsers = t.mock.method(columnTypes, 'getTypeParser', () => () => {
      throw new Error('not readable')
    })
    await assert.rejects(ask('select $1::int as value from generate_series(1, 3)', 1), /not readable/)
    parsers.mock.restore()
    assert.deepEqual(await ask('select $1::int as value', 1), [{ value: 1 }])
    assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
  })

  test('is refused once its columns are others, and read by the new ones under another name', async (t) => {
    const { client, ask } = await connect(t)
    await client.query('create table things (value int)')
    await client.query('insert into things values (7)')
    const all = 'select * from things where value <> $1'
    assert.deepEqual(await ask(all, 0), [{ value: 7 }])
    await client.query(`alter table things add column word text default 'new'`)
    await assert.rejects(ask(all, 0), { code: '0A000' })
    assert.deepEqual(await ask(`${all} `, 0), [{ value: 7, word: 'new' }])
  })

  test('that is sent again before the first answer is read as well', {
    skip: !isServer && 'PGlite is sent one statement at a time',
  }, async (t) => {
    const { ask } = await connect(t, { pipeline: true })
    const select = 'select $1::int as n, $2::text as word'
    const answers = await Promise.all([1, 2, 3].map((n) => ask(select, n, 'a')))
    assert.deepEqual(
      answers.flat(),
      [1, 2, 3].map((n) => ({ n, word: 'a' })),
    )
    const mixed = await Promise.allSettled([ask(select, 4, 'b'), ask(select, 'word', 'b'), ask(select, 5, 'b')])
    assert.deepEqual(
      mixed.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })
})
