import type { AdminCaller } from '../../http/access/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { KeyStatus } from '../keys/key.rules.ts'
import type { AdminKey } from './admin-key.rules.ts'

const columns = sql`id, name, role, key_prefix as "keyPrefix", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  created_at as "createdAt", revoked_at as "revokedAt"`

/** The same rule as `keyStatus`, in SQL. */
const statusAt = (now: Date) =>
  sql`case when revoked_at is not null then 'REVOKED' when expires_at <= ${now} then 'EXPIRED' else 'ACTIVE' end`

export type StoredAdminKey = AdminKey & { keyHash: Buffer; rotatedFromId: string | null }

export async function addAdminKey(tx: PlatformScope, key: StoredAdminKey): Promise<void> {
  const { id, name, role, keyHash, keyPrefix, expiresAt, createdAt, rotatedFromId } = key
  await run(
    tx,
    sql`insert into admin_keys (id, name, role, key_hash, key_prefix, expires_at, created_at, rotated_from_id)
      values (${id}, ${name}, ${role}, ${keyHash}, ${keyPrefix}, ${expiresAt}, ${createdAt}, ${rotatedFromId})`,
  )
}

export function findAdminKey(platform: PlatformScope, id: string): Promise<AdminKey | null> {
  return maybeOne(platform, sql<AdminKey>`select ${columns} from admin_keys where id = ${id}`)
}

/** Null also for one that is revoked or expired. */
export function findActiveAdminKey(platform: PlatformScope, id: string, now: Date): Promise<AdminKey | null> {
  return maybeOne(
    platform,
    sql<AdminKey>`select ${columns} from admin_keys where id = ${id} and ${statusAt(now)} = 'ACTIVE'`,
  )
}

export async function hasActiveAdminKey(platform: PlatformScope, now: Date): Promise<boolean> {
  const found = await maybeOne(platform, sql`select 1 from admin_keys where ${statusAt(now)} = 'ACTIVE' limit 1`)
  return found !== null
}

export async function listAdminKeys(
  platform: PlatformScope,
  query: PageRequest & { status: KeyStatus | null; now: Date },
): Promise<Page<AdminKey>> {
  const matching = sql`(${query.status}::text is null or ${statusAt(query.now)} = ${query.status})`
  return listPage<AdminKey>(platform, query, {
    columns,
    from: sql`from admin_keys where ${matching}`,
    orderBy: sql`created_at desc, id desc`,
  })
}

/** The key, locked until the transaction ends. */
export function lockAdminKey(tx: PlatformScope, id: string): Promise<AdminKey | null> {
  return maybeOne(tx, sql<AdminKey>`select ${columns} from admin_keys where id = ${id} for update`)
}

export async function renameAdminKey(tx: PlatformScope, id: string, name: string): Promise<void> {
  await run(tx, sql`update admin_keys set name = ${name} where id = ${id}`)
}

/** The id of the key that this one was rotated into. */
export async function findAdminSuccessorId(tx: PlatformScope, id: string): Promise<string | null> {
  const row = await maybeOne(tx, sql<{ id: string }>`select id from admin_keys where rotated_from_id = ${id}`)
  return row?.id ?? null
}

export async function setAdminKeyExpiry(tx: PlatformScope, id: string, expiresAt: Date): Promise<void> {
  await run(tx, sql`update admin_keys set expires_at = ${expiresAt} where id = ${id}`)
}

/** Returns the revoked key; null if there is no such key or it was already revoked. */
export function revokeAdminKey(tx: PlatformScope, id: string, now: Date): Promise<AdminKey | null> {
  return maybeOne(
    tx,
    sql<AdminKey>`update admin_keys set revoked_at = ${now} where id = ${id} and revoked_at is null returning ${columns}`,
  )
}

/** The caller with the key of this hash; null if the key is unknown, revoked or expired. */
export function findAdminCaller(platform: PlatformScope, keyHash: Buffer, now: Date): Promise<AdminCaller | null> {
  return maybeOne(
    platform,
    sql<AdminCaller>`select id, name as label, role from admin_keys
      where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > ${now})`,
  )
}

/** Saves times of last use by key id. If several nodes write the same key, the latest time wins. */
export async function saveAdminKeysLastUsed(
  platform: PlatformScope,
  marks: { key: string; at: Date }[],
): Promise<void> {
  const [ids, times] = [marks.map(({ key }) => key), marks.map(({ at }) => at)]
  await run(
    platform,
    // Skips locked rows: another node may update the same keys in another order.
    sql`with marked as (
        select k.id, used.at from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at) join admin_keys k on k.id = used.id
        where k.last_used_at is null or k.last_used_at < used.at
        order by k.id for update of k skip locked
      )
      update admin_keys k set last_used_at = marked.at from marked where k.id = marked.id`,
  )
}
