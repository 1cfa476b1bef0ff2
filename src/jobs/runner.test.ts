import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hasty, type Note, noteJobs, ordered, plain, single } from '../../test/harness/note-jobs.ts'
import { newId } from '../kernel/ids.ts'
import { transaction } from '../storage/scope.ts'
import { reviveJobs } from './job-list.store.ts'
import type { JobKind } from './jobs.ts'

const notes = noteJobs()
const { enqueue, fresh, secondsUntilRetry, states, texts } = notes

describe('a job', () => {
  beforeEach(fresh)

  test('exists if and only if its transaction is committed', async () => {
    await assert.rejects(
      transaction(notes.platform, async (tx) => {
        await notes.jobs.enqueue(tx, plain, { data: { text: 'undone' } })
        throw new Error('no')
      }),
    )
    await transaction(notes.platform, (tx) => notes.jobs.enqueue(tx, plain, { data: { text: 'kept' } }))
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['kept'])
  })

  test('that is enqueued past the open transaction is refused at once, instead of waiting for ever', async () => {
    await transaction(notes.platform, async () => {
      await assert.rejects(enqueue(plain, 'x'), /outside the open transaction/)
    })
    assert.equal(await notes.runner.runDue(), 0)
  })

  test('with the id of another is not enqueued, also after the other was done', async () => {
    const id = newId(notes.clock.now())
    await enqueue(plain, 'first', { id })
    await enqueue(plain, 'second', { id })
    await notes.runner.runDue()
    await enqueue(plain, 'third', { id })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['first'])
  })

  test('waits for its time', async () => {
    await enqueue(plain, 'later', { runAt: new Date(notes.clock.now().getTime() + 60_000) })
    notes.clock.advance({ seconds: 59 })
    assert.equal(await notes.runner.runDue(), 0)
    notes.clock.advance({ seconds: 1 })
    assert.equal(await notes.runner.runDue(), 1)
  })

  test('that is urgent runs before those that were enqueued earlier', async () => {
    const tenantId = newId(notes.clock.now())
    await enqueue(single, 'first', { tenantId })
    await enqueue(single, 'second', { tenantId })
    await enqueue(single, 'urgent', { tenantId, isUrgent: true })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['urgent', 'first', 'second'])
  })

  test("runs in its tenant's scope, and without a tenant in the platform's, in the name of the system", async () => {
    const tenantId = newId(notes.clock.now())
    await enqueue(plain, 'theirs', { tenantId })
    await enqueue(plain, 'ours')
    await notes.runner.runDue()
    const [theirs, ours] = ['theirs', 'ours'].map((text) => notes.seen.find(({ data }) => data.text === text)?.scope)
    assert.deepEqual(
      [theirs?.kind, theirs?.kind === 'tenant' && theirs.tenantId, ours?.kind],
      ['tenant', tenantId, 'platform'],
    )
    assert.equal(theirs?.caller.actor.type, 'SYSTEM')
  })

  test('of an undeclared kind, without its key or with a malformed id is refused', async () => {
    await assert.rejects(enqueue({ ...plain, name: 'test.nobody' }, 'x'), /is not declared/)
    await assert.rejects(enqueue(ordered, 'x'), /must have a key/)
    await assert.rejects(enqueue(plain, 'x', { key: 'k' }), /must have a key/)
    await assert.rejects(enqueue(plain, 'x', { id: '1' }), /not a UUID/)
  })
})

describe('a job that fails', () => {
  beforeEach(fresh)

  test('runs again after a wait that doubles, and is dead after its last attempt', async () => {
    notes.act = () => {
      throw new Error('not today')
    }
    await enqueue(plain, 'x')
    const waits: number[] = []
    for (let round = 0; round < 2; round++) {
      assert.equal(await notes.runner.runDue(), 1)
      waits.push(await secondsUntilRetry())
      notes.clock.advance({ seconds: 3600 })
    }
    assert.equal(await notes.runner.runDue(), 1)
    notes.clock.advance({ seconds: 24 * 3600 })
    assert.equal(await notes.runner.runDue(), 0)
    const [first = 0, second = 0] = waits
    assert.equal(first > 9 && first <= 20 && second > 19 && second <= 40, true, waits.join())
    assert.deepEqual(
      notes.seen.map(({ attempt, isLastAttempt }) => [attempt, isLastAttempt]),
      [
        [1, false],
        [2, false],
        [3, true],
      ],
    )
    assert.deepEqual(await states(), [{ text: 'x', state: 'failed' }])
  })

  test('does not fail the jobs that were claimed with it', async () => {
    notes.act = ({ data }) => {
      if (data.text === '3') throw new Error('no')
    }
    for (let index = 0; index < 6; index++) await enqueue(plain, String(index))
    await notes.runner.runDue()
    const failed = (await states()).filter(({ state }) => state !== 'completed')
    assert.deepEqual(failed, [{ text: '3', state: 'retry' }])
  })

  test('because it took too long has its signal aborted', async () => {
    notes.act = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await enqueue(hasty, 'slow')
    await notes.runner.runDue()
    assert.equal(notes.seen[0]?.signal.aborted, true)
    assert.deepEqual(await states(), [{ text: 'slow', state: 'failed' }])
  })
})

