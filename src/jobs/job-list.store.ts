import { isId } from '../kernel/ids.ts'
import type { Page, PageRequest } from '../kernel/paging.ts'
import { listPage, many, maybeOne, sql } from '../storage/query.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { platformGroup } from './job.store.ts'

/**
 * `queued`: waits for its time, for an earlier job of its key or for a free slot. `active`: runs. `failed`: an attempt
 * failed, and there will be another. `dead`: all attempts failed; it runs again only if an administrator revives it.
 */
export type JobState = 'queued' | 'active' | 'failed' | 'dead'

/** A job as administrators see it: without its data, which may hold a secret. */
export type JobRecord = {
  id: string
  kind: string
  tenantId: string | null
  state: JobState
  attempts: number
  attemptsMax: number
  /** Why the last attempt failed. */
  error: string | null
  enqueuedAt: Date
  /** It does not run before this time. For a failed job: the time of the next attempt. */
  runAt: Date
  startedAt: Date | null
  diedAt: Date | null
}

// Each condition matches that of a partial index, so that the many finished jobs are not read.
const conditions = {
  queued: sql`(state < 'active' and not blocked and state = 'created')`,
  failed: sql`(state < 'active' and not blocked and state = 'retry')`,
  active: sql`(state = 'active' and group_id is not null)`,
  dead: sql`state = 'failed'`,
}
const anyCondition = sql`((state < 'active' and not blocked) or ${conditions.active} or ${conditions.dead})`

export async function listJobs(
  platform: PlatformScope,
  { kind, state, ...page }: PageRequest & { kind: string | null; state: JobState | null },
): Promise<Page<JobRecord>> {
  const filter = sql`${state === null ? anyCondition : conditions[state]} and (${kind}::text is null or name = ${kind})`
  return listPage<JobRecord>(platform, page, {
    columns: sql`id, name as kind, nullif(group_id, ${platformGroup}) as "tenantId",
        case state when 'created' then 'queued' when 'retry' then 'failed' when 'failed' then 'dead' else 'active' end as state,
        case when started_on is null then retry_count else retry_count + 1 end as attempts, retry_limit + 1 as "attemptsMax",
        coalesce(output ->> 'message', output -> 'value' ->> 'message') as error, created_on as "enqueuedAt", start_after as "runAt",
        started_on as "startedAt", completed_on as "diedAt"`,
    from: sql`from jobs.job_common where ${filter}`,
    orderBy: sql`created_on desc, id desc`,
  })
}

// As it was enqueued, with all its attempts. It stays before later jobs of its key.
const reset = sql`state = 'created', retry_count = 0, started_on = null, completed_on = null, start_after = jobs.job_now(),
  policy = (select q.policy from jobs.queue q where q.name = j.name)`

/** Gives a dead job all its attempts again. Null if there is no dead job with this id. */
export function reviveJob(
  tx: PlatformScope,
  jobId: string,
): Promise<{ id: string; kind: string; tenantId: string | null } | null> {
  if (!isId(jobId)) return Promise.resolve(null)
  return maybeOne(
    tx,
    sql`update jobs.job_common j set ${reset} where id = ${jobId} and state = 'failed'
      returning id, name as kind, nullif(group_id, ${platformGroup}) as "tenantId"`,
  )
}

/** Revives the oldest dead jobs of a kind. Returns how many. */
export async function reviveJobs(tx: PlatformScope, { kind, limit }: { kind: string; limit: number }): Promise<number> {
  const revived = await many(
    tx,
    sql`update jobs.job_common j set ${reset} where name = ${kind} and state = 'failed' and id in (
        select id from jobs.job_common where name = ${kind} and state = 'failed' order by created_on limit ${limit} for update skip locked)
      returning id`,
  )
  return revived.length
}

export type JobDepth = {
  kind: string
  /** Jobs that may run now. */
  ready: number
  active: number
  /** Jobs that wait for a time: their own, or that of the next attempt. */
  scheduled: number
  dead: number
}

/** The number of jobs of each kind, ordered by name. */
export function jobDepths(platform: PlatformScope): Promise<JobDepth[]> {
  return many(
    platform,
    sql<JobDepth>`select q.name as kind, coalesce(w.ready, 0) as ready, coalesce(a.active, 0) as active,
        coalesce(w.scheduled, 0) as scheduled, coalesce(d.dead, 0) as dead
      from jobs.queue q
      left join (select name, count(*) filter (where start_after <= jobs.job_now())::int as ready,
          count(*) filter (where start_after > jobs.job_now())::int as scheduled
        from jobs.job_common where state < 'active' and not blocked group by name) w on w.name = q.name
      left join (select name, count(*)::int as active from jobs.job_common where state = 'active' and group_id is not null
        group by name) a on a.name = q.name
      left join (select name, count(*)::int as dead from jobs.job_common where state = 'failed' group by name) d on d.name = q.name
      order by q.name`,
  )
}
