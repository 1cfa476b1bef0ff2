import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { groupCommit } from './group-commit.ts'

/** A connection for which so many wait, and whose statements are answered as the test says. */
function connection() {
  const state = { awaitedBy: 0, isFailed: false }
  const asked: string[] = []
  let given = 0
  const commits = groupCommit(() => state.awaitedBy > 0)
  const query = async (sql: string) => {
    await setImmediate()
    if (state.isFailed) throw new Error('current transaction is aborted')
    asked.push(sql.includes('pg_logical_emit_message') ? (sql.includes('set_config') ? 'flush, sync' : 'flush') : sql)
  }
  return {
    state,
    asked,
    given: () => given,
    begin: ({ isReading = false } = {}) => commits.begin({ query, isReading }),
    /** What happened before the end of this use of the connection was told. */
    end: () => commits.end(() => given++).then(() => [...asked]),
  }
}

/** One has written and waits for the disk, another has the connection. */
async function writtenByFirst() {
  const opened = connection()
  const { state, begin, end } = opened
  state.awaitedBy = 1
  await begin()
  const first = end()
  await begin()
  return { ...opened, first }
}

const noSync = 'set synchronous_commit = off'

describe('commits', () => {
  test('that nobody waits for are written by themselves, without a statement more', async () => {
    const { begin, end, asked, given } = connection()
    for (let use = 0; use < 3; use++) {
      await begin()
      await end()
    }
    assert.deepEqual(asked, [])
    assert.equal(given(), 3)
  })

  test('that others wait for are written together, by the last', async (t) => {
    // On a busy machine the time after which they are written all the same would be over.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { state, begin, end, given } = connection()
    const ends: Promise<string[]>[] = []
    for (const awaitedBy of [2, 1]) {
      state.awaitedBy = awaitedBy
      await begin()
      ends.push(end())
      await setImmediate()
      assert.equal(given(), ends.length, 'the next one has the connection before the disk')
    }
    state.awaitedBy = 0
    await begin()
    ends.push(end())
    for (const before of await Promise.all(ends)) assert.deepEqual(before, [noSync, 'flush, sync'])
    assert.equal(given(), 3)
  })

  test('do not hold up those who only read, unless something may not be on the disk yet', async (t) => {
    // On a busy machine the time after which they are written all the same would be over.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { state, asked, begin, end } = connection()
    state.awaitedBy = 1
    await begin({ isReading: true })
    assert.deepEqual(await end(), [], 'reads alone')
    await begin()
    const written = end()
    await begin({ isReading: true })
    const read = end()
    await setImmediate()
    state.awaitedBy = 0
    await begin({ isReading: true })
    assert.deepEqual(await end(), [noSync, 'flush, sync'])
    for (const before of await Promise.all([written, read])) assert.deepEqual(before, asked)
    await begin({ isReading: true })
    assert.deepEqual(await end(), [noSync, 'flush, sync'])
  })

  test('are not on the disk for a reader until the flush is answered', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { state, begin, end } = connection()
    state.awaitedBy = 1
    await begin()
    const written = end()
    await begin({ isReading: true })
    state.awaitedBy = 0
    t.mock.timers.tick(10)
    assert.deepEqual(await Promise.all([end(), written]), [
      [noSync, 'flush', 'flush, sync'],
      [noSync, 'flush'],
    ])
  })

  test('do not wait for whoever keeps the connection for long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { state, asked, end, first } = await writtenByFirst()
    await setImmediate()
    assert.deepEqual(asked, [noSync])
    t.mock.timers.tick(10)
    assert.deepEqual(await first, [noSync, 'flush'])
    state.awaitedBy = 0
    assert.deepEqual(await end(), [noSync, 'flush', 'flush, sync'])
  })

  test('wait for the end of a transaction that failed and takes no statement', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { state, asked, end, first } = await writtenByFirst()
    Object.assign(state, { awaitedBy: 0, isFailed: true })
    for (let attempt = 0; attempt < 3; attempt++) {
      t.mock.timers.tick(10)
      await setImmediate()
      await setImmediate()
    }
    assert.deepEqual(asked, [noSync])
    state.isFailed = false
    await end()
    assert.deepEqual(await first, [noSync, 'flush, sync'])
  })

  test('that could not be written fail, all of them, and the connection is given back', async () => {
    const { state, begin, end, given, first } = await writtenByFirst()
    Object.assign(state, { awaitedBy: 0, isFailed: true })
    await Promise.all([assert.rejects(first), assert.rejects(end())])
    assert.equal(given(), 2)
    // The connection still does not wait for the disk, so the next use of it must flush.
    state.isFailed = false
    await begin()
    assert.deepEqual(await end(), [noSync, 'flush, sync'])
  })
})
