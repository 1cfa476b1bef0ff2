import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Suppression, SuppressionReason } from './suppression.rules.ts'

const columns = sql`id, owner_id as "ownerId", org_id as "orgId", address, reason, until, created_at as "createdAt"`
const isActive = (now: Date): Sql => sql`(until is null or until > ${now})`

/** The strongest reason not to write to an address; null if there is none. */
export function findReason(
  scope: TenantScope,
  { address, now }: { address: string; now: Date },
): Promise<{ reason: SuppressionReason } | null> {
  return maybeOne(
    scope,
    sql<{ reason: SuppressionReason }>`select reason from email_suppressions
      where tenant_id = ${scope.tenantId} and address = ${address} and ${isActive(now)}
      order by reason = 'bounce' desc, until desc nulls first limit 1`,
  )
}

/**
 * Adds an address; one that an earlier reason holds back for a shorter time now stays so for longer. Null where it is held back
 * already, which the first of two calls at once decides.
 */
export function addSuppression(tx: TenantScope, suppression: Suppression): Promise<Suppression | null> {
  const { id, ownerId, orgId, address, reason, until, createdAt } = suppression
  return maybeOne(
    tx,
    sql<Suppression>`insert into email_suppressions as s (tenant_id, id, owner_id, org_id, address, reason, until, created_at)
      values (${tx.tenantId}, ${id}, ${ownerId}, ${orgId}, ${address}, ${reason}, ${until}, ${createdAt})
      on conflict (tenant_id, address, owner_id) do update
        set reason = excluded.reason, until = excluded.until, created_at = excluded.created_at
        where s.until is not null and (excluded.until is null or excluded.until > s.until)
      returning ${columns}`,
  )
}

export function findByAddress(
  scope: TenantScope,
  { ownerId, address }: { ownerId: string; address: string },
): Promise<Suppression | null> {
  return maybeOne(
    scope,
    sql<Suppression>`select ${columns} from email_suppressions
      where tenant_id = ${scope.tenantId} and address = ${address} and owner_id = ${ownerId}`,
  )
}

/** Refuses NOT_FOUND. */
export function getSuppression(
  scope: TenantScope,
  { ownerId, id, now }: { ownerId: string; id: string; now: Date },
): Promise<Suppression> {
  return one(
    scope,
    sql<Suppression>`select ${columns} from email_suppressions
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and id = ${id} and ${isActive(now)}`,
  )
}

export type SuppressionSearch = { ownerId: string; address?: string | undefined; now: Date }

/** Newest first. */
export function listSuppressions(
  scope: TenantScope,
  { ownerId, address, now }: SuppressionSearch,
  page: PageRequest,
): Promise<Page<Suppression>> {
  const isAsked = address === undefined ? sql`true` : sql`address = ${address}`
  return listPage<Suppression>(scope, page, {
    columns,
    from: sql`from email_suppressions
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and ${isAsked} and ${isActive(now)}`,
    orderBy: sql`id desc`,
  })
}

export async function deleteSuppression(tx: TenantScope, key: { ownerId: string; id: string }): Promise<boolean> {
  const deleted = await run(
    tx,
    sql`delete from email_suppressions
      where tenant_id = ${tx.tenantId} and id = ${key.id} and owner_id = ${key.ownerId}`,
  )
  return deleted > 0
}

/** What an organization's mails taught holds for the tenant when it is deleted. */
export async function keepForTenant(tx: TenantScope, orgId: string): Promise<void> {
  await run(
    tx,
    sql`delete from email_suppressions s where tenant_id = ${tx.tenantId} and owner_id = ${orgId} and exists (
      select from email_suppressions t
      where t.tenant_id = s.tenant_id and t.owner_id = s.tenant_id and t.address = s.address)`,
  )
  await run(
    tx,
    sql`update email_suppressions set owner_id = tenant_id, org_id = null
      where tenant_id = ${tx.tenantId} and owner_id = ${orgId}`,
  )
}

/** `isRepeatable`: another failure at the same time is the same failure. */
type Failure = { address: string; at: Date; since: Date; count: number; isRepeatable: boolean }

/** Notes a failure. True if it is the last of so many since that time, which are then forgotten. */
export async function countFailure(
  tx: TenantScope,
  { address, at, since, count, isRepeatable }: Failure,
): Promise<boolean> {
  const counted = await maybeOne(
    tx,
    sql<{ isFull: boolean }>`insert into email_delivery_failures as f (tenant_id, address, failed_at, last_failed_at)
      values (${tx.tenantId}, ${address}, array[${at}::timestamptz], ${at})
      on conflict (tenant_id, address) do update set last_failed_at = excluded.last_failed_at,
        failed_at = array(select t from unnest(f.failed_at) as t where t > ${since} order by t) || excluded.failed_at
        where not (${isRepeatable} and f.failed_at @> excluded.failed_at)
      returning cardinality(failed_at) >= ${count} as "isFull"`,
  )
  if (counted === null || !counted.isFull) return false
  await run(tx, sql`delete from email_delivery_failures where tenant_id = ${tx.tenantId} and address = ${address}`)
  return true
}

/** What is over, of all tenants. Returns how many rows. */
export async function deleteOver(
  platform: PlatformScope,
  { now, failedBefore, limit }: { now: Date; failedBefore: Date; limit: number },
): Promise<number> {
  const ended = await run(
    platform,
    sql`delete from email_suppressions where ctid = any (array(
      select ctid from email_suppressions where until <= ${now} order by until limit ${limit}))`,
  )
  const forgotten = await run(
    platform,
    sql`delete from email_delivery_failures where ctid = any (array(
      select ctid from email_delivery_failures where last_failed_at < ${failedBefore} order by last_failed_at limit ${limit}))`,
  )
  return ended + forgotten
}
