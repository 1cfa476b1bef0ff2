import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Counts a mail of a day, `YYYY-MM-DD`. One statement counts and compares, so of two that race for the last place one gets it.
 * False: as many were sent. Comes last in a transaction: other mails of the tenant wait for this row.
 */
export async function takeMail(tx: TenantScope, { day, max }: { day: string; max: number | null }): Promise<boolean> {
  if (max === 0) return false
  const taken = await maybeOne(
    tx,
    sql`insert into email_day_counts as c (tenant_id, day, count) values (${tx.tenantId}, ${day}, 1)
      on conflict (tenant_id) do update
        set count = case when c.day < excluded.day then 1 else c.count + 1 end, day = greatest(c.day, excluded.day)
        where c.day < excluded.day or ${max}::int is null or c.count < ${max}::int
      returning count`,
  )
  return taken !== null
}

export async function countMailsOfDay(scope: TenantScope, day: string): Promise<number> {
  const row = await maybeOne(
    scope,
    sql<{ count: number }>`select count from email_day_counts where tenant_id = ${scope.tenantId} and day = ${day}`,
  )
  return row?.count ?? 0
}
