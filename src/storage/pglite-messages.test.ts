import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { emptyPglite } from '../../test/harness/database.ts'
import { inWholeStatements } from './pglite-messages.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

test('the embedded database is handed a statement at once, also one that it refuses', {
  skip: isServer && 'of PGlite',
}, async (t) => {
  const pglite = await emptyPglite()
  t.after(() => pglite.close())
  const handOver = t.mock.method(pglite, 'execProtocolStream')
  const client = new pg.Client({ ...createPgConfig(inWholeStatements(pglite)) })
  await client.connect()
  const handedOver = async (work: () => Promise<unknown>) => {
    handOver.mock.resetCalls()
    await work()
    return handOver.mock.callCount()
  }
  const double = async (value: unknown) => {
    const { rows } = await client.query({ name: 'double', text: 'select $1::int * 2 as doubled', values: [value] })
    return rows[0].doubled
  }
  const isDoubled = async () => assert.equal(await double(21), 42)
  assert.equal(await handedOver(isDoubled), 1)
  assert.equal(await handedOver(() => client.query('select 1')), 1)
  assert.equal(await handedOver(() => assert.rejects(double('a word'), { code: '22P02' })), 1)
  const unknown = { name: 'unknown', text: 'select $1 from nowhere', values: [1] }
  assert.equal(await handedOver(() => assert.rejects(client.query(unknown), { code: '42P01' })), 1)
  assert.equal(await handedOver(isDoubled), 1)
  await client.end()
})
