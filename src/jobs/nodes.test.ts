import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type Note, noteJobs, plain, roomy, watched } from '../../test/harness/note-jobs.ts'
import { newId } from '../kernel/ids.ts'
import { many, sql } from '../storage/query.ts'
import { transaction } from '../storage/scope.ts'

const notes = noteJobs()
const { enqueue, fresh, openRunner, states, texts, untilSeen } = notes

describe('tenants', () => {
  beforeEach(fresh)

  test('with very many jobs do not delay the single job of another tenant', async () => {
    const [large, larger, small] = [newId(notes.clock.now()), newId(notes.clock.now()), newId(notes.clock.now())]
    await transaction(notes.platform, async (tx) => {
      for (let index = 0; index < 150; index++)
        await notes.jobs.enqueue(tx, plain, { data: { text: 'large' }, tenantId: index % 2 ? large : larger })
      await notes.jobs.enqueue(tx, plain, { data: { text: 'small' }, tenantId: small })
    })
    await notes.runner.runDue()
    assert.equal(notes.seen.length, 151)
    assert.equal(texts().indexOf('small') <= 40, true, `after ${texts().indexOf('small')} others`)
  })

  test('whose jobs hang leave slots free for other tenants', async () => {
    const [slow, quick] = [newId(notes.clock.now()), newId(notes.clock.now())]
    const mayEnd = Promise.withResolvers<void>()
    notes.act = ({ data }) => (data.text === 'hangs' ? mayEnd.promise : mayEnd.resolve())
    for (let index = 0; index < 30; index++) await enqueue(plain, 'hangs', { tenantId: slow })
    await enqueue(plain, 'quick', { tenantId: quick })
    await notes.runner.runDue()
    assert.equal(texts().indexOf('quick') <= 10, true)
    assert.equal(notes.seen.length, 31)
  })

  test('get the concurrency that the job kind declares', async () => {
    const mayEnd = Promise.withResolvers<void>()
    notes.act = () => mayEnd.promise
    for (let tenant = 0; tenant < 12; tenant++) {
      const tenantId = newId(notes.clock.now())
      for (let index = 0; index < 5; index++) await enqueue(roomy, tenantId, { tenantId })
    }
    // More than the usual 20, and none of a tenant beyond its own.
    const begun = untilSeen(30)
    const running = notes.runner.runDue()
    await begun
    for (const own of Map.groupBy(texts(), (tenantId) => tenantId).values()) assert.ok(own.length <= 3)
    mayEnd.resolve()
    await running
    assert.equal(notes.seen.length, 60)
  })
})

describe('a runner', () => {
  beforeEach(fresh)

  test('starts jobs of its own node at once, sixty of them without a poll in between', async () => {
    const allSeen = untilSeen(60)
    notes.runner.start()
    // The first pass of its loop is over when this one has run.
    for (let index = 0; index < 60; index++) await enqueue(plain, String(index))
    await allSeen
    await notes.runner.stop(1000)
    assert.equal(new Set(texts()).size, 60)
    assert.equal(
      (await states()).every(({ state }) => state === 'completed'),
      true,
    )
  })

  test('that stops waits for running jobs and claims no more', async () => {
    const mayEnd = Promise.withResolvers<void>()
    notes.act = () => mayEnd.promise
    const begun = untilSeen(1)
    notes.runner.start()
    await enqueue(plain, 'running')
    await begun
    const stopped = notes.runner.stop(10_000)
    await enqueue(plain, 'waiting')
    mayEnd.resolve()
    await stopped
    assert.deepEqual(await states(), [
      { text: 'running', state: 'completed' },
      { text: 'waiting', state: 'created' },
    ])
  })

  test('that may wait no longer aborts running jobs; they go back to the queue and the attempt does not count', async () => {
    notes.act = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const begun = untilSeen(1)
    notes.runner.start()
    await enqueue(plain, 'long')
    await begun
    await notes.runner.stop(0)
    assert.deepEqual(await states(), [{ text: 'long', state: 'created' }])
    notes.act = () => undefined
    Object.assign(notes, openRunner())
    await notes.runner.runDue()
    assert.deepEqual(
      notes.seen.map(({ attempt }) => attempt),
      [1, 1],
    )
  })

  test('makes the job of a dead node available again, and leaves running jobs alone', async () => {
    const mayEnd = Promise.withResolvers<void>()
    notes.act = () => mayEnd.promise
    await enqueue(plain, 'lost')
    await enqueue(plain, 'alive')
    const begun = untilSeen(2)
    const first = notes.runner.runDue()
    await begun
    await many(
      notes.platform,
      sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds' where data ->> 'text' = 'lost'`,
    )
    const other = openRunner().runner
    await other.recover()
    // Without order: both may have been enqueued within one tick of the database's notes.clock.
    assert.deepEqual((await states()).map(({ text, state }) => `${text} ${state}`).sort(), [
      'alive active',
      'lost retry',
    ])
    notes.clock.advance({ seconds: 3600 })
    notes.act = () => undefined
    assert.equal(await other.runDue(), 1)
    mayEnd.resolve()
    await first
    // The end of the first try came too late to be written over the second.
    assert.deepEqual(
      (await states()).map(({ state }) => state),
      ['completed', 'completed'],
    )
    assert.deepEqual(
      notes.seen.filter(({ data }) => data.text === 'lost').map(({ attempt }) => attempt),
      [1, 2],
    )
    await other.stop(0)
  })

  test('calls onExhausted for each lost job, and one whose call fails does not delay the others', async () => {
    const mayEnd = Promise.withResolvers<void>()
    notes.act = () => mayEnd.promise
    await enqueue(watched, 'mute')
    await enqueue(watched, 'lost')
    const begun = untilSeen(2)
    const first = notes.runner.runDue()
    await begun
    const lose = sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds' where state = 'active'`
    await many(notes.platform, lose)
    const { runner } = openRunner()
    const said: string[] = []
    notes.onExhausted = async ({ data }) => {
      const { text } = data as Note
      said.push(text)
      if (text === 'mute' && said.length <= 2) throw new Error('the database is away')
    }
    await runner.recover()
    assert.deepEqual(said.toSorted(), ['lost', 'mute'])
    assert.deepEqual((await states()).map(({ text, state }) => `${text} ${state}`).sort(), [
      'lost completed',
      'mute active',
    ])
    await runner.recover()
    assert.deepEqual(said.slice(2), ['mute'])
    assert.ok((await states()).every(({ state }) => state === 'completed'))
    mayEnd.resolve()
    await first
    await runner.stop(0)
  })
})
