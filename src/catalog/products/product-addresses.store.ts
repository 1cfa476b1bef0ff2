import type { SitemapSource } from '../../content/index.ts'
import { many, sql } from '../../storage/query.ts'

const folder = '/products/'

/** The pages of the public products, for the sitemap, without those marked `noindex`. */
export const productAddresses: SitemapSource = (platform, { after, limit }) => {
  const last = after === null ? null : after.slice(folder.length)
  return many(
    platform,
    sql<{
      path: string
      lastModified: Date
    }>`select ${folder} || slug as path, updated_at as "lastModified" from products
      where status <> 'DRAFT' and seo->'noindex' is distinct from 'true'::jsonb
        and (${last}::text is null or slug > ${last}) order by slug limit ${limit}`,
  )
}
