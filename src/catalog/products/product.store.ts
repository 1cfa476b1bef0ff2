import type { Page, PageRequest } from '../../kernel/paging.ts'
import { offsetOf } from '../../kernel/paging.ts'
import { many, maybe, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import type { ProductAnswer } from './product.schema.ts'

/** A product as it is stored; the catalog belongs to the platform, not to a tenant. */
export type Product = Omit<ProductAnswer, 'downloads' | 'versions' | 'createdAt' | 'updatedAt'> & {
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, slug, name, tagline, description, type, status, status_label as "statusLabel", is_featured as "isFeatured",
  features, plans, created_at as "createdAt", updated_at as "updatedAt"`

export async function listPublicProducts(
  platform: PlatformScope,
  ask: PageRequest & { type: string | null },
): Promise<Page<Product>> {
  const wanted = sql`status <> 'DRAFT' and (${ask.type}::text is null or type = ${ask.type})`
  const items = await many(
    platform,
    sql<Product>`select ${columns} from products where ${wanted} order by is_featured desc, created_at desc, id desc limit ${ask.limit} offset ${offsetOf(ask)}`,
  )
  const { total } = await one(
    platform,
    sql<{ total: number }>`select count(*)::int as total from products where ${wanted}`,
  )
  return { items, total }
}

export function findPublicProduct(platform: PlatformScope, slug: string): Promise<Product | null> {
  return maybe(platform, sql<Product>`select ${columns} from products where slug = ${slug} and status <> 'DRAFT'`)
}

/** Drafts too. */
export async function productExists(platform: PlatformScope, id: string): Promise<boolean> {
  return (await maybe(platform, sql`select 1 from products where id = ${id}`)) !== null
}

/** Which of the slugs no product has; drafts count as known, so that keys can be made before the launch. */
export async function unknownSlugs(scope: Scope, slugs: string[]): Promise<string[]> {
  const known = await many(scope, sql<{ slug: string }>`select slug from products where slug = any(${slugs})`)
  return slugs.filter((slug) => !known.some((product) => product.slug === slug))
}

/** Keeps what an administrator has changed since: a seeded product is never overwritten. */
export async function addMissingProduct(platform: PlatformScope, product: Product): Promise<void> {
  const { id, slug, name, tagline, description, type, status, statusLabel, isFeatured, features, plans, createdAt } =
    product
  await run(
    platform,
    sql`insert into products (id, slug, name, tagline, description, type, status, status_label, is_featured, features, plans, created_at, updated_at)
      values (${id}, ${slug}, ${name}, ${tagline}, ${description}, ${type}, ${status}, ${statusLabel}, ${isFeatured},
        ${JSON.stringify(features)}::jsonb, ${JSON.stringify(plans)}::jsonb, ${createdAt}, ${createdAt})
      on conflict (slug) do nothing`,
  )
}
