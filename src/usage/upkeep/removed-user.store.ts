import { run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Takes the id of a user from all uses: their sums stay, added to those of nobody. Locks reservations before counters, as settling
 * does, and counters before days. It may run again.
 */
export async function forgetUser(tx: TenantScope, userId: string): Promise<void> {
  const { tenantId } = tx
  for (const table of ['usage_reservations', 'usage_unsettled'])
    await run(
      tx,
      sql`update ${sql.raw(table)} set user_id = null where tenant_id = ${tenantId} and user_id = ${userId}`,
    )
  for (const table of ['usage_counters', 'usage_told'])
    await run(
      tx,
      sql`delete from ${sql.raw(table)} where tenant_id = ${tenantId} and scope = 'user' and subject_id = ${userId}`,
    )
  await run(
    tx,
    sql`delete from usage_own_limits where tenant_id = ${tenantId} and scope = 'user' and subject_id = ${userId}`,
  )
  await run(
    tx,
    sql`with forgotten as (
        delete from usage_by_day where tenant_id = ${tenantId} and user_id = ${userId}
        returning day, meter, org_id, engine, amount
      )
      insert into usage_by_day as d (tenant_id, day, meter, org_id, user_id, engine, amount)
      select ${tenantId}, day, meter, org_id, null, engine, sum(amount) from forgotten group by day, meter, org_id, engine
      order by day, meter, org_id, engine
      on conflict (tenant_id, day, meter, org_id, user_id, engine) do update set amount = d.amount + excluded.amount`,
  )
}
