import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** The origins that administrators of the tenant have listed. */
export async function readOrigins(scope: TenantScope): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ origin: string }>`select origin from integration_returns where tenant_id = ${scope.tenantId} order by origin`,
  )
  return rows.map(({ origin }) => origin)
}

export async function saveOrigins(tx: TenantScope, origins: string[]): Promise<void> {
  await run(tx, sql`delete from integration_returns where tenant_id = ${tx.tenantId}`)
  await run(
    tx,
    sql`insert into integration_returns (tenant_id, origin)
      select ${tx.tenantId}, origin from jsonb_array_elements_text(${JSON.stringify(origins)}::jsonb) as listed(origin)
      on conflict do nothing`,
  )
}
