import type { AuthenticatedTenant } from '../../http/access/callers.ts'
import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import { builtInSlug, completeWhitelabel, type Tenant, type TenantStatus } from './tenant.rules.ts'

const columns = (
  now: Date,
) => sql`t.id, t.name, t.slug, t.contact_email as "contactEmail", t.status, t.limits, t.products,
  t.are_products_chosen as "areProductsChosen", t.whitelabel_config as "whitelabelConfig", t.created_at as "createdAt", t.updated_at as "updatedAt",
  (select k.key_prefix from api_keys k where k.tenant_id = t.id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > ${now}) order by k.created_at desc, k.id desc limit 1) as "keyPrefix"`

/** Adds whitelabel members that did not exist yet when the row was written. */
function tenantFromRow(row: Tenant): Tenant {
  return { ...row, whitelabelConfig: completeWhitelabel(row.whitelabelConfig) }
}

/** False if the slug is taken. */
export async function addTenant(tx: PlatformScope, tenant: Tenant): Promise<boolean> {
  const { id, name, slug, contactEmail, status, limits, products, areProductsChosen, whitelabelConfig } = tenant
  const added = await run(
    tx,
    sql`insert into tenants (id, name, slug, contact_email, status, limits, products, are_products_chosen, whitelabel_config,
        created_at, updated_at)
      values (${id}, ${name}, ${slug}, ${contactEmail}, ${status}, ${JSON.stringify(limits)}::jsonb, ${products}, ${areProductsChosen},
        ${json(whitelabelConfig)}::jsonb, ${tenant.createdAt}, ${tenant.updatedAt})
      on conflict (slug) where deleted_at is null do nothing`,
  )
  return added === 1
}

export async function findTenant(
  platform: PlatformScope,
  { id, now }: { id: string; now: Date },
): Promise<Tenant | null> {
  const row = await maybeOne(
    platform,
    sql<Tenant>`select ${columns(now)} from tenants t where t.id = ${id} and t.deleted_at is null`,
  )
  return row && tenantFromRow(row)
}

/** The tenant, locked until the transaction ends: nobody else changes or deletes it, or counts within its limits. Refuses NOT_FOUND. */
export async function lockTenant(tx: PlatformScope, { id, now }: { id: string; now: Date }): Promise<Tenant> {
  // `no key update` does not block inserts into tables that refer to tenants.
  const row = await one(
    tx,
    sql<Tenant>`select ${columns(now)} from tenants t where t.id = ${id} and t.deleted_at is null for no key update of t`,
  )
  return tenantFromRow(row)
}

export type TenantSearch = PageRequest & { status: TenantStatus | null; q: string | null; now: Date }

export async function listTenants(
  platform: PlatformScope,
  { status, q, now, ...page }: TenantSearch,
): Promise<Page<Tenant>> {
  const matching = sql`t.deleted_at is null and (${status}::text is null or t.status = ${status})
    and (${q}::text is null or position(lower(${q}) in lower(t.name)) > 0 or position(lower(${q}) in t.slug) > 0)`
  const { items, total } = await listPage<Tenant>(platform, page, {
    columns: columns(now),
    from: sql`from tenants t where ${matching}`,
    orderBy: sql`t.created_at desc, t.id desc`,
  })
  return { items: items.map(tenantFromRow), total }
}

export async function saveTenant(tx: PlatformScope, tenant: Tenant): Promise<void> {
  const { id, name, contactEmail, status, limits, products, areProductsChosen, whitelabelConfig, updatedAt } = tenant
  await run(
    tx,
    sql`update tenants set name = ${name}, contact_email = ${contactEmail}, status = ${status}, updated_at = ${updatedAt},
      limits = ${JSON.stringify(limits)}::jsonb, products = ${products}, are_products_chosen = ${areProductsChosen},
      whitelabel_config = ${json(whitelabelConfig)}::jsonb where id = ${id}`,
  )
}

/** What a new key adds to the products of the tenant, unless an administrator chose them. The caller has locked the tenant. */
export async function addProductsOfKey(tx: TenantScope, products: string[]): Promise<void> {
  await run(
    tx,
    sql`update tenants set products = array(
          select distinct product collate "C" from unnest(products || ${products}::text[]) product order by 1)
      where id = ${tx.tenantId} and not are_products_chosen and not products @> ${products}::text[]`,
  )
}

/** Of all keys that the tenant has had, in the order of the alphabet. */
export async function productsOfKeys(tx: PlatformScope, tenantId: string): Promise<string[]> {
  const { products } = await one(
    tx,
    sql<{ products: string[] }>`select array(
      select distinct product collate "C" from api_keys, unnest(products) product where tenant_id = ${tenantId} order by 1) as products`,
  )
  return products
}

/** Whether an administrator chose the product for any tenant. */
export async function isProductChosen(scope: Scope, product: string): Promise<boolean> {
  const found = sql`select 1 from tenants where are_products_chosen and deleted_at is null and ${product} = any(products) limit 1`
  return (await maybeOne(scope, found)) !== null
}

/** Keeps the row, so that its id is never used again. Frees the slug. */
export async function removeTenant(tx: PlatformScope, { id, now }: { id: string; now: Date }): Promise<void> {
  await run(tx, sql`update tenants set deleted_at = ${now}, updated_at = ${now} where id = ${id}`)
}

/** Whether the tenant exists and is not deleted; false for a malformed id. */
export async function tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean> {
  if (!isId(tenantId)) return false
  // Inside a transaction, lock the tenant against a parallel erasure: one waits for the other.
  const lock = platform.handle.inTransaction ? sql`for key share` : sql``
  return (
    (await maybeOne(platform, sql`select 1 from tenants where id = ${tenantId} and deleted_at is null ${lock}`)) !==
    null
  )
}

/** The tenant with this slug or id. Without a name the only tenant; the built-in one counts only if there is no other. */
export async function resolveTenant(platform: PlatformScope, named: string | null): Promise<string | null> {
  const nameMatches =
    named === null ? sql`true` : isId(named) ? sql`(id = ${named} or slug = ${named})` : sql`slug = ${named}`
  const found = await many(
    platform,
    sql<{ id: string; isBuiltIn: boolean }>`select id, slug = ${builtInSlug} as "isBuiltIn" from tenants
      where deleted_at is null and ${nameMatches} order by slug = ${builtInSlug} limit 3`,
  )
  const others = found.filter(({ isBuiltIn }) => !isBuiltIn)
  const [only, another] = others.length > 0 ? others : found
  return another === undefined ? (only?.id ?? null) : null
}

export function findCallerTenant(platform: PlatformScope, slug: string): Promise<AuthenticatedTenant | null> {
  return maybeOne(
    platform,
    sql<AuthenticatedTenant>`select id as "tenantId", status = 'SUSPENDED' as "isTenantSuspended",
      limits -> 'requestsPerWindow' as "requestsPerWindow" from tenants where slug = ${slug} and deleted_at is null`,
  )
}

/** The host of the tenant's own site, if it has one. */
export async function findCustomDomain(scope: TenantScope): Promise<string | null> {
  const row = await maybeOne(
    scope,
    sql<{
      domain: string | null
    }>`select whitelabel_config ->> 'customDomain' as domain from tenants where id = ${scope.tenantId}`,
  )
  return row?.domain ?? null
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
