import type { PlatformScope, Scope, TenantScope } from '../storage/scope.ts'

/** What a handler is given. `scope` is a tenant's where the job was enqueued for one. */
export type JobRun<D> = {
  id: string
  data: D
  scope: PlatformScope | TenantScope
  /** 1 at the first try. */
  attempt: number
  isLastAttempt: boolean
  /** Aborts when the time of this try is over or the service stops. */
  signal: AbortSignal
}

declare const dataType: unique symbol

/** A kind of work that is done later, declared once by the capability that does it. `D` is JSON. */
export type JobKind<D extends object> = {
  /** `capability.noun.verb`, for example `identity.mail.deliver`. */
  name: string
  readonly [dataType]?: D
  /** After this many tries in all the job is dead: kept, shown to administrators, and tried again only when they say so. */
  attemptsMax: number
  /** Wait before the second try; doubles each time, with some chance in it. */
  backoffSeconds: number
  /** A try that takes longer counts as failed. */
  timeoutSeconds: number
  /** `key`: jobs with one `key` run one after another in the order in which they were enqueued. Standard: `none`. */
  order?: 'none' | 'key'
  /** Jobs of this kind that run at once: on one node, and of one tenant on all nodes. Standard: 20 and 10. */
  concurrency?: { node: number; tenant: number }
  /** Five fields of cron, UTC: enqueued by itself, once for all nodes. */
  cron?: string
}

export type NewJob<D extends object> = {
  data: D
  /** Whose work it is: tenants take turns, so that one with very many jobs does not keep the others waiting. Null: the platform's. */
  tenantId?: string | null
  key?: string
  runAt?: Date
  /** The same id a second time enqueues nothing. A UUID. */
  id?: string
}

export type Jobs = {
  /** In the transaction of `scope` where it is in one: the job exists if and only if the change does. */
  enqueue<D extends object>(scope: Scope, kind: JobKind<D>, job: NewJob<D>): Promise<void>
}

/** A job that ended badly at its last try: `reason` says how. */
export type ExhaustedJob<D> = Pick<JobRun<D>, 'data' | 'scope' | 'attempt'> & { reason: string }

/** A kind with its handler, as the door of a capability hands it to the runner. Handlers may run twice: they are idempotent. */
export type JobHandler = {
  kind: JobKind<object>
  handle(run: JobRun<object>): Promise<void>
  /**
   * Writes down what became of a job that was killed with its process, took too long, or failed, at its last try: the job
   * is then done. Without it such a job is dead, which administrators alone are shown.
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
