import assert from 'node:assert/strict'
import { before, beforeEach, describe, type SuiteContext, type TestContext, test } from 'node:test'
import { type TestClock, testClock } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../database.ts'
import { mintPlatformScope } from '../mint.ts'
import { many, one, sql } from '../query.ts'
import { type PlatformScope, transaction } from '../scope.ts'
import { reviveJobs } from './job-list.store.ts'
import { type JobKind, type JobRun, type Jobs, type NewJob, work } from './jobs.ts'
import { jobQueue } from './queue.ts'
import { type JobRunner, jobRunner } from './runner.ts'

type Note = { text: string }
type Standing = { text: string; state: string }

const standard = { attemptsMax: 3, backoffSeconds: 10, timeoutSeconds: 5 }
const plain: JobKind<Note> = { name: 'test.note.write', ...standard }
const ordered: JobKind<Note> = { name: 'test.note.order', ...standard, order: 'key' }
const roomy: JobKind<Note> = { name: 'test.note.roomy', ...standard, places: { node: 40, tenant: 3 } }
const hasty: JobKind<Note> = { name: 'test.note.haste', ...standard, attemptsMax: 1, timeoutSeconds: 0.05 }

let database: Database
let platform: PlatformScope
let clock: TestClock
let jobs: Jobs
let runner: JobRunner
let seen: (JobRun<Note> & { kind: string })[]
let act: (run: JobRun<Note>) => Promise<void> | void

const texts = () => seen.map(({ data }) => data.text)
const states = () =>
  many(platform, sql<Standing>`select data ->> 'text' as text, state::text from jobs.job_common order by created_on`)
const secondsUntilRetry = async () => {
  const wait = sql<{ seconds: number }>`select extract(epoch from start_after - clock_timestamp())::float8 as seconds
    from jobs.job_common where state = 'retry'`
  return (await one(platform, wait)).seconds
}
const enqueue = (kind: JobKind<Note>, text: string, job: Partial<NewJob<Note>> = {}) =>
  jobs.enqueue(platform, kind, { data: { text }, ...job })

function recording(kind: JobKind<Note>) {
  return work(kind, async (run) => {
    seen.push({ ...run, kind: kind.name })
    await act(run)
  })
}

function openRunner() {
  const queue = jobQueue(clock)
  const log = { warn: () => undefined }
  const works = [plain, ordered, roomy, hasty].map(recording)
  return { jobs: queue, runner: jobRunner({ database, queue, works, clock, log }) }
}

before(async () => {
  database = await freshDatabase()
  platform = mintPlatformScope(database.handle, systemCaller)
  await openRunner().runner.prepare()
  return () => database.close()
})

async function fresh(t: TestContext | SuiteContext) {
  await many(platform, sql`delete from jobs.job_common`)
  seen = []
  act = () => undefined
  clock = testClock()
  ;({ jobs, runner } = openRunner())
  if ('after' in t) t.after(() => runner.stop(0))
}

