import { isId } from '../kernel/ids.ts'
import type { Page, PageRequest } from '../kernel/paging.ts'
import { listPage, many, maybeOne, sql } from '../storage/query.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { platformGroup } from './job.store.ts'

/**
 * `queued`: waits for its time, its key or a free place. `active`: runs. `failed`: a try failed, there will be another.
 * `dead`: there will be no other unless an administrator says so.
 */
export type JobState = 'queued' | 'active' | 'failed' | 'dead'

/** A job as administrators see it: never its data, which may hold a secret. */
export type JobRecord = {
  id: string
  kind: string
  tenantId: string | null
  state: JobState
  attempts: number
  attemptsMax: number
  /** Why the last try failed. */
  error: string | null
  enqueuedAt: Date
  /** Not before this moment; of a failed one, its next try. */
  runAt: Date
  startedAt: Date | null
  diedAt: Date | null
}

// Each condition is that of an index, so that the many jobs that are done are not read.
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
  const wanted = sql`${state === null ? anyCondition : conditions[state]} and (${kind}::text is null or name = ${kind})`
  return listPage<JobRecord>(platform, page, {
    columns: sql`id, name as kind, nullif(group_id, ${platformGroup}) as "tenantId",
        case state when 'created' then 'queued' when 'retry' then 'failed' when 'failed' then 'dead' else 'active' end as state,
        case when started_on is null then retry_count else retry_count + 1 end as attempts, retry_limit + 1 as "attemptsMax",
        coalesce(output ->> 'message', output -> 'value' ->> 'message') as error, created_on as "enqueuedAt", start_after as "runAt",
        started_on as "startedAt", completed_on as "diedAt"`,
    from: sql`from jobs.job_common where ${wanted}`,
    orderBy: sql`created_on desc, id desc`,
  })
}

// As when it was enqueued, with all its tries; it keeps its place before later jobs of its key.
const anew = sql`state = 'created', retry_count = 0, started_on = null, completed_on = null, start_after = jobs.job_now(),
  policy = (select q.policy from jobs.queue q where q.name = j.name)`

/** Gives a dead job all its tries again. Null where there is no dead job with this id. */
export function reviveJob(
  tx: PlatformScope,
  jobId: string,
): Promise<{ id: string; kind: string; tenantId: string | null } | null> {
  if (!isId(jobId)) return Promise.resolve(null)
  return maybeOne(
    tx,
    sql`update jobs.job_common j set ${anew} where id = ${jobId} and state = 'failed'
      returning id, name as kind, nullif(group_id, ${platformGroup}) as "tenantId"`,
  )
}

/** The same for the oldest dead jobs of a kind. How many there were. */
export async function reviveJobs(tx: PlatformScope, { kind, limit }: { kind: string; limit: number }): Promise<number> {
  const revived = await many(
    tx,
    sql`update jobs.job_common j set ${anew} where name = ${kind} and state = 'failed' and id in (
        select id from jobs.job_common where name = ${kind} and state = 'failed' order by created_on limit ${limit} for update skip locked)
      returning id`,
  )
  return revived.length
}

export type JobDepth = {
  kind: string
  /** May run now. */
  ready: number
  active: number
  /** Waits for a time: its own, or that of its next try. */
  scheduled: number
  dead: number
}

/** How many jobs of each kind there are, in the order of their names. */
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
