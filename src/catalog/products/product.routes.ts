import type { RecordVisit } from '../../analytics/index.ts'
import { open } from '../../http/access/access.ts'
import { type Answer, movedPermanently, ok } from '../../http/answer.ts'
import { mount, v1Mount } from '../../http/mounts.ts'
import { type PreviewTokens, previewHeaders } from '../../http/preview.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Product } from './product.rules.ts'
import { PreviewQuery, type ProductAnswer, ProductDetail, ProductList, ProductQuery } from './product.schema.ts'
import { findProductBySlug, listProducts, type ProductFilter } from './product.store.ts'
import type { ProductViews } from './product.view.ts'
import { findRedirect } from './product-redirect.store.ts'
import { parseStatus, parseType, parseWordList } from './product-vocabulary.rules.ts'

export type PublicProductDeps = {
  clock: Clock
  views: ProductViews
  previews: PreviewTokens
  recordVisit: RecordVisit
}

/** The public catalog, under `/products` and under `/v1/products`. */
export function productRoutes(deps: PublicProductDeps): Route[] {
  const routes = [listRoute(deps), getRoute(deps)]
  return [...routes, ...mount(routes, [v1Mount()])]
}

function listRoute({ views }: PublicProductDeps): Route {
  return route({
    method: 'GET',
    path: '/products',
    name: 'listProducts',
    tag: 'Products',
    summary: 'List the public products',
    description: 'Featured products come first, then by `sortOrder` and name.',
    access: open('the catalog is public'),
    query: ProductQuery,
    answers: { 200: ProductList },
    cache: { maxAgeSeconds: 0, uncachedParams: ['q'] },
    rules: ({ query }) => filterRules(query),
    handle: async ({ platform, query: { page = 1, limit = 20, ...filter } }) => {
      const { items, total } = await listProducts(platform, parseFilter(filter, { withDrafts: false }), { page, limit })
      const products = await views(platform, items, 'PUBLIC')
      return ok({ products, pagination: toPagination({ page, limit }, total) })
    },
  })
}

function getRoute({ clock, views, previews, recordVisit }: PublicProductDeps): Route {
  return route({
    method: 'GET',
    path: '/products/:slug',
    name: 'getProduct',
    tag: 'Products',
    summary: 'Get a product',
    description:
      'A former slug redirects to the current one. A DEPRECATED product says so in the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` with `rel="successor-version"`.',
    access: open('the catalog is public'),
    params: { slug: Type.String({ description: 'The product’s slug.', examples: ['vault-vpn'] }) },
    query: PreviewQuery,
    answers: { 200: ProductDetail, 301: null },
    cache: { maxAgeSeconds: 0, uncachedParams: ['preview'] },
    handle: async ({ platform, params, query }) => {
      const product = await findProductBySlug(platform, params.slug)
      const isPreview = product !== null && previews.isValid(query.preview, product.id, clock.now())
      if (product === null || (product.status === 'DRAFT' && !isPreview))
        return redirectOrNotFound(platform, params.slug)
      const [shown] = (await views(platform, [product], 'PUBLIC')) as [ProductAnswer]
      const headers = lifecycleHeaders(product)
      if (isPreview) return { ...ok({ product: shown }), headers: { ...headers, ...previewHeaders } }
      const { id: productId, slug: productSlug } = product
      return {
        ...ok({ product: shown }),
        headers,
        onServed: (visit) => recordVisit({ type: 'product.view', productId, productSlug }, visit),
      }
    },
  })
}

async function redirectOrNotFound(platform: PlatformScope, slug: string): Promise<Answer<301, null>> {
  const newSlug = await findRedirect(platform, slug)
  if (newSlug === null) throw notFound()
  return movedPermanently(newSlug) // relative: right under `/v1` too
}

/** Headers by RFC 9745 section 2, RFC 8594 section 3 and RFC 5829 section 3.3. */
function lifecycleHeaders({ status, deprecatedAt, sunsetAt, publicReplacedBy }: Product): Record<string, string> {
  if (status !== 'DEPRECATED') return {}
  return {
    ...(deprecatedAt ? { deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}` } : {}),
    ...(sunsetAt ? { sunset: sunsetAt.toUTCString() } : {}),
    ...(publicReplacedBy ? { link: `</products/${publicReplacedBy}>; rel="successor-version"` } : {}),
  }
}

export function filterRules({ type, status }: { type?: string | undefined; status?: string | undefined }): FieldRule[] {
  return [
    ruleFor(type, (words) => parseWordList(words, '/query/type', parseType)),
    ruleFor(status, (words) => parseWordList(words, '/query/status', parseStatus)),
  ]
}

/** Refuses VALIDATION_ERROR for an unknown type or status. */
export function parseFilter(
  filter: { type?: string; status?: string; featured?: boolean; q?: string },
  { withDrafts }: { withDrafts: boolean },
): ProductFilter {
  return {
    types: filter.type === undefined ? undefined : parseWordList(filter.type, '/query/type', parseType),
    statuses: filter.status === undefined ? undefined : parseWordList(filter.status, '/query/status', parseStatus),
    featured: filter.featured,
    q: filter.q,
    withDrafts,
  }
}
