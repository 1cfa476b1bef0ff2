import type { KeyCaller } from '../../http/access/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, one, readPipelined, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { ApiKey, KeyStatus } from './key.rules.ts'

const columns = sql`k.tenant_id as "tenantId", k.id, k.name, k.products, k.key_prefix as "keyPrefix", k.expires_at as "expiresAt",
  k.last_used_at as "lastUsedAt", k.created_at as "createdAt", k.revoked_at as "revokedAt"`

/** The same rule as `keyStatus`, in SQL. */
const statusAt = (now: Date) =>
  sql`case when k.revoked_at is not null then 'REVOKED' when k.expires_at <= ${now} then 'EXPIRED' else 'ACTIVE' end`

export type StoredKey = ApiKey & { keyHash: Buffer; rotatedFromId: string | null }

export async function addKey(tx: TenantScope, key: StoredKey): Promise<void> {
  const { id, name, products, keyHash, keyPrefix, expiresAt, createdAt, rotatedFromId } = key
  await run(
    tx,
    sql`insert into api_keys (tenant_id, id, name, products, key_hash, key_prefix, expires_at, created_at, rotated_from_id)
      values (${tx.tenantId}, ${id}, ${name}, ${products}, ${keyHash}, ${keyPrefix}, ${expiresAt}, ${createdAt}, ${rotatedFromId})`,
  )
}

export function findKey(scope: TenantScope, id: string): Promise<ApiKey | null> {
  return maybeOne(
    scope,
    sql<ApiKey>`select ${columns} from api_keys k join tenants t on t.id = k.tenant_id and t.deleted_at is null
      where k.tenant_id = ${scope.tenantId} and k.id = ${id}`,
  )
}

export async function listKeys(
  scope: TenantScope,
  query: PageRequest & { status: KeyStatus | null; now: Date },
): Promise<Page<ApiKey>> {
  const matching = sql`k.tenant_id = ${scope.tenantId} and (${query.status}::text is null or ${statusAt(query.now)} = ${query.status})`
  return listPage<ApiKey>(scope, query, {
    columns,
    from: sql`from api_keys k where ${matching}`,
    orderBy: sql`k.created_at desc, k.id desc`,
  })
}

/** Exact only if the tenant is locked. */
export async function countActiveKeys(tx: TenantScope, now: Date): Promise<number> {
  const { count } = await one(
    tx,
    sql<{ count: number }>`select count(*)::int as count from api_keys k
      where k.tenant_id = ${tx.tenantId} and ${statusAt(now)} = 'ACTIVE'`,
  )
  return count
}

/** The key, locked until the transaction ends. */
export function lockKey(tx: TenantScope, id: string): Promise<ApiKey | null> {
  return maybeOne(
    tx,
    sql<ApiKey>`select ${columns} from api_keys k join tenants t on t.id = k.tenant_id and t.deleted_at is null
      where k.tenant_id = ${tx.tenantId} and k.id = ${id} for update of k`,
  )
}

/** The id of the key that this one was rotated into. */
export async function findSuccessorId(tx: TenantScope, id: string): Promise<string | null> {
  const row = await maybeOne(
    tx,
    sql<{ id: string }>`select id from api_keys where tenant_id = ${tx.tenantId} and rotated_from_id = ${id}`,
  )
  return row?.id ?? null
}

export async function setKeyExpiry(tx: TenantScope, { id, expiresAt }: { id: string; expiresAt: Date }): Promise<void> {
  await run(tx, sql`update api_keys set expires_at = ${expiresAt} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Returns the revoked key; null if there is no such key or it was already revoked. */
export function revokeKey(tx: TenantScope, { id, now }: { id: string; now: Date }): Promise<ApiKey | null> {
  return maybeOne(
    tx,
    sql<ApiKey>`update api_keys k set revoked_at = ${now} from tenants t
      where k.tenant_id = ${tx.tenantId} and k.id = ${id} and k.revoked_at is null and t.id = k.tenant_id and t.deleted_at is null
      returning ${columns}`,
  )
}

/** The caller with the key of this hash, in one statement; null if the key is unknown, revoked or expired, or its tenant is deleted. */
export function findKeyCaller(
  platform: PlatformScope,
  { keyHash, now }: { keyHash: Buffer; now: Date },
): Promise<KeyCaller | null> {
  return readPipelined(
    platform,
    sql<KeyCaller>`select k.id, k.name, k.products, k.expires_at as "expiresAt", t.id as "tenantId", t.status = 'SUSPENDED' as "isTenantSuspended",
        t.limits -> 'requestsPerWindow' as "requestsPerWindow"
      from api_keys k join tenants t on t.id = k.tenant_id
      where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) and t.deleted_at is null`,
  )
}

/** Saves times of last use. If several nodes write the same key, the latest time wins. */
export async function saveKeysLastUsed(
  platform: PlatformScope,
  marks: { tenantId: string; id: string; at: Date }[],
): Promise<void> {
  const [tenantIds, ids, times] = [
    marks.map(({ tenantId }) => tenantId),
    marks.map(({ id }) => id),
    marks.map(({ at }) => at),
  ]
  await run(
    platform,
    // Skips locked rows: another node may update the same keys in another order.
    sql`with marked as (
        select k.tenant_id, k.id, used.at
        from unnest(${tenantIds}::uuid[], ${ids}::uuid[], ${times}::timestamptz[]) as used (tenant_id, id, at)
          join api_keys k on k.tenant_id = used.tenant_id and k.id = used.id
        where k.last_used_at is null or k.last_used_at < used.at
        order by k.tenant_id, k.id for update of k skip locked
      )
      update api_keys k set last_used_at = marked.at from marked where k.tenant_id = marked.tenant_id and k.id = marked.id`,
  )
}

/** Whether any tenant has a key for the product that is not revoked. */
export async function hasKeyForProduct(platform: Scope, product: string): Promise<boolean> {
  const found = sql`select 1 from api_keys where ${product} = any(products) and revoked_at is null limit 1`
  return (await maybeOne(platform, found)) !== null
}
