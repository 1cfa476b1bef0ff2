import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { LimitedName } from '../meters/meter.rules.ts'

/** Null: all meters that have no row of their own. */
export type ThresholdSetting = { meter: LimitedName | null; percents: number[] }

/** What is set: that of all others first. */
export function listThresholdSettings(scope: TenantScope): Promise<ThresholdSetting[]> {
  return many(
    scope,
    sql<ThresholdSetting>`select nullif(meter, '') as meter, percents from usage_thresholds
      where tenant_id = ${scope.tenantId} order by usage_thresholds.meter`,
  )
}

export async function saveThresholdSetting(tx: TenantScope, { meter, percents }: ThresholdSetting): Promise<void> {
  await run(
    tx,
    sql`insert into usage_thresholds (tenant_id, meter, percents)
      values (${tx.tenantId}, ${meter ?? ''}, ${percents}::smallint[])
      on conflict (tenant_id, meter) do update set percents = excluded.percents`,
  )
}

export async function deleteThresholdSetting(tx: TenantScope, meter: LimitedName | null): Promise<void> {
  await run(tx, sql`delete from usage_thresholds where tenant_id = ${tx.tenantId} and meter = ${meter ?? ''}`)
}
