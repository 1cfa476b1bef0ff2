import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import { assignments, type Columns, columnNames, selectList, valueList } from '../columns.store.ts'
import type { Product, ProductFields } from './product.rules.ts'

const columns: Columns<ProductFields> = {
  slug: ['slug', 'text'],
  name: ['name', 'text'],
  tagline: ['tagline', 'text'],
  description: ['description', 'text'],
  descriptionHtml: ['description_html', 'text'],
  type: ['type', 'text'],
  typeLabel: ['type_label', 'text'],
  status: ['status', 'text'],
  statusLabel: ['status_label', 'text'],
  isFeatured: ['is_featured', 'boolean'],
  sortOrder: ['sort_order', 'integer'],
  apiPrefix: ['api_prefix', 'text'],
  iconMediaId: ['icon_media_id', 'uuid'],
  coverMediaId: ['cover_media_id', 'uuid'],
  tags: ['tags', 'text[]'],
  links: ['links', 'jsonb'],
  seo: ['seo', 'jsonb'],
  announcedAt: ['announced_at', 'timestamptz'],
  betaAt: ['beta_at', 'timestamptz'],
  launchedAt: ['launched_at', 'timestamptz'],
  deprecatedAt: ['deprecated_at', 'timestamptz'],
  sunsetAt: ['sunset_at', 'timestamptz'],
  replacedById: ['replaced_by_id', 'uuid'],
}

const selected = sql`id, ${selectList(columns)}, revision, created_at as "createdAt", updated_at as "updatedAt",
  (select other.slug from products other where other.id = products.replaced_by_id) as "replacedBy",
  (select other.slug from products other where other.id = products.replaced_by_id and other.status <> 'DRAFT') as "publicReplacedBy"`

export type ProductFilter = {
  types?: string[] | undefined
  statuses?: string[] | undefined
  featured?: boolean | undefined
  /** Text to find in slug, name, tagline, description or tags, in any letter case. */
  q?: string | undefined
  /** Only administrators see drafts. */
  withDrafts: boolean
}

