import type { Page, PageRequest } from '../../kernel/paging.ts'
import { offsetOf } from '../../kernel/paging.ts'
import { many, maybe, one, run, sql } from '../../storage/query.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'
import type { Judged, License } from '../licenses/license.rules.ts'
import { licenseColumns } from '../licenses/license.store.ts'

/** SESSION: a VPN session took it. VALIDATE: a validation with `consume`. */
export const useSources = ['SESSION', 'VALIDATE'] as const
export type UseSource = (typeof useSources)[number]

export type Use = { operationId: string; source: UseSource; usedAt: Date; refundedAt: Date | null }

/** Who takes a use: one operation takes one use at most, whatever is repeated. */
export type Taking = { operationId: string; source: UseSource; now: Date }

/** A license by its id, by its key, or null: the tenant's best for the product. */
export type Choice = { licenseId: string } | { product: string; keyHash: Buffer | null }

/** Tries of one operation wait for each other until the transaction ends, so that they cannot choose two licenses. */
export async function lockOperation(tx: TenantScope, operationId: string): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`license use ${tx.tenantId} ${operationId}`}, 0))`)
}

/** The license from which the operation has taken its use, given back or not; null: it has taken none. */
export function findLicenseUsedBy(
  scope: TenantScope,
  { operationId, product }: { operationId: string; product: string },
): Promise<License | null> {
  return maybe(
    scope,
    sql<License>`select ${licenseColumns} from licenses where tenant_id = ${scope.tenantId} and product = ${product} and exists (
        select from license_uses where tenant_id = licenses.tenant_id and license_id = licenses.id and operation_id = ${operationId})`,
  )
}

const usable = (now: Date) =>
  sql`revoked_at is null and (expires_at is null or expires_at > ${now}) and (max_uses is null or uses_count < max_uses)`

function idOf({ tenantId }: TenantScope, choice: Choice, now: Date) {
  if ('licenseId' in choice) return sql`${choice.licenseId}`
  const { product, keyHash } = choice
  if (keyHash !== null)
    return sql`(select id from licenses where key_hash = ${keyHash} and tenant_id = ${tenantId} and product = ${product})`
  // Locks what it picks. A license that was used up while the lock was waited for is passed over for the next best.
  return sql`(select id from licenses where tenant_id = ${tenantId} and product = ${product} and ${usable(now)}
    order by (max_uses is null) desc, max_uses - uses_count desc, created_at, id limit 1 for update)`
}

/**
 * Takes one use and records it, or gives null and changes nothing. One guarded statement: whoever races for the last
 * use, one wins. A null is final for this choice; it is read again only to say why.
 */
export function takeUse(
  scope: TenantScope,
  choice: Choice,
  { operationId, source, now }: Taking,
): Promise<License | null> {
  return maybe(
    scope,
    sql<License>`with taken as (
        update licenses set uses_count = uses_count + 1, last_used_at = ${now}
        where tenant_id = ${scope.tenantId} and id = ${idOf(scope, choice, now)} and ${usable(now)}
        returning *
      ), recorded as (
        insert into license_uses (tenant_id, license_id, operation_id, source, used_at)
        select tenant_id, id, ${operationId}, ${source}, ${now} from taken
      )
      select ${licenseColumns} from taken`,
  )
}

/** One who wants one use of a license. */
export type UseAsk = { tenantId: string; licenseId: string; operationId: string }

/** A license after the uses of a batch were taken of it. `granted`: how many of those who asked got one, the first ones. */
export type Granting = Judged & { tenantId: string; granted: number }

/**
 * Takes and records a use for each of many at once, for each license no more than it has left; the first in `asks` get
 * them. One statement: the rows are locked in one order, read again as they are then, and counted up under the lock.
 * Licenses that are not there are left out, and where the asker is not patient those that another transaction holds.
 */
export function takeUses(
  scope: Scope,
  asks: UseAsk[],
  { now, isPatient }: { now: Date; isPatient: boolean },
): Promise<Granting[]> {
  return many(
    scope,
    sql<Granting>`with asked as materialized (
        select tenant_id, license_id, operation_id, row_number() over (partition by tenant_id, license_id order by turn) as place
        from unnest(${asks.map(({ tenantId }) => tenantId)}::uuid[], ${asks.map(({ licenseId }) => licenseId)}::uuid[],
          ${asks.map(({ operationId }) => operationId)}::text[]) with ordinality as ask (tenant_id, license_id, operation_id, turn)
      ), wanted as materialized (
        select tenant_id, license_id, max(place)::int as uses from asked group by tenant_id, license_id
      ), granted as materialized (
        select l.*, case when ${usable(now)} then least(wanted.uses, coalesce(max_uses - uses_count, wanted.uses)) else 0 end as granted
        from (select * from wanted order by tenant_id, license_id) as wanted cross join lateral (
          select * from licenses where tenant_id = wanted.tenant_id and id = wanted.license_id
          for update ${isPatient ? sql`` : sql`skip locked`}
        ) as l
      ), counted as (
        update licenses l set uses_count = l.uses_count + granted.granted, last_used_at = ${now}
        from granted where l.tenant_id = granted.tenant_id and l.id = granted.id and granted.granted > 0
      ), recorded as (
        insert into license_uses (tenant_id, license_id, operation_id, source, used_at)
        select asked.tenant_id, asked.license_id, asked.operation_id, 'VALIDATE', ${now}
        from asked join granted on granted.tenant_id = asked.tenant_id and granted.id = asked.license_id
        where asked.place <= granted.granted
      )
      select tenant_id as "tenantId", id, product, plan, max_uses as "maxUses", uses_count + granted as "usesCount",
        expires_at as "expiresAt", revoked_at as "revokedAt", granted
      from granted`,
  )
}

/** Gives the use of an operation back; true the first time only. */
export async function refundUse(
  scope: TenantScope,
  { licenseId, operationId, now }: { licenseId: string; operationId: string; now: Date },
): Promise<boolean> {
  const changed = await run(
    scope,
    sql`with refunded as (
        update license_uses set refunded_at = ${now}
        where tenant_id = ${scope.tenantId} and license_id = ${licenseId} and operation_id = ${operationId} and refunded_at is null
        returning license_id
      )
      update licenses set uses_count = uses_count - 1, refunds_count = refunds_count + 1
      where tenant_id = ${scope.tenantId} and id = (select license_id from refunded)`,
  )
  return changed === 1
}

export async function listUses(scope: TenantScope, licenseId: string, page: PageRequest): Promise<Page<Use>> {
  const items = await many(
    scope,
    sql<Use>`select operation_id as "operationId", source, used_at as "usedAt", refunded_at as "refundedAt" from license_uses
      where tenant_id = ${scope.tenantId} and license_id = ${licenseId}
      order by used_at desc, operation_id desc limit ${page.limit} offset ${offsetOf(page)}`,
  )
  const { total } = await one(
    scope,
    sql<{ total: number }>`select uses_count + refunds_count as total from licenses
      where tenant_id = ${scope.tenantId} and id = ${licenseId}`,
  )
  return { items, total }
}
