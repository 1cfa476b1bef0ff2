import { maybeOne, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { CheckedKey, CheckedUser } from './access-check.rules.ts'

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

export function findCheckedUser(scope: TenantScope, userId: string): Promise<CheckedUser | null> {
  return maybeOne(
    scope,
    sql<CheckedUser>`select u.status, t.products as "tenantProducts" from users u join tenants t on t.id = u.tenant_id
      where u.tenant_id = ${scope.tenantId} and u.id = ${userId}`,
  )
}
