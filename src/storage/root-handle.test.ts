import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { freshDatabase } from '../../test/harness/database.ts'
import type { Database } from './database.ts'
import type { Handle } from './handle.ts'
import { sql } from './query.ts'

let database: Database
let root: Handle

before(async () => {
  database = await freshDatabase()
  root = database.handle
  await root.execute(sql`create table notes (id int primary key, text text)`)
  return () => database.close()
})

const insert = (id: number, text = 'x') => sql`insert into notes values (${id}, ${text})`
const count = async (id: number) => (await root.execute(sql`select 1 from notes where id = ${id}`)).rows.length
// Stands for a conflict with another transaction.
const conflict = (sqlState: string) => sql.raw<never>(`do $$ begin raise sqlstate '${sqlState}'; end $$`)

describe('values', () => {
  test('are read as the types that the stores expect', async () => {
    const { rows } = await root.execute(sql<Record<string, unknown>>`
      select ${9_007_199_254_740_991}::bigint as bytes, count(*) as count, timestamptz '2026-01-02 03:04:05.678Z' as at,
        '{"a":[1,null]}'::jsonb as json, '\\x00ff'::bytea as raw, array['a','b'] as list, null::text as nothing,
        ${new Date('2026-01-02T03:04:05.678Z')}::timestamptz as sent
      from (values (1), (2)) as v`)
    const at = new Date('2026-01-02T03:04:05.678Z')
    assert.deepEqual(rows, [
      {
        bytes: 9_007_199_254_740_991,
        count: 2,
        at,
        json: { a: [1, null] },
        raw: Buffer.from([0, 255]),
        list: ['a', 'b'],
        nothing: null,
        sent: at,
      },
    ])
  })

  test('a change returns how many rows it touched', async () => {
    await root.execute(sql`insert into notes select g, 'many' from generate_series(100, 104) g`)
    assert.equal((await root.execute(sql`update notes set text = ${'n'} where text = 'many'`)).affected, 5)
    assert.equal((await root.execute(sql`delete from notes where id = ${-1}`)).affected, 0)
  })
})

describe('a transaction', () => {
  test('is committed after its work, and returns the result of the work', async () => {
    const result = await root.transaction(async (tx) => {
      assert.equal(tx.inTransaction, true)
      await tx.execute(insert(1))
      await tx.execute(insert(2))
      return 'done'
    })
    assert.equal(result, 'done')
    assert.deepEqual([await count(1), await count(2)], [1, 1])
  })

  test('leaves nothing when its work fails, and its connection can be used again', async () => {
    const failure = new Error('no')
    const failed = root.transaction(async (tx) => {
      await tx.execute(insert(3))
      throw failure
    })
    await assert.rejects(failed, failure)
    await assert.rejects(root.transaction(async (tx) => tx.execute(sql`select 1/${0}::int`)))
    assert.equal(await count(3), 0)
  })

  test('joins the transaction in which it is called', async () => {
    const failed = root.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        assert.equal(inner, tx)
        await inner.execute(insert(4))
      })
      throw new Error('no')
    })
    await assert.rejects(failed, /no/)
    assert.equal(await count(4), 0)
  })

  test('runs concurrent statements one after another', async () => {
    await root.transaction(async (tx) => {
      await Promise.all([5, 6, 7, 8].map((id) => tx.execute(insert(id))))
    })
    assert.equal(await count(8), 1)
    const failed = root.transaction(async (tx) => {
      await Promise.all([tx.execute(insert(9)), tx.execute(sql`select 1/${0}::int`), tx.execute(insert(10))])
    })
    await assert.rejects(failed, { code: '22012' })
    assert.deepEqual([await count(9), await count(10)], [0, 0])
  })

  test('runs a read that does not wait for the begin in its place among the others', async () => {
    const texts = await root.transaction(async (tx) => {
      const read = () => tx.readPipelined(sql<{ text: string }>`select text from notes where id = ${60}`)
      const answers = await Promise.all([
        read(),
        tx.execute(insert(60, 'new')),
        read(),
        tx.execute(sql`update notes set text = ${'changed'} where id = ${60}`),
        read(),
      ])
      return answers.map(({ rows }) => (rows[0] as { text: string } | undefined)?.text)
    })
    assert.deepEqual(texts, [undefined, undefined, 'new', undefined, 'changed'])
  })

  test('that failed runs nothing that was still waiting', async () => {
    const failure = new Error('no')
    let waiting: Promise<unknown> = Promise.resolve()
    const failed = root.transaction(async (tx) => {
      waiting = assert.rejects(tx.execute(insert(61)))
      throw failure
    })
    await assert.rejects(failed, failure)
    await waiting
    assert.equal(await count(61), 0)
  })

  test('many at once share the connections that there are', async () => {
    await root.execute(insert(11, '0'))
    const add = () =>
      root.transaction(async (tx) => {
        const [row] = (await tx.execute(sql<{ text: string }>`select text from notes where id = 11 for update`)).rows
        await tx.execute(sql`update notes set text = ${String(Number(row?.text) + 1)} where id = 11`)
      })
    await Promise.all(Array.from({ length: 20 }, add))
    assert.deepEqual((await root.execute(sql`select text from notes where id = 11`)).rows, [{ text: '20' }])
  })

  test('fails when the error of a statement was ignored', async () => {
    const ignoring = root.transaction(async (tx) => {
      await tx.execute(insert(12))
      await tx.execute(sql`select 1/${0}::int`).catch(() => undefined)
    })
    await assert.rejects(ignoring, /was rolled back. One of its statements had failed/)
    assert.equal(await count(12), 0)
  })

  test('that conflicts with another runs again, without the effects of the first run', async () => {
    for (const sqlState of ['40001', '40P01']) {
      const seen: number[] = []
      let runs = 0
      await root.transaction(async (tx) => {
        runs += 1
        tx.afterCommit(() => seen.push(runs))
        if (runs < 4) await tx.execute(conflict(sqlState))
      })
      assert.deepEqual(seen, [4])
    }
  })

  test('that keeps conflicting fails after three retries; one inside another is not retried by itself', async () => {
    let runs = 0
    const losing = root.transaction((tx) =>
      tx.transaction(async (inner) => {
        runs += 1
        await inner.execute(conflict('40001'))
      }),
    )
    await assert.rejects(losing, { code: '40001' })
    assert.equal(runs, 4)
  })

  test('two that lock each other both succeed', { skip: isEmbedded() && 'PGlite runs one at a time' }, async () => {
    await root.execute(sql`insert into notes values (20, 'a'), (21, 'b')`)
    const bothHoldOne = Promise.withResolvers<void>()
    let holding = 0
    const swap = (first: number, second: number) =>
      root.transaction(async (tx) => {
        await tx.execute(sql`update notes set text = text || ${'+'} where id = ${first}`)
        holding += 1
        if (holding === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await tx.execute(sql`update notes set text = text || ${'+'} where id = ${second}`)
      })
    await Promise.all([swap(20, 21), swap(21, 20)])
    const { rows } = await root.execute(sql`select text from notes where id in (20, 21) order by id`)
    assert.deepEqual(rows, [{ text: 'a++' }, { text: 'b++' }])
  })

  test('its handle cannot be used after its end', async () => {
    let kept: Handle | undefined
    await root.transaction(async (tx) => {
      kept = tx
    })
    await assert.rejects(async () => kept?.execute(insert(13)), /The transaction is over/)
    await assert.rejects(async () => kept?.transaction(async () => 1), /The transaction is over/)
    assert.throws(() => kept?.afterCommit(() => undefined), /The transaction is over/)
    assert.equal(await count(13), 0)
  })
})

