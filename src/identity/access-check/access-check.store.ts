import { maybeOne, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { CheckedKey } from './access-check.rules.ts'

/** Finds a key by its id or hash. Also finds keys that are revoked, expired or of a deleted tenant. */
export function findAnyKey(
  platform: PlatformScope,
  { keyId, keyHash }: { keyId: string | null; keyHash: Buffer | null },
): Promise<CheckedKey | null> {
  const condition = keyHash === null ? sql`k.id = ${keyId}` : sql`k.key_hash = ${keyHash}`
  return maybeOne(
    platform,
    sql<CheckedKey>`select k.name, k.key_prefix as "keyPrefix", k.products, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
        t.id as "tenantId", t.status = 'SUSPENDED' as "isTenantSuspended", t.deleted_at is not null as "isTenantRemoved"
      from api_keys k join tenants t on t.id = k.tenant_id where ${condition}`,
  )
}

export async function findUserStatus(scope: TenantScope, userId: string): Promise<'ACTIVE' | 'SUSPENDED' | null> {
  const row = await maybeOne(
    scope,
    sql<{
      status: 'ACTIVE' | 'SUSPENDED'
    }>`select status from users where tenant_id = ${scope.tenantId} and id = ${userId}`,
  )
  return row?.status ?? null
}