describe('a job', () => {
  beforeEach(fresh)

  test('exists if and only if the change of its transaction does', async () => {
    await assert.rejects(
      transaction(platform, async (tx) => {
        await jobs.enqueue(tx, plain, { data: { text: 'undone' } })
        throw new Error('no')
      }),
    )
    await transaction(platform, (tx) => jobs.enqueue(tx, plain, { data: { text: 'kept' } }))
    await runner.runDue()
    assert.deepEqual(texts(), ['kept'])
  })

  test('enqueued past the open transaction is refused at once, and nobody waits for ever', async () => {
    await transaction(platform, async () => {
      await assert.rejects(enqueue(plain, 'x'), /asked past its open transaction/)
    })
    assert.equal(await runner.runDue(), 0)
  })

  test('of the same id is one job, also when the first has been done', async () => {
    const id = newId(clock.now())
    await enqueue(plain, 'first', { id })
    await enqueue(plain, 'second', { id })
    await runner.runDue()
    await enqueue(plain, 'third', { id })
    await runner.runDue()
    assert.deepEqual(texts(), ['first'])
  })

  test('waits for its time', async () => {
    await enqueue(plain, 'later', { runAt: new Date(clock.now().getTime() + 60_000) })
    clock.advance({ seconds: 59 })
    assert.equal(await runner.runDue(), 0)
    clock.advance({ seconds: 1 })
    assert.equal(await runner.runDue(), 1)
  })

  test("runs in its tenant's scope, and without a tenant in the platform's, in the name of the system", async () => {
    const tenantId = newId(clock.now())
    await enqueue(plain, 'theirs', { tenantId })
    await enqueue(plain, 'ours')
    await runner.runDue()
    const [theirs, ours] = ['theirs', 'ours'].map((text) => seen.find(({ data }) => data.text === text)?.scope)
    assert.deepEqual(
      [theirs?.kind, theirs?.kind === 'tenant' && theirs.tenantId, ours?.kind],
      ['tenant', tenantId, 'platform'],
    )
    assert.equal(theirs?.caller.actor.type, 'SYSTEM')
  })

  test('of a kind that nobody declared, without its key or with a wrong id is refused', async () => {
    await assert.rejects(enqueue({ ...plain, name: 'test.nobody' }, 'x'), /Nobody declared/)
    await assert.rejects(enqueue(ordered, 'x'), /has a key/)
    await assert.rejects(enqueue(plain, 'x', { key: 'k' }), /has a key/)
    await assert.rejects(enqueue(plain, 'x', { id: '1' }), /no UUID/)
  })
})

describe('a job that fails', () => {
  beforeEach(fresh)

  test('is tried again after a wait that doubles, and dead after its last try', async () => {
    act = () => {
      throw new Error('not today')
    }
    await enqueue(plain, 'x')
    const waits: number[] = []
    for (let round = 0; round < 2; round++) {
      assert.equal(await runner.runDue(), 1)
      waits.push(await secondsUntilRetry())
      clock.advance({ seconds: 3600 })
    }
    assert.equal(await runner.runDue(), 1)
    clock.advance({ seconds: 24 * 3600 })
    assert.equal(await runner.runDue(), 0)
    const [first = 0, second = 0] = waits
    assert.equal(first > 9 && first <= 20 && second > 19 && second <= 40, true, waits.join())
    assert.deepEqual(
      seen.map(({ attempt, isLastAttempt }) => [attempt, isLastAttempt]),
      [
        [1, false],
        [2, false],
        [3, true],
      ],
    )
    assert.deepEqual(await states(), [{ text: 'x', state: 'failed' }])
  })

  test('takes none of those down that were claimed with it', async () => {
    act = ({ data }) => {
      if (data.text === '3') throw new Error('no')
    }
    for (let index = 0; index < 6; index++) await enqueue(plain, String(index))
    await runner.runDue()
    const failed = (await states()).filter(({ state }) => state !== 'completed')
    assert.deepEqual(failed, [{ text: '3', state: 'retry' }])
  })

  test('because its time is over has its signal aborted', async () => {
    act = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await enqueue(hasty, 'slow')
    await runner.runDue()
    assert.equal(seen[0]?.signal.aborted, true)
    assert.deepEqual(await states(), [{ text: 'slow', state: 'failed' }])
  })
})