/** Featured products come first, then by `sortOrder` and name. */
export async function listProducts(
  platform: PlatformScope,
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<Product>> {
  const { types = null, statuses = null, featured = null, q = null, withDrafts } = filter
  const found = sql`from products where (${withDrafts}::boolean or status <> 'DRAFT')
    and (${types}::text[] is null or type = any(${types}::text[])) and (${statuses}::text[] is null or status = any(${statuses}::text[]))
    and (${featured}::boolean is null or is_featured = ${featured}::boolean)
    and (${q}::text is null or strpos(lower(concat_ws(' ', slug, name, tagline, description, array_to_string(tags, ' '))), lower(${q}::text)) > 0)`
  return listPage<Product>(platform, page, {
    columns: selected,
    from: found,
    orderBy: sql`is_featured desc, sort_order, name, id`,
  })
}

/** Public products only, sorted by slug. */
export function listPublicBySlug(platform: PlatformScope, slugs: string[]): Promise<Product[]> {
  return many(
    platform,
    sql<Product>`select ${selected} from products where slug = any(${slugs}) and status <> 'DRAFT' order by slug`,
  )
}

/** Includes drafts, sorted by slug. */
export function listBySlug(platform: Scope, slugs: string[]): Promise<Product[]> {
  return many(
    platform,
    sql<Product>`select ${selected} from products where slug = any(${slugs}) order by slug collate "C"`,
  )
}

/** All products, sorted by slug. */
export function listSlugs(platform: Scope): Promise<{ id: string; slug: string }[]> {
  return many(platform, sql<{ id: string; slug: string }>`select id, slug from products order by slug collate "C"`)
}

/** Blocks other writes to products and their children until the transaction ends, but not reads. */
export async function lockAllProducts(tx: Scope): Promise<void> {
  await run(tx, sql`lock table products in exclusive mode`)
}

/** Counts no revision, because it is part of a change that does. */
export async function setReplacement(tx: Scope, { id, replacedById }: { id: string; replacedById: string | null }) {
  await run(tx, sql`update products set replaced_by_id = ${replacedById} where id = ${id}`)
}

/** Finds drafts too. */
export function findProductBySlug(platform: Scope, slug: string): Promise<Product | null> {
  return maybeOne(platform, sql<Product>`select ${selected} from products where slug = ${slug}`)
}

/** Refuses NOT_FOUND. */
export function getProduct(platform: Scope, id: string): Promise<Product> {
  return one(platform, sql<Product>`select ${selected} from products where id = ${id}`)
}

/** Locks the product until the transaction ends. Refuses NOT_FOUND. */
export async function lockProduct(tx: Scope, id: string): Promise<Product> {
  await one(tx, sql`select 1 from products where id = ${id} for update`)
  return getProduct(tx, id) // a second statement, which sees the change that the lock waited for
}

/** Those of the slugs that no product has. Drafts count as known, so that keys can be created before a launch. */
export async function listUnknownSlugs(scope: Scope, slugs: string[]): Promise<string[]> {
  const known = await many(scope, sql<{ slug: string }>`select slug from products where slug = any(${slugs})`)
  return slugs.filter((slug) => !known.some((product) => product.slug === slug))
}

/** False, without a write, if the slug is taken. Waits for a transaction that is taking it. */
export async function addProduct(
  tx: Scope,
  { id, now, ...product }: ProductFields & { id: string; now: Date },
): Promise<boolean> {
  const added = await run(
    tx,
    sql`insert into products (id, ${columnNames(columns)}, created_at, updated_at)
      values (${id}, ${valueList(columns, product)}, ${now}, ${now}) on conflict (slug) do nothing`,
  )
  return added === 1
}

/** Counts the revision. False if the slug is taken; the transaction is aborted then. */
export async function saveProduct(
  tx: Scope,
  { id, now, ...product }: ProductFields & { id: string; now: Date },
): Promise<boolean> {
  try {
    await run(
      tx,
      sql`update products set ${assignments(columns, product)}, revision = revision + 1, updated_at = ${now} where id = ${id}`,
    )
    return true
  } catch (error) {
    if (violates(error, 'products_slug_key')) return false
    throw error
  }
}

/** Removes its children too. */
export async function removeProduct(tx: Scope, id: string): Promise<void> {
  await run(tx, sql`delete from products where id = ${id}`)
}

/** Products whose description is not rendered yet, because a migration cannot render. */
export function listUnrendered(platform: Scope): Promise<{ id: string; description: string }[]> {
  return many(
    platform,
    sql<{ id: string; description: string }>`select id, description from products where description_html is null`,
  )
}

export async function setRendered(tx: Scope, { id, description }: { id: string; description: string }, html: string) {
  await run(
    tx,
    sql`update products set description_html = ${html} where id = ${id} and description = ${description} and description_html is null`,
  )
}

/** Whether no product has the slug, or only an unchanged one that an earlier version seeded. */
export async function isSeedDue(platform: PlatformScope, slug: string): Promise<boolean> {
  const { isDue } = await one(
    platform,
    sql<{ isDue: boolean }>`select coalesce(
      (select is_seed_due and revision = 1 from products where slug = ${slug}), true) as "isDue"`,
  )
  return isDue
}

/** Locks the product if it is unchanged since an earlier version seeded it; otherwise null. */
export function lockOutdatedSeed(tx: Scope, slug: string): Promise<{ id: string; createdAt: Date } | null> {
  return maybeOne(
    tx,
    sql<{ id: string; createdAt: Date }>`select id, created_at as "createdAt" from products
      where slug = ${slug} and is_seed_due and revision = 1 for update`,
  )
}

/** Brings an unchanged seed up to date. It still counts as unchanged. */
export async function renewSeed(tx: Scope, { id, ...product }: ProductFields & { id: string }): Promise<void> {
  await run(tx, sql`update products set ${assignments(columns, product)}, is_seed_due = false where id = ${id}`)
}
