import type { AppSettings } from '../../providers/app-settings.ts'
import type { ProviderName } from '../../providers/provider.ts'
import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'

export type StoredApp = {
  provider: ProviderName
  clientId: string
  clientSecretSealed: Buffer
  settings: AppSettings
  createdAt: Date
  updatedAt: Date
}

const columns = sql`provider, client_id as "clientId", client_secret_sealed as "clientSecretSealed", settings,
  created_at as "createdAt", updated_at as "updatedAt"`

export function findOwnApp(scope: TenantScope, provider: ProviderName): Promise<StoredApp | null> {
  return maybeOne(
    scope,
    sql<StoredApp>`select ${columns} from integration_apps where tenant_id = ${scope.tenantId} and provider = ${provider}`,
  )
}

export function findPlatformApp(scope: Scope, provider: ProviderName): Promise<StoredApp | null> {
  return maybeOne(scope, sql<StoredApp>`select ${columns} from platform_integration_apps where provider = ${provider}`)
}

export function listOwnApps(scope: TenantScope): Promise<StoredApp[]> {
  return many(
    scope,
    sql<StoredApp>`select ${columns} from integration_apps where tenant_id = ${scope.tenantId} order by provider`,
  )
}

export function listPlatformApps(scope: Scope): Promise<StoredApp[]> {
  return many(scope, sql<StoredApp>`select ${columns} from platform_integration_apps order by provider`)
}

export async function saveOwnApp(tx: TenantScope, app: StoredApp): Promise<void> {
  const { provider, clientId, clientSecretSealed, settings, updatedAt } = app
  await run(
    tx,
    sql`insert into integration_apps (tenant_id, provider, client_id, client_secret_sealed, settings, created_at, updated_at)
      values (${tx.tenantId}, ${provider}, ${clientId}, ${clientSecretSealed}, ${JSON.stringify(settings)}::jsonb, ${updatedAt}, ${updatedAt})
      on conflict (tenant_id, provider) do update set client_id = excluded.client_id,
        client_secret_sealed = excluded.client_secret_sealed, settings = excluded.settings, updated_at = excluded.updated_at`,
  )
}

export async function savePlatformApp(tx: PlatformScope, app: StoredApp): Promise<void> {
  const { provider, clientId, clientSecretSealed, settings, updatedAt } = app
  await run(
    tx,
    sql`insert into platform_integration_apps (provider, client_id, client_secret_sealed, settings, created_at, updated_at)
      values (${provider}, ${clientId}, ${clientSecretSealed}, ${JSON.stringify(settings)}::jsonb, ${updatedAt}, ${updatedAt})
      on conflict (provider) do update set client_id = excluded.client_id,
        client_secret_sealed = excluded.client_secret_sealed, settings = excluded.settings, updated_at = excluded.updated_at`,
  )
}

export function deleteOwnApp(tx: TenantScope, provider: ProviderName): Promise<number> {
  return run(tx, sql`delete from integration_apps where tenant_id = ${tx.tenantId} and provider = ${provider}`)
}

export function deletePlatformApp(tx: PlatformScope, provider: ProviderName): Promise<number> {
  return run(tx, sql`delete from platform_integration_apps where provider = ${provider}`)
}