describe('inside a transaction the root handle', () => {
  const past = /outside the open transaction/

  test('throws at once, instead of waiting for a connection that is in use', async () => {
    await root.transaction(async () => {
      await assert.rejects(root.execute(sql`select 1`), past)
      await assert.rejects(
        root.transaction(async () => 1),
        past,
      )
      assert.throws(() => root.afterCommit(() => undefined), past)
      await setImmediate()
      await assert.rejects(root.execute(sql`select 1`), past)
    })
  })

  test('answers callers that are not inside', async () => {
    const isOpen = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const open = root.transaction(async () => {
      isOpen.resolve()
      await mayEnd.promise
    })
    await isOpen.promise
    const asked = root.execute(sql`select 1 as one`)
    mayEnd.resolve()
    assert.deepEqual((await asked).rows, [{ one: 1 }])
    await open
  })

  test('answers work that outlives the transaction, and effects after the commit', async () => {
    const { port1, port2 } = new MessageChannel()
    const inTimer = Promise.withResolvers<unknown>()
    const afterCommit = Promise.withResolvers<unknown>()
    await root.transaction(async (tx) => {
      const ended = once(port2, 'message')
      void ended.then(() => root.execute(sql`select 1 as one`)).then(inTimer.resolve, inTimer.reject)
      tx.afterCommit(() => void root.execute(sql`select 2 as two`).then(afterCommit.resolve, afterCommit.reject))
    })
    port1.postMessage('over')
    assert.deepEqual(await inTimer.promise, { rows: [{ one: 1 }], affected: 1 })
    assert.deepEqual(await afterCommit.promise, { rows: [{ two: 2 }], affected: 1 })
    port1.close()
  })
})

describe('an effect', () => {
  test('runs after the commit, in order, and never without one', async () => {
    const seen: string[] = []
    await root.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('first'))
      await tx.transaction(async (inner) => inner.afterCommit(() => seen.push('second')))
      seen.push('work')
    })
    assert.deepEqual(seen, ['work', 'first', 'second'])
    const failed = root.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('never'))
      throw new Error('no')
    })
    await assert.rejects(failed)
    assert.equal(seen.includes('never'), false)
  })

  test('runs at once without a transaction', () => {
    let runs = 0
    root.afterCommit(() => {
      runs += 1
    })
    assert.equal(runs, 1)
  })

  test('that fails does not turn a committed change into a failure', async () => {
    await root.transaction(async (tx) => {
      await tx.execute(insert(30))
      tx.afterCommit(() => {
        throw new Error('no')
      })
    })
    assert.equal(await count(30), 1)
  })
})

test('a statement whose table a migration has widened is prepared again', async () => {
  await root.execute(sql`create table widened (id int)`)
  const everything = () => root.execute(sql`select * from widened where id = ${1}`)
  await root.execute(sql`insert into widened values (1)`)
  // Once on each connection, so that all of them have the old plan.
  await Promise.all(Array.from({ length: 8 }, everything))
  await root.execute(sql`alter table widened add column more int`)
  assert.deepEqual((await everything()).rows, [{ id: 1, more: null }])
  await root.execute(sql`alter table widened add column most int`)
  await root.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`select * from widened where id = ${1}`)
    assert.deepEqual(rows, [{ id: 1, more: null, most: null }])
  })
})

function isEmbedded(): boolean {
  return process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
}
