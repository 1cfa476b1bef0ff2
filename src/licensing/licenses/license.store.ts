import type { Page, PageRequest } from '../../kernel/paging.ts'
import { pageOffset } from '../../kernel/paging.ts'
import { contains } from '../../storage/contains.ts'
import { many, maybeOne, one, readPipelined, run, sql } from '../../storage/query.ts'
import { rowCount } from '../../storage/row-counts.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { CheckedLicense, License, LicenseState, LicenseStatus, Plan, Terms } from './license.rules.ts'

/** All columns of a license except its hash, for `select` and `returning`. */
export const licenseColumns = sql`id, tenant_id as "tenantId", product, plan, max_uses as "maxUses", uses_count as "usesCount",
  expires_at as "expiresAt", label, key_sealed as "keySealed", key_hint as "keyHint", created_at as "createdAt",
  updated_at as "updatedAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", last_validated_at as "lastValidatedAt"`

export type NewLicenseRow = Terms & {
  id: string
  product: string
  keyHash: Buffer
  keySealed: Buffer
  keyHint: string
  isAutomatic: boolean
  createdAt: Date
}

/** Null if the tenant already has an automatic trial for the product. Waits for a parallel transaction that creates it. */
export function insertLicense(tx: TenantScope, row: NewLicenseRow): Promise<License | null> {
  return maybeOne(
    tx,
    sql<License>`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, max_uses, expires_at, label,
        is_automatic, created_at, updated_at)
      values (${tx.tenantId}, ${row.id}, ${row.keyHash}, ${row.keySealed}, ${row.keyHint}, ${row.product}, ${row.plan}, ${row.maxUses},
        ${row.expiresAt}, ${row.label}, ${row.isAutomatic}, ${row.createdAt}, ${row.createdAt})
      on conflict (tenant_id, product) where is_automatic do nothing
      returning ${licenseColumns}`,
  )
}

/** A license of the tenant; null for another tenant's license. */
export function findLicense(scope: TenantScope, keyHash: Buffer): Promise<License | null> {
  return maybeOne(
    scope,
    sql<License>`select ${licenseColumns} from licenses where key_hash = ${keyHash} and tenant_id = ${scope.tenantId}`,
  )
}

/** The same with fewer columns, because every validation runs it. */
export function findCheckedLicense(scope: TenantScope, keyHash: Buffer): Promise<CheckedLicense | null> {
  return readPipelined(
    scope,
    sql<CheckedLicense>`select id, product, plan, max_uses as "maxUses", uses_count as "usesCount", expires_at as "expiresAt", revoked_at as "revokedAt"
      from licenses where key_hash = ${keyHash} and tenant_id = ${scope.tenantId}`,
  )
}

/** How an administrator names a license of any tenant. */
export type LicenseRef = { id: string } | { keyHash: Buffer }

function isNamed(ref: LicenseRef) {
  return 'id' in ref ? sql`id = ${ref.id}` : sql`key_hash = ${ref.keyHash}`
}

/** A license of any tenant, for an administrator. */
export function findLicenseInAnyTenant(platform: PlatformScope, ref: LicenseRef): Promise<License | null> {
  return maybeOne(platform, sql<License>`select ${licenseColumns} from licenses where ${isNamed(ref)}`)
}

/** Refuses NOT_FOUND. */
export function getLicense(platform: PlatformScope, ref: LicenseRef): Promise<License> {
  return one(platform, sql<License>`select ${licenseColumns} from licenses where ${isNamed(ref)}`)
}

/** The license, locked until the transaction ends. Refuses NOT_FOUND. */
export function lockLicense(tx: PlatformScope, ref: LicenseRef): Promise<License> {
  return one(tx, sql<License>`select ${licenseColumns} from licenses where ${isNamed(ref)} for update`)
}

export function updateTerms(
  tx: TenantScope,
  { id, terms, now }: { id: string; terms: Terms; now: Date },
): Promise<License> {
  const { plan, maxUses, expiresAt, label } = terms
  return one(
    tx,
    sql<License>`update licenses set plan = ${plan}, max_uses = ${maxUses}, expires_at = ${expiresAt}, label = ${label}, updated_at = ${now},
        term_told = case when expires_at is distinct from ${expiresAt} then 0 else term_told end
      where tenant_id = ${tx.tenantId} and id = ${id} returning ${licenseColumns}`,
  )
}

