import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { pageOffset } from '../../kernel/paging.ts'
import { many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { License, LicenseState } from '../licenses/license.rules.ts'
import { licenseColumns } from '../licenses/license.store.ts'

/** SESSION: taken by a VPN session. VALIDATE: taken by a validation with `consume`. */
export const useSources = ['SESSION', 'VALIDATE'] as const
export type UseSource = (typeof useSources)[number]

export type Use = { operationId: string; source: UseSource; usedAt: Date; refundedAt: Date | null }

/** The operation that takes a use. Its id must be new. */
export type NewUse = { operationId: string; source: UseSource; now: Date }

/** A license by its id or by its key hash; a null hash means the tenant's best license for the product. */
export type LicenseChoice = { licenseId: string } | { product: string; keyHash: Buffer | null }

const usable = (now: Date) =>
  sql`revoked_at is null and (expires_at is null or expires_at > ${now}) and (max_uses is null or uses_count < max_uses)`

function chosenLicenseId({ tenantId }: TenantScope, choice: LicenseChoice, now: Date) {
  if ('licenseId' in choice) return sql`${choice.licenseId}`
  const { product, keyHash } = choice
  if (keyHash !== null)
    return sql`(select id from licenses where key_hash = ${keyHash} and tenant_id = ${tenantId} and product = ${product})`
  // Locks the chosen license. If it is used up while waiting for the lock, the next best one is chosen.
  return sql`(select id from licenses where tenant_id = ${tenantId} and product = ${product} and ${usable(now)}
    order by (max_uses is null) desc, max_uses - uses_count desc, created_at, id limit 1 for update)`
}

/**
 * Takes one use and records it; null if the license cannot be used. One guarded statement, so that of parallel callers only
 * one gets the last use. Null is final for this choice; the license is read again only to find out why.
 */
export function consumeUse(
  scope: TenantScope,
  choice: LicenseChoice,
  { operationId, source, now }: NewUse,
): Promise<License | null> {
  return maybeOne(
    scope,
    sql<License>`with taken as (
        update licenses set uses_count = uses_count + 1, last_used_at = ${now}
        where tenant_id = ${scope.tenantId} and id = ${chosenLicenseId(scope, choice, now)} and ${usable(now)}
        returning *
      ), recorded as (
        insert into license_uses (tenant_id, license_id, operation_id, source, used_at)
        select tenant_id, id, ${operationId}, ${source}, ${now} from taken
      ), exhausted as (
        insert into license_exhaustions (tenant_id, license_id, at) select tenant_id, id, ${now} from taken where uses_count >= max_uses
      )
      select ${licenseColumns} from taken`,
  )
}

/** The number of uses to take from a license. */
export type UseRequest = { tenantId: string; licenseId: string; uses: number }

/** A license after uses were taken; `granted` is the number of uses taken. */
export type UseGrant = LicenseState & Pick<License, 'plan'> & { granted: number }

/**
 * Takes uses from many licenses at once, from each no more than it has left, and records the uses of one license as one row.
 * A license must not appear twice. One statement: the rows are locked in a fixed order and read and updated under the lock.
 * The results are in the order of `requests`; undefined for a license that does not exist or, unless `waitsForLocks`, that
 * another transaction has locked.
 */
export async function consumeUses(
  scope: Scope,
  requests: UseRequest[],
  { now, waitsForLocks }: { now: Date; waitsForLocks: boolean },
): Promise<(UseGrant | undefined)[]> {
  const grantings = await many(
    scope,
    // The arrays come from a row of their own, so that the query plan does not depend on their length. Otherwise small
    // batches would be planned again each time, which takes longer than the batch.
    sql<UseGrant & { place: number }>`with lists as materialized (
        select ${uuids(requests.map(({ tenantId }) => tenantId))}::uuid[] as tenant_ids,
          ${uuids(requests.map(({ licenseId }) => licenseId))}::uuid[] as license_ids, ${requests.map(({ uses }) => uses)}::int[] as uses
      ), granted as materialized (
        select l.*, wanted.place, case when ${usable(now)} then least(wanted.uses, coalesce(max_uses - uses_count, wanted.uses)) else 0 end as granted
        from (
          select wanted.* from lists, unnest(tenant_ids, license_ids, lists.uses) with ordinality as wanted (tenant_id, license_id, uses, place)
          order by tenant_id, license_id
        ) as wanted cross join lateral (
          select tenant_id, id, plan, max_uses, uses_count, expires_at, revoked_at from licenses
          where tenant_id = wanted.tenant_id and id = wanted.license_id
          for update ${waitsForLocks ? sql`` : sql`skip locked`}
        ) as l
      ), counted as (
        update licenses l set uses_count = l.uses_count + granted.granted, last_used_at = ${now}
        from granted where l.tenant_id = granted.tenant_id and l.id = granted.id and granted.granted > 0
      ), recorded as (
        insert into license_use_batches (tenant_id, license_id, id, used_at, uses_count)
        select tenant_id, id, ${newId(now)}, ${now}, granted from granted where granted > 0
      ), exhausted as (
        insert into license_exhaustions (tenant_id, license_id, at)
        select tenant_id, id, ${now} from granted where granted > 0 and uses_count + granted >= max_uses
      )
      select place::int, plan, max_uses as "maxUses", uses_count + granted as "usesCount", expires_at as "expiresAt",
        revoked_at as "revokedAt", granted
      from granted`,
  )
  const inOrder = new Array<UseGrant | undefined>(requests.length).fill(undefined)
  for (const granting of grantings) inOrder[granting.place - 1] = granting
  return inOrder
}

/** An array literal. Written here because the driver is slow at quoting ids, which need no quotes. */
function uuids(ids: string[]): string {
  return `{${ids.join()}}`
}

/** Refunds the use of an operation; true only the first time. */
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

/**
 * Takes a refunded use again; true only the first time. False, with nothing changed, where the license has no use left. Locks
 * the use before the license, as a refund does.
 */
export async function retakeUse(
  scope: TenantScope,
  { licenseId, operationId, now }: { licenseId: string; operationId: string; now: Date },
): Promise<boolean> {
  const changed = await run(
    scope,
    sql`with refunded as materialized (
        select license_id, operation_id from license_uses
        where tenant_id = ${scope.tenantId} and license_id = ${licenseId} and operation_id = ${operationId} and refunded_at is not null
        for update
      ), taken as (
        update licenses l set uses_count = uses_count + 1, refunds_count = refunds_count - 1
        from refunded where l.tenant_id = ${scope.tenantId} and l.id = refunded.license_id
          and (l.max_uses is null or l.uses_count < l.max_uses)
        returning l.tenant_id, l.id, l.uses_count, l.max_uses, refunded.operation_id
      ), exhausted as (
        insert into license_exhaustions (tenant_id, license_id, at) select tenant_id, id, ${now} from taken where uses_count >= max_uses
      )
      update license_uses u set refunded_at = null from taken
      where u.tenant_id = taken.tenant_id and u.license_id = taken.id and u.operation_id = taken.operation_id`,
  )
  return changed === 1
}

export async function listUses(scope: TenantScope, licenseId: string, page: PageRequest): Promise<Page<Use>> {
  const offset = pageOffset(page)
  const newest = offset + page.limit
  const own = sql`tenant_id = ${scope.tenantId} and license_id = ${licenseId}`
  // Reads from both tables only as many rows as the page can need: each row of a batch holds at least one use.
  const items = await many(
    scope,
    sql<Use>`select operation_id as "operationId", source, used_at as "usedAt", refunded_at as "refundedAt" from (
        (select operation_id, source, used_at, refunded_at, null::uuid as batch_id, 0 as turn
          from license_uses where ${own} order by used_at desc, operation_id desc limit ${newest})
        union all
        select 'validate:' || id || '-' || turn, 'VALIDATE', used_at, null, id, turn from (
          select *, sum(uses_count) over (order by id desc) - uses_count as newer
          from (select * from license_use_batches where ${own} order by id desc limit ${newest}) as batch
        ) as batch cross join lateral generate_series(1, uses_count) as turn where newer < ${newest}
      ) as use order by used_at desc, batch_id desc, turn desc, operation_id desc limit ${page.limit} offset ${offset}`,
  )
  const { total } = await one(
    scope,
    sql<{ total: number }>`select uses_count + refunds_count as total from licenses
      where tenant_id = ${scope.tenantId} and id = ${licenseId}`,
  )
  return { items, total }
}

/** Deletes and returns entries for licenses whose last use was taken, oldest first. Skips entries that another node has locked. */
export function deleteExhaustions(
  tx: PlatformScope,
  limit: number,
): Promise<{ tenantId: string; licenseId: string }[]> {
  return many(
    tx,
    sql<{ tenantId: string; licenseId: string }>`delete from license_exhaustions where (tenant_id, license_id, id) in (
        select tenant_id, license_id, id from license_exhaustions order by at limit ${limit} for update skip locked)
      returning tenant_id as "tenantId", license_id as "licenseId"`,
  )
}
