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
import { productSlugsIn } from '../sections/section.rules.ts'
import { copyOf, isPageSlug, type Page } from './page.rules.ts'
import {
  MovedPage,
  PublicListQuery,
  type PublicPage,
  PublicPageDetail,
  PublicPageList,
  PublicPageQuery,
} from './page.schema.ts'
import { findPageBySlug, findRedirect, listPublicPages, type PublicLineRow } from './page.store.ts'

/** Public products by slug, as the catalog shows them; those that are not public are absent. */
export type PublicProducts = (platform: PlatformScope, slugs: string[]) => Promise<Map<string, object>>

export type PageReadingDeps = {
  clock: Clock
  recordVisit: RecordVisit
  previews: PreviewTokens
  products: PublicProducts | undefined
}

/** More than any page shows to a person; what a section names beyond is not looked up. */
const productsMax = 100

export function pageRoutes(deps: PageReadingDeps): Route[] {
  return [listing(), reading(deps)]
}

function listing(): Route {
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
      return ok({ pages: items.map(lineOf), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function reading({ clock, recordVisit, previews, products }: PageReadingDeps): Route {
  return route({
    method: 'GET',
    path: '/cms/pages/:slug',
    wildcard: true,
    name: 'getPublicPage',
    tag: 'Content',
    summary: 'Get a page',
    description:
      'The `/` in a slug may be sent as it is or as `%2F`. A slug that the page had before answers 301. With a valid ' +
      '`preview` the draft is shown, whatever the status, to no cache and no search engine, and is not counted as a view.',
    access: open('pages are public'),
    params: { slug: Type.String({ description: 'The page’s slug.', examples: ['home'] }) },
    query: PublicPageQuery,
    answers: { 200: PublicPageDetail, 301: MovedPage },
    cache: { maxAgeSeconds: 0, uncachedParams: ['preview'] },
    handle: async ({ platform, params: { slug }, query: { resolve, preview } }) => {
      if (!isPageSlug(slug)) throw notFound()
      const found = await findPageBySlug(platform, slug)
      const withProducts = async (view: PublicPage): Promise<PublicPage> =>
        resolve === undefined || products === undefined ? view : resolved(platform, view, products)
      if (found !== null && previews.isValid(preview, found.id, clock.now()))
        return { ...ok({ page: await withProducts(viewOf({ ...found, ...found.draft })) }), headers: previewHeaders }
      if (found === null || found.status !== 'PUBLISHED') return moved(platform, slug)
      const page = await withProducts(viewOf(found))
      return { ...ok({ page }), onServed: (visit) => recordVisit({ type: 'page.view', pageSlug: slug }, visit) }
    },
  })
}

async function moved(platform: PlatformScope, slug: string) {
  const movedTo = await findRedirect(platform, slug)
  if (movedTo === null) throw notFound()
  return { status: 301 as const, body: { movedTo }, headers: { location: `/cms/pages/${movedTo}` } }
}

async function resolved(platform: PlatformScope, view: PublicPage, products: PublicProducts): Promise<PublicPage> {
  const slugs = productSlugsIn(view.sections).slice(0, productsMax)
  return { ...view, products: Object.fromEntries(await products(platform, slugs)) }
}

function viewOf(page: Page): PublicPage {
  return {
    ...copyOf(page),
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

function lineOf({ publishedAt, updatedAt, ...line }: PublicLineRow) {
  return { ...line, publishedAt: isoOrNull(publishedAt), updatedAt: updatedAt.toISOString() }
}
