import { run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Rows of one statement: it takes well under a second. */
const batchRows = 5000

export type Retention = { now: Date; signal: AbortSignal }

/** How long rows are kept, in days. Longer than a year of days is ever asked for, and than a recount looks back. */
const keptDays = {
  uses: 400,
  counters: 400,
  userDays: 62,
  told: 62,
  reports: 35,
  recounts: 35,
  unsettled: 35,
  batches: 7,
}

/** Deletes what is no longer needed. It can be interrupted at any point and run on several nodes at once. */
export async function deleteOldUsage(platform: PlatformScope, { now, signal }: Retention): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * 24 * 3600 * 1000)
  const old: [table: string, condition: Sql][] = [
    ['usage_by_day', sql`day < ${before(keptDays.uses)}::date`],
    ['usage_counters', sql`window_start < ${before(keptDays.counters)}::date`],
    // The days of users are in `usage_by_day`.
    ['usage_counters', sql`scope = 'user' and span = 'day' and window_start < ${before(keptDays.userDays)}::date`],
    ['usage_grants', sql`window_start < ${before(keptDays.counters)}::date`],
    ['usage_told', sql`window_start < ${before(keptDays.told)}::date`],
    ['usage_reports', sql`reported_at < ${before(keptDays.reports)}`],
    ['usage_recounts', sql`created_at < ${before(keptDays.recounts)}`],
    ['usage_unsettled', sql`counted_at < ${before(keptDays.unsettled)}`],
    // A process that could not write for longer has more to worry about than a batch that is added twice.
    ['usage_batches', sql`added_at < ${before(keptDays.batches)}`],
  ]
  for (const [table, condition] of old) await deleteWhere(platform, { table, condition, signal })
}

async function deleteWhere(
  platform: PlatformScope,
  { table, condition, signal }: { table: string; condition: Sql; signal: AbortSignal },
): Promise<void> {
  const name = sql.raw(table)
  let deleted: number
  do {
    deleted = await run(
      platform,
      sql`delete from ${name} where ctid = any (array(select ctid from ${name} where ${condition} limit ${batchRows}))`,
    )
  } while (deleted === batchRows && !signal.aborted)
}
