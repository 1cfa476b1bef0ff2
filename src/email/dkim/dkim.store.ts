import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { DkimKey } from './dkim.rules.ts'

/** Newest first. */
export function listKeys(
  scope: TenantScope,
  { ownerId, domain }: { ownerId: string; domain: string },
): Promise<DkimKey[]> {
  return many(
    scope,
    sql<DkimKey>`select owner_id as "ownerId", selector, domain, private_key_sealed as "privateKeySealed",
        public_key as "publicKey", seen_at as "seenAt", created_at as "createdAt"
      from email_dkim_keys where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and domain = ${domain}
      order by created_at desc, selector`,
  )
}

/** Adds a key. Keys of other domains go, and those that never signed. */
export async function insertKey(tx: TenantScope, key: DkimKey): Promise<void> {
  await run(
    tx,
    sql`delete from email_dkim_keys where tenant_id = ${tx.tenantId} and owner_id = ${key.ownerId}
      and (domain <> ${key.domain} or seen_at is null)`,
  )
  await run(
    tx,
    sql`insert into email_dkim_keys (tenant_id, owner_id, selector, domain, private_key_sealed, public_key, created_at)
      values (${tx.tenantId}, ${key.ownerId}, ${key.selector}, ${key.domain}, ${key.privateKeySealed}, ${key.publicKey},
        ${key.createdAt})`,
  )
}

/** The record of a key was found: it signs from now on, and earlier ones no longer do. */
export async function markSeen(
  tx: TenantScope,
  { ownerId, selector, now }: { ownerId: string; selector: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update email_dkim_keys set seen_at = ${now}
      where tenant_id = ${tx.tenantId} and owner_id = ${ownerId} and selector = ${selector} and seen_at is null`,
  )
  await run(
    tx,
    sql`delete from email_dkim_keys k using email_dkim_keys newer
      where k.tenant_id = ${tx.tenantId} and k.owner_id = ${ownerId} and newer.tenant_id = k.tenant_id
        and newer.owner_id = k.owner_id and newer.selector = ${selector} and newer.seen_at is not null
        and k.created_at < newer.created_at`,
  )
}
