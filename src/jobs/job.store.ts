import { many, maybeOne, run, type Sql, sql } from '../storage/query.ts'
import type { Scope } from '../storage/scope.ts'
import type { JobKind, NewJob } from './jobs.ts'

// Finished jobs are kept this long; enqueueing the same id again does nothing.
const doneKeptSeconds = 24 * 3600
// pg-boss deletes jobs that nobody fetched in time. A queue that stood still must lose nothing.
const waitingKept = '10 years'
const retryDelaySecondsMax = 3600
/** A node sends three heartbeats for its running jobs in this time. A job without one goes back to the queue. */
const heartbeatSeconds = 30
/** The group of jobs that belong to no tenant. */
export const platformGroup = 'platform'

/** Creates a pg-boss queue for each kind. Throws if an existing kind was given another order. */
export async function prepareKinds(scope: Scope, kinds: JobKind<object>[]): Promise<void> {
  const declared = JSON.stringify(kinds.map(({ name, order }) => ({ name, policy: queuePolicy(order) })))
  const missing = await many(
    scope,
    sql<{ name: string; policy: string; isThere: boolean }>`select k.name, k.policy, q.name is not null as "isThere"
      from jsonb_to_recordset(${declared}::jsonb) as k(name text, policy text)
      left join jobs.queue q on q.name = k.name where q.policy is distinct from k.policy`,
  )
  for (const { name, policy, isThere } of missing) {
    if (isThere) throw new Error(`The job kind ${name} exists with another order. Give the new kind another name.`)
    // Does nothing if another node was faster.
    await run(scope, sql`select jobs.create_queue(${name}, jsonb_build_object('policy', ${policy}::text))`)
  }
}

function queuePolicy(order: JobKind<object>['order']): string {
  return order === 'key' ? 'key_strict_fifo' : 'standard'
}

type InsertedJob<D extends object> = { kind: JobKind<D>; job: NewJob<D>; id: string }

export async function insertJob<D extends object>(scope: Scope, inserted: InsertedJob<D>): Promise<void> {
  await run(scope, insertion(inserted, sql``))
}

/** Inserts a row and its job. False where the row was not inserted, because of a conflict: then the job is not either. */
export async function insertJobWithRow<D extends object>(
  scope: Scope,
  insert: Sql,
  inserted: InsertedJob<D>,
): Promise<boolean> {
  return (await run(scope, sql`with new_row as (${insert} returning 1) ${insertion(inserted, sql`from new_row`)}`)) > 0
}

/**
 * pg-boss's own insert, with two differences. It needs neither pg-boss nor its cache of queues, so a start does not wait
 * for them. And jobs of one key run in the order of the calls, not of the starts of their transactions.
 */
function insertion<D extends object>({ kind, job, id }: InsertedJob<D>, from: Sql): Sql {
  const key = kind.order === 'key' ? job.key : null
  const createdOn =
    key === null
      ? sql`clock_timestamp()`
      : sql`greatest(clock_timestamp(), (select max(created_on) + interval '1 microsecond' from jobs.job_common
          where name = ${kind.name} and singleton_key = ${key} and state < 'active' and not blocked and policy = 'key_strict_fifo'))`
  return sql`insert into jobs.job_common (id, name, data, priority, policy, singleton_key, group_id, start_after, created_on, keep_until,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds)
    select ${id}, ${kind.name}, ${JSON.stringify(job.data)}::jsonb, ${job.isUrgent ? 1 : 0}, ${queuePolicy(kind.order)}, ${key},
      ${job.tenantId ?? platformGroup}, coalesce(${job.runAt ?? null}::timestamptz, jobs.job_now()), ${createdOn},
      coalesce(${job.runAt ?? null}::timestamptz, jobs.job_now()) + interval '${sql.raw(waitingKept)}',
      ${kind.attemptsMax - 1}, ${kind.backoffSeconds}, true, ${retryDelaySecondsMax}, ${Math.ceil(kind.timeoutSeconds) + heartbeatSeconds},
      ${doneKeptSeconds}, ${heartbeatSeconds} ${from}
    on conflict (name, id) do nothing`
}

/** Those of these jobs that are neither done nor dead. */
export async function listPendingJobs(
  scope: Scope,
  { name, ids }: { name: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ id: string }>`select id from jobs.job_common
      where name = ${name} and id = any (${[...ids]}::uuid[]) and state <= 'active'`,
  )
  return rows.map(({ id }) => id)
}

