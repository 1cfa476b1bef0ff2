import { open } from '../../http/access/access.ts'
import { raw } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { siteBase } from '../../kernel/site-base.ts'
import { Type } from '../../kernel/type.ts'
import { renderRobots } from './sitemap.rules.ts'
import type { Sitemaps } from './sitemap.service.ts'

const xml = 'application/xml; charset=utf-8'
const text = 'text/plain; charset=utf-8'

// Not `page`, because it does not work with `limit`.
const Part = Type.Integer({
  minimum: 1,
  maximum: 50_000,
  description: 'The number of a file in the index.',
  examples: [1],
})

/** @param publicUrl of the site. The `Host` of a request cannot replace it, because answers must not depend on the caller. */
export function sitemapRoutes({ sitemaps, publicUrl }: { sitemaps: Sitemaps; publicUrl: string | null }): Route[] {
  const site = publicUrl === null ? null : siteBase(publicUrl)
  const asset = { method: 'GET', tag: 'Content', access: open('for search engines') } as const
  return [
    route({
      ...asset,
      path: '/sitemap.xml',
      name: 'sitemap',
      summary: 'Get the addresses of all public pages',
      description: 'With many pages the answer is an index of several files: each has this address with a `part`.',
      query: StrictObject({ part: Type.Optional(Part) }),
      answers: { 200: { rawTypes: [xml], description: 'A sitemap or a sitemap index (sitemaps.org).' } },
      refusals: ['NOT_FOUND'],
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform, query: { part } }) => {
        // Search engines retry a 503, and forget an address that is a 404.
        if (site === null)
          throw new Refusal('NOT_FOUND', {
            detail: 'This installation has no sitemap: it needs the address of the site in PUBLIC_URL.',
          })
        return raw(
          xml,
          await (part === undefined ? sitemaps.whole(platform, site) : sitemaps.file(platform, site, part)),
        )
      },
    }),
    route({
      ...asset,
      path: '/robots.txt',
      name: 'robots',
      summary: 'Get the robots.txt for search engines',
      answers: { 200: { rawTypes: [text], description: 'Robots Exclusion Protocol (RFC 9309).' } },
      cache: { maxAgeSeconds: 0 },
      handle: async () => raw(text, renderRobots(site)),
    }),
  ]
}
