import type { FeatureName, ProviderName } from '../../providers/provider.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

/** @param cause what went wrong; null: nothing */
export async function noteSync(
  scope: TenantScope,
  {
    integrationId,
    feature,
    cause,
    now,
  }: { integrationId: string; feature: FeatureName; cause: string | null; now: Date },
): Promise<void> {
  await run(
    scope,
    sql`insert into integration_syncs (tenant_id, integration_id, feature, synced_at, cause)
      select ${scope.tenantId}, ${integrationId}, ${feature}, ${now}, ${cause}
      where exists (select 1 from integrations where tenant_id = ${scope.tenantId} and id = ${integrationId})
      on conflict (tenant_id, integration_id, feature) do update set synced_at = excluded.synced_at, cause = excluded.cause`,
  )
}

/** Integrations with the feature that were not read since then. */
export function listDue(
  scope: PlatformScope,
  { feature, before, limit }: { feature: FeatureName; before: Date; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  const isOn = JSON.stringify([{ name: feature, status: 'on' }])
  return many(
    scope,
    sql<{ tenantId: string; id: string }>`select i.tenant_id as "tenantId", i.id from integrations i
      where i.status = 'active' and i.features @> ${isOn}::jsonb
        and not exists (select 1 from integration_syncs s
          where s.tenant_id = i.tenant_id and s.integration_id = i.id and s.feature = ${feature} and s.synced_at > ${before})
      order by i.tenant_id, i.id limit ${limit}`,
  )
}

/** The integrations of an account at a provider. */
export async function listOfAccount(
  scope: TenantScope,
  { provider, accountId, limit }: { provider: ProviderName; accountId: string; limit: number },
): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ id: string }>`select id from integrations where tenant_id = ${scope.tenantId} and provider = ${provider}
      and account_id = ${accountId} and status = 'active' order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
