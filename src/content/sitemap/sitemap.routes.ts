import { open } from '../../http/access/access.ts'
import { raw } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { robotsOf, siteOf } from './sitemap.rules.ts'
import type { Sitemaps } from './sitemap.service.ts'

const xml = 'application/xml; charset=utf-8'
const text = 'text/plain; charset=utf-8'

// Not `page`: it is no page of a list that takes a limit.
const Part = Type.Integer({ minimum: 1, maximum: 50_000, description: 'A file of the index.', examples: [1] })

/** @param publicUrl of the site. An answer cannot depend on who asks, so the `Host` of a request is no substitute. */
export function sitemapRoutes({ sitemaps, publicUrl }: { sitemaps: Sitemaps; publicUrl: string | null }): Route[] {
  const site = publicUrl === null ? null : siteOf(publicUrl)
  const asset = { method: 'GET', tag: 'Content', access: open('for search engines') } as const
  return [
    route({
      ...asset,
      path: '/sitemap.xml',
      name: 'sitemap',
      summary: 'Get the addresses of all public pages',
      description: 'With many pages an index of several files: each is this address with its `part`.',
      query: StrictObject({ part: Type.Optional(Part) }),
      answers: { 200: { rawTypes: [xml], description: 'A sitemap or a sitemap index (sitemaps.org).' } },
      refusals: ['NOT_CONFIGURED', 'NOT_FOUND'],
      cache: { maxAgeSeconds: 0 },
      handle: async ({ platform, query: { part } }) => {
        if (site === null)
          throw new Refusal('NOT_CONFIGURED', {
            detail: 'A sitemap holds whole addresses, and PUBLIC_URL, with which they begin, is not set.',
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
      summary: 'Get what search engines may read',
      answers: { 200: { rawTypes: [text], description: 'Robots Exclusion Protocol (RFC 9309).' } },
      cache: { maxAgeSeconds: 0 },
      handle: async () => raw(text, robotsOf(site)),
    }),
  ]
}
