import { one, run, type Sql, sql } from './query.ts'
import type { PlatformScope, Scope } from './scope.ts'
import { transaction } from './scope.ts'

/** The tables whose rows are counted as they come and go. */
export type CountedTable = 'licenses' | 'users' | 'audit_log'

const ofAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// Any constant of our own; `counts` in ASCII.
const lockId = '0x636f756e7473'

/** How many rows a table has, of one tenant or of all (null), as of the moment of the question. Its cost does not grow with the table. */
export async function rowCount(scope: Scope, table: CountedTable, tenantId: string | null): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`select (
        coalesce((select rows from row_counts where noun = ${table} and tenant_id = ${tenantId ?? ofAll}), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and (${tenantId}::uuid is null or tenant_id = ${tenantId})), 0))::bigint as total`,
  )
  return total
}

/** How many rows of a table belong to the tenants that a query of ids finds. */
export async function rowCountOfTenants(scope: Scope, table: CountedTable, tenantIds: Sql): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`with tenants_asked as (${tenantIds})
      select (coalesce((select sum(rows) from row_counts where noun = ${table} and tenant_id in (select * from tenants_asked)), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and tenant_id in (select * from tenants_asked)), 0))::bigint as total`,
  )
  return total
}

/** How many rows of a table belong to other tenants than a query of ids finds. */
export async function rowCountExceptTenants(scope: Scope, table: CountedTable, tenantIds: Sql): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`with tenants_left_out as (${tenantIds})
      select (coalesce((select sum(case when tenant_id = ${ofAll} then rows else -rows end) from row_counts
          where noun = ${table} and (tenant_id = ${ofAll} or tenant_id in (select * from tenants_left_out))), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and tenant_id not in (select * from tenants_left_out)), 0))::bigint as total`,
  )
  return total
}

/** Folds the changes since the last time into the counts. Of several nodes one does it; the others find nothing to do. */
export function foldRowCounts(platform: PlatformScope): Promise<void> {
  return transaction(platform, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${sql.raw(lockId)})`)
    await run(
      tx,
      sql`with folded as (
          delete from row_count_changes returning noun, tenant_id, change
        ), sums as (
          select noun, tenant_id, sum(change) as change from folded group by noun, tenant_id
          union all
          select noun, ${ofAll}::uuid, sum(change) from folded group by noun
        )
        insert into row_counts (noun, tenant_id, rows) select noun, tenant_id, change from sums
        on conflict (noun, tenant_id) do update set rows = row_counts.rows + excluded.rows`,
    )
  })
}
