import type { RecordVisit } from '../../analytics/index.ts'
import { open } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type PreviewTokens, previewHeaders } from '../../http/preview.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { findProductSlugs } from '../sections/section.rules.ts'
import { isPageSlug, type Page, pageCopy } from './page.rules.ts'
import {
  MovedPage,
  PublicListQuery,
  type PublicPage,
  PublicPageDetail,
  PublicPageList,
  PublicPageQuery,
} from './page.schema.ts'
import { findPageBySlug, findRedirect, listPublicPages, type PublicLineRow } from './page.store.ts'

/** Public products by slug, as the catalog shows them; others are left out. */
export type PublicProducts = (platform: PlatformScope, slugs: string[]) => Promise<Map<string, object>>

export type PageReadingDeps = {
  clock: Clock
  recordVisit: RecordVisit
  previews: PreviewTokens
  products: PublicProducts | undefined
}

/** More than a page can sensibly show; further products are not looked up. */
const productsMax = 100

export function pageRoutes(deps: PageReadingDeps): Route[] {
  return [listRoute(), getRoute(deps)]
}

function listRoute(): Route {
  return route({
    method: 'GET',
    path: '/cms/pages',
    name: 'listPublicPages',
    tag: 'Content',
    summary: 'List the public pages',
    access: open('pages are public'),
    query: PublicListQuery,
    answers: { 200: PublicPageList },
    cache: { maxAgeSeconds: 0 },
    handle: async ({ platform, query: { page = 1, limit = 20, full = false } }) => {
      const { items, total } = await listPublicPages(platform, { page, limit, isFull: full })
      return ok({ pages: items.map(publicPageLine), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function getRoute({ clock, recordVisit, previews, products }: PageReadingDeps): Route {
  return route({
    method: 'GET',
    path: '/cms/pages/:slug',
    wildcard: true,
    name: 'getPublicPage',
    tag: 'Content',
    summary: 'Get a page',
    description:
      'Send the `/` in a slug as it is or as `%2F`. A former slug of the page answers 301. With a valid ' +
      '`preview` the draft is shown, whatever the status, to no cache and no search engine, and is not counted as a view.',
    access: open('pages are public'),
    params: { slug: Type.String({ description: 'The page’s slug.', examples: ['home'] }) },
    query: PublicPageQuery,
    answers: { 200: PublicPageDetail, 301: MovedPage },
    cache: { maxAgeSeconds: 0, uncachedParams: ['preview'] },
    handle: async ({ platform, params: { slug }, query: { resolve, preview } }) => {
      if (!isPageSlug(slug)) throw notFound()
      const found = await findPageBySlug(platform, slug)
      const resolveProducts = async (view: PublicPage): Promise<PublicPage> =>
        resolve === undefined || products === undefined ? view : withProducts(platform, view, products)
      if (found !== null && previews.isValid(preview, found.id, clock.now()))
        return {
          ...ok({ page: await resolveProducts(publicPageView({ ...found, ...found.draft })) }),
          headers: previewHeaders,
        }
      if (found === null || found.status !== 'PUBLISHED') return redirectAnswer(platform, slug)
      const page = await resolveProducts(publicPageView(found))
      return { ...ok({ page }), onServed: (visit) => recordVisit({ type: 'page.view', pageSlug: slug }, visit) }
    },
  })
}

async function redirectAnswer(platform: PlatformScope, slug: string) {
  const movedTo = await findRedirect(platform, slug)
  if (movedTo === null) throw notFound()
  return { status: 301 as const, body: { movedTo }, headers: { location: `/cms/pages/${movedTo}` } }
}

async function withProducts(platform: PlatformScope, view: PublicPage, products: PublicProducts): Promise<PublicPage> {
  const slugs = findProductSlugs(view.sections).slice(0, productsMax)
  return { ...view, products: Object.fromEntries(await products(platform, slugs)) }
}

function publicPageView(page: Page): PublicPage {
  return {
    ...pageCopy(page),
    id: page.id,
    slug: page.slug,
    status: page.status,
    publishAt: null,
    publishedAt: isoOrNull(page.publishedAt),
    revision: page.publicRevision,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.publicUpdatedAt.toISOString(),
  }
}

function publicPageLine({ publishedAt, updatedAt, ...line }: PublicLineRow) {
  return { ...line, publishedAt: isoOrNull(publishedAt), updatedAt: updatedAt.toISOString() }
}
