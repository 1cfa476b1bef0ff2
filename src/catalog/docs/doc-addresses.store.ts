import type { SitemapSource } from '../../content/index.ts'
import { many, sql } from '../../storage/query.ts'

/** The published docs of public products, for the sitemap, without those marked `noindex`. */
export const docAddresses: SitemapSource = (platform, { after, limit }) => {
  const [, , product = null, , doc = null] = after?.split('/') ?? []
  return many(
    platform,
    sql<{
      path: string
      lastModified: Date
    }>`select '/products/' || products.slug || '/docs/' || product_docs.slug as path, product_docs.updated_at as "lastModified"
      from product_docs join products on products.id = product_docs.product_id
      where products.status <> 'DRAFT' and product_docs.status = 'PUBLISHED'
        and product_docs.seo->'noindex' is distinct from 'true'::jsonb
        and (${product}::text is null or (products.slug, product_docs.slug) > (${product}::text, ${doc}::text))
      order by products.slug, product_docs.slug limit ${limit}`,
  )
}