describe('jobs of one key', () => {
  beforeEach(fresh)

  test('run one after another in the order in which they were enqueued, side by side with other keys', async () => {
    let atOnce = 0
    notes.act = async ({ data }) => {
      if (!data.text.startsWith('a')) return
      atOnce += 1
      assert.equal(atOnce, 1)
      await new Promise(setImmediate)
      atOnce -= 1
    }
    await transaction(notes.platform, async (tx) => {
      for (const text of ['a1', 'b1', 'a2', 'a3', 'b2', 'a4'])
        await notes.jobs.enqueue(tx, ordered, { data: { text }, key: text.slice(0, 1) })
    })
    await notes.runner.runDue()
    assert.deepEqual(
      texts().filter((text) => text.startsWith('a')),
      ['a1', 'a2', 'a3', 'a4'],
    )
    assert.deepEqual(
      texts().filter((text) => text.startsWith('b')),
      ['b1', 'b2'],
    )
    assert.equal(texts().indexOf('b1') < texts().indexOf('a2'), true)
  })

  test('wait for the first while it fails, and go on when it is dead', async () => {
    notes.act = ({ data }) => {
      if (data.text === 'a1') throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    await enqueue(ordered, 'a2', { key: 'a' })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['a1'])
    notes.clock.advance({ seconds: 30 })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1'])
    notes.clock.advance({ seconds: 60 })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1', 'a1', 'a2'])
    assert.deepEqual(await states(), [
      { text: 'a1', state: 'failed' },
      { text: 'a2', state: 'completed' },
    ])
  })

  test('go on when the first succeeds after a failure', async () => {
    notes.act = ({ data, attempt }) => {
      if (data.text === 'a1' && attempt === 1) throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    await enqueue(ordered, 'a2', { key: 'a' })
    await notes.runner.runDue()
    notes.clock.advance({ seconds: 30 })
    await notes.runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1', 'a2'])
  })
})

describe('a dead job that is revived', () => {
  beforeEach(fresh)

  test('runs again, before later jobs of its key', async () => {
    notes.act = ({ data }) => {
      if (data.text === 'a1') throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    for (let round = 0; round < 3; round++) {
      await notes.runner.runDue()
      notes.clock.advance({ seconds: 3600 })
    }
    await enqueue(ordered, 'a2', { key: 'a' })
    notes.seen = []
    notes.act = () => undefined
    assert.equal(await reviveJobs(notes.platform, { kind: ordered.name, limit: 10 }), 1)
    await notes.runner.runDue()
    assert.deepEqual(
      notes.seen.map(({ data, attempt, isLastAttempt }) => [data.text, attempt, isLastAttempt]),
      [
        ['a1', 1, false],
        ['a2', 1, false],
      ],
    )
  })
})

describe('the queues', () => {
  beforeEach(fresh)

  test('their depths are listed by kind', async () => {
    const depthOf = async (kind: JobKind<Note>) =>
      (await notes.runner.stats()).find((depth) => depth.kind === kind.name)
    await enqueue(plain, 'ready')
    await enqueue(plain, 'later', { runAt: new Date(notes.clock.now().getTime() + 60_000) })
    assert.deepEqual(await depthOf(plain), { kind: plain.name, ready: 1, active: 0, scheduled: 1, dead: 0 })
    notes.act = () => {
      throw new Error('no')
    }
    await enqueue(hasty, 'dies')
    await notes.runner.runDue()
    assert.deepEqual(await depthOf(hasty), { kind: hasty.name, ready: 0, active: 0, scheduled: 0, dead: 1 })
    assert.deepEqual(await depthOf(plain), { kind: plain.name, ready: 0, active: 0, scheduled: 2, dead: 0 })
  })
})
