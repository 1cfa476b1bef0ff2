import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import pg from 'pg'
import { testClock } from '../../test/harness/clock.ts'
import { createMigratedDatabase } from '../../test/harness/database.ts'
import { temporaryFolder } from '../../test/harness/service.ts'
import { systemCaller } from '../kernel/caller.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { mintPlatformScope } from '../storage/mint.ts'
import { many, sql } from '../storage/query.ts'
import { compile } from '../storage/sql.ts'
import { type JobKind, jobHandler } from './jobs.ts'
import { jobQueue } from './queue.ts'
import { jobRunner } from './runner.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const kind: JobKind<object> = { name: 'test.fault.survive', attemptsMax: 3, backoffSeconds: 0, timeoutSeconds: 300 }
const log = { warn: () => undefined }
/** In the one for jobs whose process has died: it comes by the real clock. */
const questionAfterEightSeconds = 'heartbeat_on'

async function place(): Promise<{ databaseUrl: string | null; dataFolder: string }> {
  if (isServer) return { databaseUrl: await createMigratedDatabase(), dataFolder: '' }
  return { databaseUrl: null, dataFolder: await temporaryFolder() }
}

function runnerOn(database: Database, handle: () => void, { pollMs = 20 } = {}) {
  const clock = testClock()
  const queue = jobQueue(clock)
  const handlers = [jobHandler(kind, async () => handle())]
  return { queue, runner: jobRunner({ database, queue, handlers, clock, log, pollMs }) }
}

/** A process that takes a job and never ends it. Resolves when it has begun. */
async function startHanging(options: object): Promise<ChildProcess> {
  const from = (path: string) => JSON.stringify(import.meta.resolve(path))
  const program = `
    const { openDatabase } = await import(${from('../storage/database.ts')})
    const { jobQueue } = await import(${from('./queue.ts')})
    const { jobRunner } = await import(${from('./runner.ts')})
    const { mintPlatformScope } = await import(${from('../storage/mint.ts')})
    const { systemCaller } = await import(${from('../kernel/caller.ts')})
    const log = { warn() {} }, clock = { now: () => new Date() }
    const database = await openDatabase({ ...JSON.parse(process.argv[1]), log })
    const kind = JSON.parse(process.argv[2])
    const queue = jobQueue(clock)
    const handle = () => new Promise(() => { process.stdout.write('begun'); setInterval(() => {}, 1000) })
    const runner = jobRunner({ database, queue, handlers: [{ kind, handle }], clock, log })
    await runner.prepare()
    runner.start()
    await queue.enqueue(mintPlatformScope(database.handle, systemCaller), kind, { data: {} })`
  const args = ['--input-type=module', '-e', program, JSON.stringify(options), JSON.stringify(kind)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('a job', () => {
  test('whose process was killed while it ran is run again by the next process', async (t) => {
    const options = await place()
    const child = await startHanging(options)
    child.kill('SIGKILL')
    await once(child, 'exit')

    const database = await openDatabase({ ...options, log })
    t.after(() => database.close())
    const platform = mintPlatformScope(database.handle, systemCaller)
    const hasRun = Promise.withResolvers<void>()
    const { runner } = runnerOn(database, hasRun.resolve)
    await runner.prepare()
    // Another node may be slow and not dead, so there it has 30 s. An embedded database has no other node.
    if (isServer)
      await many(platform, sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds'`)
    runner.start()
    await hasRun.promise
    await runner.stop(5000)
    // Of this kind: the process that was killed went by the real clock, and may have begun what is due at some minute.
    const rows = await many(
      platform,
      sql`select state::text, retry_count as "retryCount" from jobs.job_common where name = ${kind.name}`,
    )
    assert.deepEqual(rows, [{ state: 'completed', retryCount: 1 }])
  })
})

describe('a runner', () => {
  const skip = !isServer && 'an embedded database goes with its process'
  test('goes on by itself when its database has gone away and come back', { skip }, async (t) => {
    const options = await place()
    const database = await openDatabase({ ...options, log })
    const platform = mintPlatformScope(database.handle, systemCaller)
    const ran = Promise.withResolvers<void>()
    const { queue, runner } = runnerOn(database, ran.resolve)
    await runner.prepare()
    runner.start()

    const url = new URL(options.databaseUrl ?? '')
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const operator = new pg.Client({ connectionString: url.href })
    await operator.connect()
    t.after(async () => {
      await runner.stop(0)
      await database.close()
      await operator.end()
    })
    await operator.query(`alter database ${name} allow_connections false`)
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await assert.rejects(many(platform, sql`select 1`))
    await operator.query(`alter database ${name} allow_connections true`)
    // Enqueued past this node's queue, so that only the loop can find it.
    queue.onEnqueued(() => assert.fail('nobody enqueues here'))
    const other = runnerOn(database, () => undefined)
    await other.queue.enqueue(platform, kind, { data: {} })
    await ran.promise
  })
})

test('an idle runner repeats one small query, and nothing else', async (t) => {
  const database = await openDatabase({ ...(await place()), log })
  const asked: string[] = []
  const seen = Promise.withResolvers<void>()
  const counting = { ...database.handle }
  counting.execute = (statement) => {
    if (asked.push(compile(statement).sql) === 40) seen.resolve()
    return database.handle.execute(statement)
  }
  const { runner } = runnerOn({ ...database, handle: counting }, () => undefined, { pollMs: 1 })
  await runner.prepare()
  runner.start()
  t.after(async () => {
    await runner.stop(0)
    await database.close()
  })
  await seen.promise
  // Without the first ones, which prepare, and what the queue's own program asks once, when it is loaded.
  const isExpected = (text: string) => text.includes(questionAfterEightSeconds) || text.includes('FROM jobs.queue q')
  const idle = new Set(asked.slice(10).filter((text) => !isExpected(text)))
  assert.equal(idle.size, 1, [...idle].join('\n'))
  assert.match([...idle][0] ?? '', /from unnest\(\$1::text\[\]\)/)
})

test('claims of all sizes are one statement, and one that passes over tenants', async (t) => {
  const database = await openDatabase({ ...(await place()), log })
  const claims = new Set<string>()
  const counting = { ...database.handle }
  counting.execute = (statement) => {
    const text = compile(statement).sql
    if (text.includes('group_ranking')) claims.add(text)
    return database.handle.execute(statement)
  }
  const { queue, runner } = runnerOn({ ...database, handle: counting }, () => undefined)
  await runner.prepare()
  t.after(() => database.close())
  const platform = mintPlatformScope(database.handle, systemCaller)
  for (let n = 0; n < 25; n++) await queue.enqueue(platform, kind, { data: {} })
  await runner.runDue()
  await runner.stop(0)
  assert.ok(claims.size <= 2, [...claims].join('\n'))
})
