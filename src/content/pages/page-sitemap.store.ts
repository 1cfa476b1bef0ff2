import { many, sql } from '../../storage/query.ts'
import type { SitemapSource } from '../sitemap/sitemap.service.ts'

/** The public pages for the sitemap, without those marked `noindex`. */
export const pageAddresses: SitemapSource = (platform, { after, limit }) => {
  const last = after === null ? null : after.slice(1)
  return many(
    platform,
    sql<{
      path: string
      lastModified: Date
    }>`select '/' || slug as path, public_updated_at as "lastModified" from content_pages
      where status = 'PUBLISHED' and meta->'noindex' is distinct from 'true'::jsonb
        and (${last}::text is null or slug > ${last}) order by slug limit ${limit}`,
  )
}