/** The kinds that have a job that may run now. One statement for all: an idle queue costs no more than this. */
export async function readyKinds(scope: Scope, names: string[]): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{
      name: string
    }>`select k.name from unnest(${names}::text[]) as k(name) where exists (select 1 from jobs.job_common j
      where j.name = k.name and j.state < 'active' and not j.blocked and j.start_after <= jobs.job_now())`,
  )
  return rows.map(({ name }) => name)
}

/** One attempt at a job: the next has another `retryCount`. */
export type Attempt = { id: string; retryCount: number }

export type LostJob = Attempt & { name: string; retryLimit: number; groupId: string; data: object }

/** Jobs whose node no longer sends a heartbeat. With `all`: every job that is marked as running. */
export function listLostJobs(scope: Scope, { all }: { all: boolean }): Promise<LostJob[]> {
  return many(
    scope,
    sql<LostJob>`select name, id, retry_count as "retryCount", retry_limit as "retryLimit", group_id as "groupId", data from jobs.job_common
      where state = 'active' and group_id is not null
        and (${all} or heartbeat_on + heartbeat_seconds * interval '1 second' < jobs.job_now())`,
  )
}

/** Records that these jobs run. Returns the ids of those that are still ours. */
export async function recordHeartbeats(scope: Scope, attempts: (Attempt & { name: string })[]): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ id: string }>`update jobs.job_common j set heartbeat_on = jobs.job_now()
      from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as a(name text, id uuid, "retryCount" int)
      where j.name = a.name and j.id = a.id and j.retry_count = a."retryCount" and j.state = 'active' returning j.id`,
  )
  return rows.map(({ id }) => id)
}

/** As if they had never started: the service is stopping, which is not their fault. */
export async function returnToQueue(scope: Scope, name: string, attempts: Attempt[]): Promise<void> {
  await run(
    scope,
    sql`update jobs.job_common j set state = 'created', started_on = null, heartbeat_on = null
      from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as a(id uuid, "retryCount" int)
      where j.name = ${name} and j.id = a.id and j.retry_count = a."retryCount" and j.state = 'active'`,
  )
}

export function deleteDoneJobs(scope: Scope): Promise<number> {
  return run(
    scope,
    sql`delete from jobs.job_common where state > 'active' and completed_on + deletion_seconds * interval '1 second' < jobs.job_now()`,
  )
}

/** For a clock that is ahead of the database's: jobs that are due by it may run now. */
export async function pullForward(scope: Scope, now: Date): Promise<void> {
  await run(
    scope,
    sql`update jobs.job_common set start_after = jobs.job_now()
      where state < 'active' and not blocked and start_after > jobs.job_now() and start_after <= ${now}`,
  )
}

/**
 * How far the clock of another node may be ahead, as with access tokens. A turn further in the future was claimed by a
 * clock that has been set back since; it does not block the next turn.
 */
const clockToleranceMs = 60_000

/** Whether a turn was claimed by a clock that has been set back since. */
export function isTooFarAhead(turn: Date, now: Date): boolean {
  return turn > latestTurn(now)
}

function latestTurn(now: Date): Date {
  return new Date(now.getTime() + clockToleranceMs)
}

/** The time of the last turn. Set to now if there was none, or if it is too far ahead: nothing is due at the first start. */
export async function lastTurn(scope: Scope, name: string, now: Date): Promise<Date> {
  const row = await maybeOne(
    scope,
    sql<{ at: Date }>`insert into job_turns (name, at) values (${name}, ${now}) on conflict (name) do update
      set at = case when job_turns.at > ${latestTurn(now)} then excluded.at else job_turns.at end returning at`,
  )
  return row?.at ?? now
}

/** Claims the turn of `dueAt`. True for one node alone. */
export async function claimTurn(
  scope: Scope,
  { name, dueAt, now }: { name: string; dueAt: Date; now: Date },
): Promise<boolean> {
  const claim = sql`insert into job_turns (name, at) values (${name}, ${now})
    on conflict (name) do update set at = excluded.at where job_turns.at < ${dueAt} or job_turns.at > ${latestTurn(now)}`
  return (await run(scope, claim)) > 0
}

// A statement may take seconds only.
const deletedAtOnce = 10_000

/** Deletes all jobs of a tenant with their data, finished or not. */
export async function deleteTenantJobs(tx: Scope, tenantId: string): Promise<void> {
  for (;;) {
    const deleted = await run(
      tx,
      sql`delete from jobs.job_common where ctid = any (array(
          select ctid from jobs.job_common where group_id = ${tenantId} limit ${deletedAtOnce}))`,
    )
    if (deleted < deletedAtOnce) return
  }
}
