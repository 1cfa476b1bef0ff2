import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'

/**
 * The slug that a product has now which once had this one; null where there is none to be seen. A draft's is not told.
 * To be asked when no product has the slug.
 */
export async function findRedirect(platform: Scope, slug: string): Promise<string | null> {
  const found = await maybeOne(
    platform,
    sql<{
      slug: string
    }>`select products.slug from product_redirects join products on products.id = product_redirects.product_id
      where product_redirects.slug = ${slug} and products.status <> 'DRAFT'`,
  )
  return found?.slug ?? null
}

/** Those of the slugs that are a draft's now, or lead to one. What nobody has is not among them. */
export async function listDraftSlugs(platform: Scope, slugs: string[]): Promise<string[]> {
  const found = await many(
    platform,
    sql<{ slug: string }>`select slug from products where slug = any(${slugs}) and status = 'DRAFT'
      union select product_redirects.slug from product_redirects join products on products.id = product_redirects.product_id
      where product_redirects.slug = any(${slugs}) and products.status = 'DRAFT'`,
  )
  return found.map(({ slug }) => slug)
}

/** All slugs that lead to a product which has another one now, in the order of the slugs. */
export function listRedirects(platform: Scope): Promise<{ slug: string; leadsTo: string }[]> {
  return many(
    platform,
    sql<{ slug: string; leadsTo: string }>`select product_redirects.slug, products.slug as "leadsTo"
      from product_redirects join products on products.id = product_redirects.product_id
      order by product_redirects.slug collate "C"`,
  )
}

/** From now on the slug leads to the product, wherever it led before. */
export async function addRedirect(
  tx: Scope,
  { slug, productId, now }: { slug: string; productId: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into product_redirects (slug, product_id, created_at) values (${slug}, ${productId}, ${now})
      on conflict (slug) do update set product_id = excluded.product_id, created_at = excluded.created_at`,
  )
}

/** A product has taken the slug. To be called after it has: a rename at the same moment is then seen. */
export async function removeRedirect(tx: Scope, slug: string): Promise<void> {
  await run(tx, sql`delete from product_redirects where slug = ${slug}`)
}
