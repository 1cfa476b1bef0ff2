import { one, run, type Sql, sql } from './query.ts'
import type { PlatformScope, Scope } from './scope.ts'
import { transaction } from './scope.ts'

/**
 * The tables whose rows triggers count as they are inserted and deleted. The capability that owns such a table declares
 * it in its `index.ts`, by merging into this interface; the triggers are in the migrations.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the capabilities fill it
export interface CountedTables {}

type CountedTable = keyof CountedTables

const allTenants = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// Any constant of our own; `counts` in ASCII, as a decimal: PostgreSQL 15 reads no hexadecimal numbers.
const lockId = '109330362692723'

/** The number of rows in a table, of one tenant or of all (null), exact at this moment. The cost does not grow with the table. */
export async function rowCount(scope: Scope, table: CountedTable, tenantId: string | null): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`select (
        coalesce((select rows from row_counts where noun = ${table} and tenant_id = ${tenantId ?? allTenants}), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and (${tenantId}::uuid is null or tenant_id = ${tenantId})), 0))::bigint as total`,
  )
  return total
}

/** The number of rows of the tenants whose ids the query selects. */
export async function rowCountOfTenants(scope: Scope, table: CountedTable, tenantIds: Sql): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`with selected_tenants as (${tenantIds})
      select (coalesce((select sum(rows) from row_counts where noun = ${table} and tenant_id in (select * from selected_tenants)), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and tenant_id in (select * from selected_tenants)), 0))::bigint as total`,
  )
  return total
}

/** The number of rows of all tenants but those whose ids the query selects. */
export async function rowCountExceptTenants(scope: Scope, table: CountedTable, tenantIds: Sql): Promise<number> {
  const { total } = await one(
    scope,
    sql<{ total: number }>`with excluded_tenants as (${tenantIds})
      select (coalesce((select sum(case when tenant_id = ${allTenants} then rows else -rows end) from row_counts
          where noun = ${table} and (tenant_id = ${allTenants} or tenant_id in (select * from excluded_tenants))), 0)
        + coalesce((select sum(change) from row_count_changes
            where noun = ${table} and tenant_id not in (select * from excluded_tenants)), 0))::bigint as total`,
  )
  return total
}

/** Adds the changes since the last call to the counts. Safe on several nodes at once: one does it, the others find nothing to do. */
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
          select noun, ${allTenants}::uuid, sum(change) from folded group by noun
        )
        insert into row_counts (noun, tenant_id, rows) select noun, tenant_id, change from sums
        on conflict (noun, tenant_id) do update set rows = row_counts.rows + excluded.rows`,
    )
  })
}
