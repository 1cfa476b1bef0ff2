import { maybe, run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'

/**
 * The slug that a product has now which once had this one; null where there is none to be seen. A draft's is not told.
 * To be asked when no product has the slug.
 */
export async function redirectOf(platform: Scope, slug: string): Promise<string | null> {
  const found = await maybe(
    platform,
    sql<{
      slug: string
    }>`select products.slug from product_redirects join products on products.id = product_redirects.product_id
      where product_redirects.slug = ${slug} and products.status <> 'DRAFT'`,
  )
  return found?.slug ?? null
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
