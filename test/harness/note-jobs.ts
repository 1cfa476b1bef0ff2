import { before, type SuiteContext, type TestContext } from 'node:test'
import {
  type ExhaustedJob,
  type JobKind,
  type JobRun,
  type Jobs,
  jobHandler,
  type NewJob,
} from '../../src/jobs/jobs.ts'
import { jobQueue } from '../../src/jobs/queue.ts'
import { type JobRunner, jobRunner } from '../../src/jobs/runner.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import type { Database } from '../../src/storage/database.ts'
import { mintPlatformScope } from '../../src/storage/mint.ts'
import { many, one, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'
import { type TestClock, testClock } from './clock.ts'
import { freshDatabase } from './database.ts'

export type Note = { text: string }
type Standing = { text: string; state: string }

const standard = { attemptsMax: 3, backoffSeconds: 10, timeoutSeconds: 5 }
export const plain: JobKind<Note> = { name: 'test.note.write', ...standard }
export const ordered: JobKind<Note> = { name: 'test.note.order', ...standard, order: 'key' }
export const roomy: JobKind<Note> = { name: 'test.note.roomy', ...standard, concurrency: { node: 40, tenant: 3 } }
export const single: JobKind<Note> = { name: 'test.note.single', ...standard, concurrency: { node: 1, tenant: 1 } }
export const hasty: JobKind<Note> = { name: 'test.note.haste', ...standard, attemptsMax: 1, timeoutSeconds: 0.05 }
/** Has an `onExhausted`. */
export const watched: JobKind<Note> = { name: 'test.note.watch', ...standard, attemptsMax: 1 }

/** A database of its own with jobs that write down that they ran. */
export type NoteJobs = {
  platform: PlatformScope
  clock: TestClock
  jobs: Jobs
  runner: JobRunner
  seen: (JobRun<Note> & { kind: string })[]
  /** What a job does after that. */
  act: (run: JobRun<Note>) => Promise<void> | void
  /** Of those that have one. */
  onExhausted: (job: ExhaustedJob<object>) => Promise<void>
  texts(): string[]
  states(): Promise<Standing[]>
  secondsUntilRetry(): Promise<number>
  enqueue(kind: JobKind<Note>, text: string, job?: Partial<NewJob<Note>>): Promise<void>
  /** Resolves when so many tries have begun. */
  untilSeen(count: number): Promise<void>
  /** Another node over the same database. */
  openRunner(): { jobs: Jobs; runner: JobRunner }
  /** For `beforeEach`: no job, nothing seen, a clock and a runner of its own. */
  fresh(t: TestContext | SuiteContext): Promise<void>
}

/** To be called once a test file, outside of its tests. */
export function noteJobs(): NoteJobs {
  const notes = { seen: [], act: () => undefined } as unknown as NoteJobs
  let database: Database

  const recording = (kind: JobKind<Note>) =>
    jobHandler(kind, async (run) => {
      notes.seen.push({ ...run, kind: kind.name })
      await notes.act(run)
    })

  const openRunner = () => {
    const queue = jobQueue(notes.clock)
    const log = { warn: () => undefined }
    const last = { ...recording(watched), onExhausted: (job: ExhaustedJob<object>) => notes.onExhausted(job) }
    const handlers = [...[plain, ordered, roomy, single, hasty].map(recording), last]
    return { jobs: queue, runner: jobRunner({ database, queue, handlers, clock: notes.clock, log }) }
  }

  before(async () => {
    database = await freshDatabase()
    notes.platform = mintPlatformScope(database.handle, systemCaller)
    notes.clock = testClock()
    await openRunner().runner.prepare()
    return () => database.close()
  })

  return Object.assign(notes, {
    openRunner,
    fresh: async (t: TestContext | SuiteContext) => {
      await many(notes.platform, sql`delete from jobs.job_common`)
      Object.assign(notes, { seen: [], act: () => undefined, onExhausted: async () => undefined, clock: testClock() })
      Object.assign(notes, openRunner())
      if ('after' in t) t.after(() => notes.runner.stop(0))
    },
    ...lookingAt(notes),
  })
}

function lookingAt(notes: NoteJobs) {
  return {
    texts: () => notes.seen.map(({ data }) => data.text),
    states: () =>
      many(
        notes.platform,
        sql<Standing>`select data ->> 'text' as text, state::text from jobs.job_common order by created_on`,
      ),
    secondsUntilRetry: async () => {
      const wait = sql<{
        seconds: number
      }>`select extract(epoch from start_after - clock_timestamp())::float8 as seconds
        from jobs.job_common where state = 'retry'`
      return (await one(notes.platform, wait)).seconds
    },
    enqueue: (kind: JobKind<Note>, text: string, job: Partial<NewJob<Note>> = {}) =>
      notes.jobs.enqueue(notes.platform, kind, { data: { text }, ...job }),
    untilSeen: (count: number) => {
      const enough = Promise.withResolvers<void>()
      const before = notes.act
      notes.act = (run) => {
        if (notes.seen.length >= count) enough.resolve()
        return before(run)
      }
      return enough.promise
    },
  }
}