describe('jobs of one key', () => {
  beforeEach(fresh)

  test('run one after another in the order in which they were enqueued, side by side with other keys', async () => {
    let atOnce = 0
    act = async ({ data }) => {
      if (!data.text.startsWith('a')) return
      atOnce += 1
      assert.equal(atOnce, 1)
      await new Promise(setImmediate)
      atOnce -= 1
    }
    await transaction(platform, async (tx) => {
      for (const text of ['a1', 'b1', 'a2', 'a3', 'b2', 'a4'])
        await jobs.enqueue(tx, ordered, { data: { text }, key: text.slice(0, 1) })
    })
    await runner.runDue()
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
    act = ({ data }) => {
      if (data.text === 'a1') throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    await enqueue(ordered, 'a2', { key: 'a' })
    await runner.runDue()
    assert.deepEqual(texts(), ['a1'])
    clock.advance({ seconds: 30 })
    await runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1'])
    clock.advance({ seconds: 60 })
    await runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1', 'a1', 'a2'])
    assert.deepEqual(await states(), [
      { text: 'a1', state: 'failed' },
      { text: 'a2', state: 'completed' },
    ])
  })

  test('go on when the first succeeds in the end', async () => {
    act = ({ data, attempt }) => {
      if (data.text === 'a1' && attempt === 1) throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    await enqueue(ordered, 'a2', { key: 'a' })
    await runner.runDue()
    clock.advance({ seconds: 30 })
    await runner.runDue()
    assert.deepEqual(texts(), ['a1', 'a1', 'a2'])
  })
})

describe('tenants', () => {
  beforeEach(fresh)

  test('with very many jobs do not keep the one job of another waiting', async () => {
    const [large, larger, small] = [newId(clock.now()), newId(clock.now()), newId(clock.now())]
    await transaction(platform, async (tx) => {
      for (let index = 0; index < 150; index++)
        await jobs.enqueue(tx, plain, { data: { text: 'large' }, tenantId: index % 2 ? large : larger })
      await jobs.enqueue(tx, plain, { data: { text: 'small' }, tenantId: small })
    })
    await runner.runDue()
    assert.equal(seen.length, 151)
    assert.equal(texts().indexOf('small') <= 40, true, `after ${texts().indexOf('small')} others`)
  })

  test('whose jobs hang leave places free for those of others', async () => {
    const [slow, quick] = [newId(clock.now()), newId(clock.now())]
    const mayEnd = Promise.withResolvers<void>()
    act = ({ data }) => (data.text === 'hangs' ? mayEnd.promise : mayEnd.resolve())
    for (let index = 0; index < 30; index++) await enqueue(plain, 'hangs', { tenantId: slow })
    await enqueue(plain, 'quick', { tenantId: quick })
    await runner.runDue()
    assert.equal(texts().indexOf('quick') <= 10, true)
    assert.equal(seen.length, 31)
  })

  test('get the places that a kind of jobs says it has', async () => {
    const mayEnd = Promise.withResolvers<void>()
    act = () => mayEnd.promise
    for (let tenant = 0; tenant < 12; tenant++) {
      const tenantId = newId(clock.now())
      for (let index = 0; index < 5; index++) await enqueue(roomy, tenantId, { tenantId })
    }
    // More than the usual 20, and none of a tenant beyond its own.
    const begun = untilSeen(30)
    const running = runner.runDue()
    await begun
    for (const own of Map.groupBy(texts(), (tenantId) => tenantId).values()) assert.ok(own.length <= 3)
    mayEnd.resolve()
    await running
    assert.equal(seen.length, 60)
  })
})

/** Resolves when so many tries have begun. */
function untilSeen(count: number): Promise<void> {
  const enough = Promise.withResolvers<void>()
  const before = act
  act = (run) => {
    if (seen.length >= count) enough.resolve()
    return before(run)
  }
  return enough.promise
}

describe('a runner', () => {
  beforeEach(fresh)

  test('starts what its node enqueues at once, sixty jobs without one poll between them', async () => {
    const allSeen = untilSeen(60)
    runner.start()
    // The first pass of its loop is over when this one has run.
    for (let index = 0; index < 60; index++) await enqueue(plain, String(index))
    await allSeen
    await runner.stop(1000)
    assert.equal(new Set(texts()).size, 60)
    assert.equal(
      (await states()).every(({ state }) => state === 'completed'),
      true,
    )
  })

  test('that stops waits for what runs and takes nothing more', async () => {
    const mayEnd = Promise.withResolvers<void>()
    act = () => mayEnd.promise
    const begun = untilSeen(1)
    runner.start()
    await enqueue(plain, 'running')
    await begun
    const stopped = runner.stop(10_000)
    await enqueue(plain, 'waiting')
    mayEnd.resolve()
    await stopped
    assert.deepEqual(await states(), [
      { text: 'running', state: 'completed' },
      { text: 'waiting', state: 'created' },
    ])
  })

  test('that may wait no longer aborts what runs; it goes back to the queue and the try does not count', async () => {
    act = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const begun = untilSeen(1)
    runner.start()
    await enqueue(plain, 'long')
    await begun
    await runner.stop(0)
    assert.deepEqual(await states(), [{ text: 'long', state: 'created' }])
    act = () => undefined
    ;({ jobs, runner } = openRunner())
    await runner.runDue()
    assert.deepEqual(
      seen.map(({ attempt }) => attempt),
      [1, 1],
    )
  })

  test('gives the job of a node that died to whoever asks, and leaves those that run alone', async () => {
    const mayEnd = Promise.withResolvers<void>()
    act = () => mayEnd.promise
    await enqueue(plain, 'lost')
    await enqueue(plain, 'alive')
    const begun = untilSeen(2)
    const first = runner.runDue()
    await begun
    await many(
      platform,
      sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds' where data ->> 'text' = 'lost'`,
    )
    const other = openRunner().runner
    await other.recover()
    // Without order: both may have been enqueued within one tick of the database's clock.
    assert.deepEqual((await states()).map(({ text, state }) => `${text} ${state}`).sort(), [
      'alive active',
      'lost retry',
    ])
    clock.advance({ seconds: 3600 })
    act = () => undefined
    assert.equal(await other.runDue(), 1)
    mayEnd.resolve()
    await first
    // The end of the first try came too late to be written over the second.
    assert.deepEqual(
      (await states()).map(({ state }) => state),
      ['completed', 'completed'],
    )
    assert.deepEqual(
      seen.filter(({ data }) => data.text === 'lost').map(({ attempt }) => attempt),
      [1, 2],
    )
    await other.stop(0)
  })
})

describe('a dead job that is given its tries again', () => {
  beforeEach(fresh)

  test('runs anew, before later jobs of its key', async () => {
    act = ({ data }) => {
      if (data.text === 'a1') throw new Error('no')
    }
    await enqueue(ordered, 'a1', { key: 'a' })
    for (let round = 0; round < 3; round++) {
      await runner.runDue()
      clock.advance({ seconds: 3600 })
    }
    await enqueue(ordered, 'a2', { key: 'a' })
    seen = []
    act = () => undefined
    assert.equal(await reviveJobs(platform, { kind: ordered.name, limit: 10 }), 1)
    await runner.runDue()
    assert.deepEqual(
      seen.map(({ data, attempt, isLastAttempt }) => [data.text, attempt, isLastAttempt]),
      [
        ['a1', 1, false],
        ['a2', 1, false],
      ],
    )
  })
})

describe('the queues', () => {
  beforeEach(fresh)

  test('the depths of the queues are told by kind', async () => {
    const depthOf = async (kind: JobKind<Note>) => (await runner.stats()).find((depth) => depth.kind === kind.name)
    await enqueue(plain, 'ready')
    await enqueue(plain, 'later', { runAt: new Date(clock.now().getTime() + 60_000) })
    assert.deepEqual(await depthOf(plain), { kind: plain.name, ready: 1, active: 0, scheduled: 1, dead: 0 })
    act = () => {
      throw new Error('no')
    }
    await enqueue(hasty, 'dies')
    await runner.runDue()
    assert.deepEqual(await depthOf(hasty), { kind: hasty.name, ready: 0, active: 0, scheduled: 0, dead: 1 })
    assert.deepEqual(await depthOf(plain), { kind: plain.name, ready: 0, active: 0, scheduled: 2, dead: 0 })
  })
})