// In batches, because a tenant may have many licenses and statements have a timeout.
const batchMax = 5_000

/** Revokes the tenant's licenses that are not revoked yet. */
export async function revokeAllLicenses(tx: Scope, tenantId: string, now: Date): Promise<void> {
  for (;;) {
    const revoked = await run(
      tx,
      sql`update licenses set revoked_at = ${now}, updated_at = ${now} where tenant_id = ${tenantId} and id = any (array(
          select id from licenses where tenant_id = ${tenantId} and revoked_at is null order by id limit ${batchMax} for update))`,
    )
    if (revoked < batchMax) return
  }
}

/** Null if it was already revoked or does not exist. */
export function revokeLicense(tx: PlatformScope, ref: LicenseRef, now: Date): Promise<License | null> {
  return maybeOne(
    tx,
    sql<License>`update licenses set revoked_at = ${now}, updated_at = ${now}
      where ${isNamed(ref)} and revoked_at is null returning ${licenseColumns}`,
  )
}

export type LicenseFilter = {
  id?: string
  /** A part of the label, or the hint of the key. */
  q?: string
  tenantId?: string
  product?: string
  plan?: Plan
  status?: LicenseStatus
}

/** `licenseStatus` in SQL, so that filters agree with the answers. */
const statusConditions = {
  ACTIVE: (now: Date) => sql`revoked_at is null and (expires_at is null or expires_at > ${now})`,
  REVOKED: () => sql`revoked_at is not null`,
  EXPIRED: (now: Date) => sql`revoked_at is null and expires_at <= ${now}`,
}

export async function listLicenses(
  platform: PlatformScope,
  { filter, page, now }: { filter: LicenseFilter; page: PageRequest; now: Date },
): Promise<Page<License>> {
  const { id, q, tenantId, product, plan, status } = filter
  const condition = sql.join(
    [
      sql`true`,
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(q === undefined ? [] : [sql`(key_hint = upper(${q}) or ${contains(sql`label`, q)})`]),
      ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
      ...(product === undefined ? [] : [sql`product = ${product}`]),
      ...(plan === undefined ? [] : [sql`plan = ${plan}`]),
      ...(status === undefined ? [] : [statusConditions[status](now)]),
    ],
    sql` and `,
  )
  const items = await many(
    platform,
    sql<License>`select ${licenseColumns} from licenses where (tenant_id, id) in (
        select tenant_id, id from licenses where ${condition}
        order by created_at desc, id desc limit ${page.limit} offset ${pageOffset(page)})
      order by created_at desc, id desc`,
  )
  const isUnfiltered = [id, q, product, plan, status].every((each) => each === undefined)
  if (isUnfiltered) return { items, total: await rowCount(platform, 'licenses', tenantId ?? null) }
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from licenses where ${condition}`,
  )
  return { items, total }
}

/** All licenses of the tenant for the product, or only the one with the key. */
export function licenseStates(scope: TenantScope, product: string, keyHash: Buffer | null): Promise<LicenseState[]> {
  return many(
    scope,
    sql<LicenseState>`select max_uses as "maxUses", uses_count as "usesCount", expires_at as "expiresAt", revoked_at as "revokedAt" from licenses
      where tenant_id = ${scope.tenantId} and product = ${product} and (${keyHash}::bytea is null or key_hash = ${keyHash})`,
  )
}

/** Saves times of last validation by the hash of the license key, in hexadecimal. */
export async function saveLastValidated(platform: PlatformScope, marks: { key: string; at: Date }[]): Promise<void> {
  await run(
    platform,
    // Skips locked rows: other transactions lock in another order, and this time is not worth waiting for.
    sql`with marked as (
        select l.tenant_id, l.id, mark.at
        from unnest(${marks.map(({ key }) => key)}::text[], ${marks.map(({ at }) => at)}::timestamptz[]) as mark (key, at)
          join licenses l on l.key_hash = decode(mark.key, 'hex')
        where l.last_validated_at is null or l.last_validated_at < mark.at
        order by l.tenant_id, l.id for update of l skip locked
      )
      update licenses l set last_validated_at = marked.at from marked where l.tenant_id = marked.tenant_id and l.id = marked.id`,
  )
}

/** Whether any tenant has a license for the product, including expired and revoked ones. */
export async function hasLicenseFor(platform: Scope, product: string): Promise<boolean> {
  return (await maybeOne(platform, sql`select 1 from licenses where product = ${product} limit 1`)) !== null
}
