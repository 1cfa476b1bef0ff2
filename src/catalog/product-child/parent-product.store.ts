import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** What the children of a product need to know of it. */
export type ParentProduct = { id: string; slug: string; name: string; tagline: string; status: string }

const columns = sql`id, slug, name, tagline, status`

/** Never a draft. */
export function findPublicProduct(platform: PlatformScope, slug: string): Promise<ParentProduct | null> {
  return maybeOne(
    platform,
    sql<ParentProduct>`select ${columns} from products where slug = ${slug} and status <> 'DRAFT'`,
  )
}

export function listPublicProducts(platform: PlatformScope): Promise<ParentProduct[]> {
  return many(
    platform,
    sql<ParentProduct>`select ${columns} from products where status <> 'DRAFT' order by is_featured desc, sort_order, name, id`,
  )
}

/** Locks the product until the transaction ends. Finds drafts too. */
export function lockParentProduct(tx: PlatformScope, id: string): Promise<ParentProduct | null> {
  return maybeOne(tx, sql<ParentProduct>`select ${columns} from products where id = ${id} for update`)
}

/** Finds drafts too. */
export async function productExists(platform: PlatformScope, id: string): Promise<boolean> {
  return (await maybeOne(platform, sql`select 1 from products where id = ${id}`)) !== null
}

/** Counts the product's revision: every change of a child does. */
export async function touchProduct(tx: PlatformScope, productId: string, now: Date): Promise<void> {
  await run(tx, sql`update products set revision = revision + 1, updated_at = ${now} where id = ${productId}`)
}
