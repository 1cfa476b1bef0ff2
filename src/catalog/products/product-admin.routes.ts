import { admin } from '../../http/access/access.ts'
import { type Answer, created, noContent, ok, secret } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { parseFilter } from './product.routes.ts'
import type { Product } from './product.rules.ts'
import { type ProductAnswer, ProductDetail, ProductList, ProductQuery } from './product.schema.ts'
import type { Products } from './product.service.ts'
import { getProduct, listProducts } from './product.store.ts'
import type { ProductViews } from './product.view.ts'
import { NewProduct, PreviewLink, PreviewRequest, ProductChange } from './product-admin.schema.ts'

type Deps = { products: Products; views: ProductViews }

const tag = 'Catalog administration'

export function productAdminRoutes(parts: Deps): Route[] {
  return [...readRoutes(parts), ...writeRoutes(parts), ...otherRoutes(parts)]
}

async function productDetail({ views }: Deps, platform: PlatformScope, product: Product) {
  const [shown] = (await views(platform, [product], 'ADMIN')) as [ProductAnswer]
  return { product: shown }
}

/** With the tag that `If-Match` takes. */
function tagged<A extends Answer>(answer: A, product: Product): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(product) } }
}

function readRoutes(parts: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/products',
      name: 'listAllProducts',
      tag,
      summary: 'List the products, drafts too',
      description: 'Featured ones first, then by `sortOrder` and name.',
      access: admin('VIEWER'),
      query: ProductQuery,
      answers: { 200: ProductList },
      handle: async ({ platform, query: { page = 1, limit = 20, ...asked } }) => {
        const { items, total } = await listProducts(platform, parseFilter(asked, { withDrafts: true }), { page, limit })
        const products = await parts.views(platform, items, 'ADMIN')
        return ok({ products, pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/products/:productId',
      name: 'getProductById',
      tag,
      summary: 'Get a product, a draft too',
      access: admin('VIEWER'),
      answers: { 200: ProductDetail },
      handle: async ({ platform, params }) => {
        const product = await getProduct(platform, params.productId)
        return tagged(ok(await productDetail(parts, platform, product)), product)
      },
    }),
  ]
}

function writeRoutes(parts: Deps): Route[] {
  const { products } = parts
  return [
    route({
      method: 'POST',
      path: '/admin/products',
      name: 'createProduct',
      tag,
      summary: 'Add a product',
      description: 'A DRAFT unless `status` says otherwise: nobody but administrators sees it then.',
      access: admin('EDITOR'),
      body: NewProduct,
      answers: { 201: ProductDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ platform, body }) => {
        const product = await products.create(platform, body)
        return tagged(created(`/admin/products/${product.id}`, await productDetail(parts, platform, product)), product)
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/products/:productId',
      name: 'updateProduct',
      tag,
      summary: 'Change a product',
      description:
        'What is absent is kept, null clears; so it is within `links` and `seo`. `status` goes forward freely, from BETA to COMING_SOON, from LIVE to BETA, and from DEPRECATED to BETA or LIVE; other moves back take `force`. Another `slug` leaves a redirect.',
      access: admin('EDITOR'),
      body: ProductChange,
      answers: { 200: ProductDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
      conditional: true,
      handle: async ({ platform, params, body, headers }) => {
        const change = { sent: body, ifMatch: headers['if-match'] }
        const product = await products.update(platform, params.productId, change)
        return tagged(ok(await productDetail(parts, platform, product)), product)
      },
    }),
  ]
}

function otherRoutes({ products }: Deps): Route[] {
  return [
    route({
      method: 'DELETE',
      path: '/admin/products/:productId',
      name: 'deleteProduct',
      tag,
      summary: 'Remove a product with all that belongs to it',
      description: 'Refused for one that API keys or licenses may name, and for the products of this program.',
      access: admin('EDITOR'),
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      conditional: true,
      handle: async ({ platform, params, headers }) => {
        await products.remove(platform, params.productId, headers['if-match'])
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: '/admin/products/:productId/preview-link',
      name: 'createProductPreviewLink',
      tag,
      summary: 'Make a link that shows a product as it is, a draft too',
      description: 'Good for an hour unless said, for whoever has it. Reads with it are not counted.',
      access: admin('EDITOR'),
      body: PreviewRequest,
      answers: { 200: PreviewLink },
      handle: async ({ platform, params, body: { expiresInSeconds = 3600 } }) => {
        const { url, expiresAt } = await products.previewLink(platform, params.productId, expiresInSeconds)
        return secret(ok({ url, expiresAt: expiresAt.toISOString() }))
      },
    }),
  ]
}
