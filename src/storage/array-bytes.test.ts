import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../../test/harness/database.ts'
import { newId } from '../kernel/ids.ts'
import { smallintArray, uuidArray } from './array-bytes.ts'
import type { Database } from './database.ts'
import { sql } from './sql.ts'

describe('an array in the binary format', () => {
  let database: Database
  before(async () => {
    database = await freshDatabase()
  })
  after(() => database.close())

  const received = async (ids: (string | null)[], numbers: number[]) => {
    const { rows } = await database.handle.execute(
      sql<{
        ids: string
        numbers: string
      }>`select (${uuidArray(ids)}::uuid[])::text as ids, (${smallintArray(numbers)}::smallint[])::text as numbers`,
    )
    return rows[0]
  }

  test('is received unchanged: empty, with nulls, and with hundreds of elements', async () => {
    const one = newId(new Date())
    assert.deepEqual(await received([], []), { ids: '{}', numbers: '{}' })
    assert.deepEqual(await received([null, one, null], [0, -1, 32_767]), {
      ids: `{NULL,${one},NULL}`,
      numbers: '{0,-1,32767}',
    })
    assert.deepEqual(await received([one.replaceAll('-', '')], [7]), { ids: `{${one}}`, numbers: '{7}' })
    const ids = Array.from({ length: 700 }, () => newId(new Date()))
    const numbers = ids.map((_, index) => index)
    assert.deepEqual(await received(ids, numbers), { ids: `{${ids}}`, numbers: `{${numbers}}` })
  })
})
