import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'

/** The current slug of the public product that once had this slug, or null. Call it when no product has the slug. */
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

/** Those of the slugs that belong to a draft or redirect to one. */
export async function listDraftSlugs(platform: Scope, slugs: string[]): Promise<string[]> {
  const found = await many(
    platform,
    sql<{ slug: string }>`select slug from products where slug = any(${slugs}) and status = 'DRAFT'
      union select product_redirects.slug from product_redirects join products on products.id = product_redirects.product_id
      where product_redirects.slug = any(${slugs}) and products.status = 'DRAFT'`,
  )
  return found.map(({ slug }) => slug)
}

/** All former slugs with the current slug of their product, sorted. */
export function listRedirects(platform: Scope): Promise<{ slug: string; leadsTo: string }[]> {
  return many(
    platform,
    sql<{ slug: string; leadsTo: string }>`select product_redirects.slug, products.slug as "leadsTo"
      from product_redirects join products on products.id = product_redirects.product_id
      order by product_redirects.slug collate "C"`,
  )
}

/** Replaces a redirect that the slug has already. */
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

/** Call it after a product has taken the slug, so that it sees a concurrent rename. */
export async function removeRedirect(tx: Scope, slug: string): Promise<void> {
  await run(tx, sql`delete from product_redirects where slug = ${slug}`)
}
