import type { PlatformScope, Scope, TenantScope } from '../storage/scope.ts'
import type { Sql } from '../storage/sql.ts'

/** What a handler receives. `scope` is a tenant's if the job was enqueued for one. */
export type JobRun<D> = {
  id: string
  data: D
  scope: PlatformScope | TenantScope
  /** 1 for the first attempt. */
  attempt: number
  isLastAttempt: boolean
  /** Aborts when the time of this attempt is over or the service stops. */
  signal: AbortSignal
}

declare const dataType: unique symbol

/** A kind of background work, declared once by the capability that does it. `D` is JSON. */
export type JobKind<D extends object> = {
  /** `capability.noun.verb`, for example `identity.mail.deliver`. */
  name: string
  readonly [dataType]?: D
  /** After this many attempts in all the job is dead: kept, shown to administrators, and run again only if they revive it. */
  attemptsMax: number
  /** The wait before the second attempt. It doubles each time, with some randomness. */
  backoffSeconds: number
  /** An attempt that takes longer counts as failed. */
  timeoutSeconds: number
  /** `key`: jobs with the same `key` run one after another in the order in which they were enqueued. Default: `none`. */
  order?: 'none' | 'key'
  /** Jobs of this kind that run at once: on one node, and of one tenant on all nodes. Default: 20 and 10. */
  concurrency?: { node: number; tenant: number }
  /** A cron expression of five fields, in UTC: the job is enqueued by itself, once for all nodes. */
  cron?: string
}

export type NewJob<D extends object> = {
  data: D
  /** Whose work it is. Tenants take turns, so that one with very many jobs does not keep the others waiting. Null: the platform's. */
  tenantId?: string | null
  key?: string
  runAt?: Date
  /** Taken before all others of its kind that wait, also those of other tenants. */
  isUrgent?: boolean
  /** A UUID. Enqueueing the same id a second time does nothing. */
  id?: string
}

export type Jobs = {
  /** Joins the transaction of `scope` if it is in one: the job exists if and only if the change does. */
  enqueue<D extends object>(scope: Scope, kind: JobKind<D>, job: NewJob<D>): Promise<void>
}

export type RowJobs = {
  /**
   * Inserts a row and enqueues its job by one statement, which needs no transaction. `insert` inserts one row, or none on a
   * conflict. Then there is no job either, and this returns false.
   */
  enqueueWithRow<D extends object>(scope: Scope, insert: Sql, kind: JobKind<D>, job: NewJob<D>): Promise<boolean>
}

export type JobLookup = {
  /** Those of the ids of whose jobs an attempt runs or is still to come. */
  listPending(scope: Scope, kind: { name: string }, ids: readonly string[]): Promise<string[]>
}

/** A job whose last attempt failed; `reason` says how. */
export type ExhaustedJob<D> = Pick<JobRun<D>, 'data' | 'scope' | 'attempt'> & { reason: string }

/** A kind with its handler, as a capability hands it to the runner. A handler may run twice for a job, so it is idempotent. */
export type JobHandler = {
  kind: JobKind<object>
  handle(run: JobRun<object>): Promise<void>
  /**
   * Called when the last attempt failed, took too long or was killed with its process. It records that for the tenant, and
   * the job is then done. Without it the job is dead, which only administrators see.
   */
  onExhausted?(job: ExhaustedJob<object>): Promise<void>
}

export function jobHandler<D extends object>(kind: JobKind<D>, handle: (run: JobRun<D>) => Promise<void>): JobHandler {
  return { kind: kind as JobKind<object>, handle: handle as JobHandler['handle'] }
}

/** Work that repeats by the clock, for example deleting what is over. `cron` has five fields, in UTC. */
export function housekeeping(name: string, cron: string, run: (job: JobRun<object>) => Promise<unknown>): JobHandler {
  const kind = { name, cron, attemptsMax: 3, backoffSeconds: 60, timeoutSeconds: 300 }
  return jobHandler(kind, async (job) => void (await run(job)))
}
