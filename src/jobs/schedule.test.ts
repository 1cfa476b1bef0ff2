import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestClock, testClock } from '../../test/harness/clock.ts'
import { freshDatabase } from '../../test/harness/database.ts'
import { systemCaller } from '../kernel/caller.ts'
import type { Database } from '../storage/database.ts'
import { mintPlatformScope } from '../storage/mint.ts'
import { many, sql } from '../storage/query.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { type JobKind, jobHandler } from './jobs.ts'
import { jobQueue } from './queue.ts'
import { jobRunner } from './runner.ts'

let database: Database
let platform: PlatformScope
let clock: TestClock

before(async () => {
  database = await freshDatabase()
  platform = mintPlatformScope(database.handle, systemCaller)
  return () => database.close()
})

describe('cron and interval tasks', () => {
  const nightly: JobKind<object> = {
    name: 'test.night.run',
    attemptsMax: 3,
    backoffSeconds: 10,
    timeoutSeconds: 5,
    cron: '30 3 * * *',
  }

  function node(isAlone: boolean, done: string[]) {
    const queue = jobQueue(clock)
    const task = { name: 'test.tick', everySeconds: 5, run: async () => void done.push('tick') }
    const handlers = [jobHandler(nightly, async () => void done.push('night'))]
    const kind = isAlone ? ('pglite' as const) : ('postgres' as const)
    const log = { warn: () => undefined }
    return jobRunner({
      database: { kind, handle: database.handle },
      queue,
      handlers,
      intervalTasks: [task],
      clock,
      log,
    })
  }

  test('run once for two nodes, and a run that both missed is made up for', async () => {
    await many(platform, sql`delete from job_turns`)
    clock = testClock(new Date('2040-05-01T03:29:50Z'))
    const done: string[] = []
    const nodes = [node(false, done), node(false, done)]
    await nodes[0]?.prepare()
    const turn = async () => {
      await Promise.all(nodes.map((each) => each.runDueSchedules()))
      for (const each of nodes) await each.runDue()
      return done.splice(0)
    }
    assert.deepEqual(await turn(), ['tick'])
    clock.advance({ seconds: 2 })
    assert.deepEqual(await turn(), [])
    clock.advance({ seconds: 8 })
    assert.deepEqual(await turn(), ['tick', 'night'])
    clock.advance({ seconds: 10 })
    assert.deepEqual(await turn(), ['tick'])
    clock.advance({ seconds: 3 * 24 * 3600 })
    assert.deepEqual(await turn(), ['tick', 'night'])
    for (const each of nodes) await each.stop(0)
  })

  test('a slow interval task does not delay the jobs of its node', async () => {
    await many(platform, sql`delete from job_turns`)
    clock = testClock()
    const queue = jobQueue(clock)
    const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const isDone = Promise.withResolvers<void>()
    const run = async () => {
      hasBegun.resolve()
      await mayEnd.promise
    }
    const kind = { name: 'test.tick.beside', attemptsMax: 1, backoffSeconds: 1, timeoutSeconds: 60 }
    const runner = jobRunner({
      database,
      queue,
      clock,
      log: { warn: () => undefined },
      pollMs: 10,
      handlers: [jobHandler(kind, async () => isDone.resolve())],
      intervalTasks: [{ name: 'test.tick.long', everySeconds: 5, run }],
    })
    await runner.prepare()
    runner.start()
    await hasBegun.promise
    await queue.enqueue(platform, kind, { data: {} })
    await isDone.promise
    mayEnd.resolve()
    await runner.stop(10_000)
  })

  for (const count of [1, 2]) {
    test(`go on when the clock is set back by a day, once for all nodes of ${count}`, async () => {
      await many(platform, sql`delete from job_turns`)
      clock = testClock(new Date('2042-05-02T03:29:50Z'))
      const done: string[] = []
      const nodes = Array.from({ length: count }, () => node(count === 1, done))
      await nodes[0]?.prepare()
      const turn = async () => {
        await Promise.all(nodes.map((each) => each.runDueSchedules()))
        for (const each of nodes) await each.runDue()
        return done.splice(0)
      }
      await turn()
      clock.advance({ seconds: 10 })
      assert.deepEqual(await turn(), ['tick', 'night'])
      clock.advance({ seconds: 10 })
      assert.deepEqual(await turn(), ['tick'], 'and the next night is planned')
      clock.advance({ seconds: -24 * 3600 - 20 })
      assert.deepEqual(await turn(), ['tick'])
      clock.advance({ seconds: 2 })
      assert.deepEqual(await turn(), [])
      clock.advance({ seconds: 8 })
      assert.deepEqual(await turn(), ['tick', 'night'])
      clock.advance({ seconds: 24 * 3600 })
      assert.deepEqual(await turn(), ['tick', 'night'])
      for (const each of nodes) await each.stop(0)
    })
  }

  test('that are due while no node runs are done at the next start', async () => {
    await many(platform, sql`delete from job_turns`)
    clock = testClock(new Date('2041-05-01T03:00:00Z'))
    const done: string[] = []
    const first = node(true, done)
    await first.prepare()
    await first.runDueSchedules()
    await first.stop(0)
    clock.advance({ seconds: 3600 })
    const second = node(true, done)
    await second.runDueSchedules()
    await second.runDue()
    assert.deepEqual(done, ['tick', 'tick', 'night'])
    await second.stop(0)
  })
})
