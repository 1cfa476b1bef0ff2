import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { VendorName } from '../vendor.rules.ts'

/** The tenant's account at a vendor, without its key. */
export type VendorSettings = {
  vendor: VendorName
  region: string | null
  baseUrl: string
  /** Of its webhooks. Null: it sends none. */
  connectionId: string | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql`vendor, region, base_url as "baseUrl", connection_id as "connectionId", created_at as "createdAt",
  updated_at as "updatedAt"`

export function listVendors(scope: TenantScope): Promise<VendorSettings[]> {
  return many(
    scope,
    sql<VendorSettings>`select ${columns} from bot_vendors where tenant_id = ${scope.tenantId} order by vendor`,
  )
}

export function findVendor(
  scope: TenantScope,
  vendor: VendorName,
): Promise<(VendorSettings & { apiKeySealed: Buffer }) | null> {
  return maybeOne(
    scope,
    sql<VendorSettings & { apiKeySealed: Buffer }>`select ${columns}, api_key_sealed as "apiKeySealed" from bot_vendors
      where tenant_id = ${scope.tenantId} and vendor = ${vendor}`,
  )
}

export async function saveVendor(tx: TenantScope, settings: VendorSettings, apiKeySealed: Buffer): Promise<void> {
  const { vendor, region, baseUrl, connectionId, updatedAt } = settings
  await run(
    tx,
    sql`insert into bot_vendors (tenant_id, vendor, region, base_url, api_key_sealed, connection_id, created_at, updated_at)
      values (${tx.tenantId}, ${vendor}, ${region}, ${baseUrl}, ${apiKeySealed}, ${connectionId}, ${updatedAt}, ${updatedAt})
      on conflict (tenant_id, vendor) do update set region = excluded.region, base_url = excluded.base_url,
        api_key_sealed = excluded.api_key_sealed, connection_id = excluded.connection_id, updated_at = excluded.updated_at`,
  )
}

export function deleteVendor(tx: TenantScope, vendor: VendorName): Promise<number> {
  return run(tx, sql`delete from bot_vendors where tenant_id = ${tx.tenantId} and vendor = ${vendor}`)
}
