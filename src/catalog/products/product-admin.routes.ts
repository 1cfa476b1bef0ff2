import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { filterRules, parseFilter } from './product.routes.ts'
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

function readRoutes(parts: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/products',
      name: 'listAllProducts',
      tag,
      summary: 'List all products, including drafts',
      description: 'Featured products come first, then by `sortOrder` and name.',
      access: admin('VIEWER'),
      query: ProductQuery,
      answers: { 200: ProductList },
      rules: ({ query }) => filterRules(query),
      handle: async ({ platform, query: { page = 1, limit = 20, ...filter } }) => {
        const { items, total } = await listProducts(platform, parseFilter(filter, { withDrafts: true }), {
          page,
          limit,
        })
        const products = await parts.views(platform, items, 'ADMIN')
        return ok({ products, pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/products/:productId',
      name: 'getProductById',
      tag,
      summary: 'Get a product, including a draft',
      access: admin('VIEWER'),
      answers: { 200: ProductDetail },
      handle: async ({ platform, params }) => {
        const product = await getProduct(platform, params.productId)
        return withETag(ok(await productDetail(parts, platform, product)), product)
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
      summary: 'Create a product',
      description: 'A DRAFT unless `status` says otherwise. Only administrators see drafts.',
      access: admin('EDITOR'),
      body: NewProduct,
      answers: { 201: ProductDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
      idempotent: true,
      rules: ({ platform, body }) => products.rules(platform, body),
      handle: async ({ platform, body }) => {
        const product = await products.create(platform, body)
        return withETag(
          created(`/admin/products/${product.id}`, await productDetail(parts, platform, product)),
          product,
        )
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/products/:productId',
      name: 'updateProduct',
      tag,
      summary: 'Update a product',
      description:
        'Absent members keep their value and null clears one, also within `links` and `seo`. `status` moves forward freely, and back from BETA to COMING_SOON, from LIVE to BETA, and from DEPRECATED to BETA or LIVE. Other moves back need `force`. A new `slug` leaves a redirect from the old one.',
      access: admin('EDITOR'),
      body: ProductChange,
      answers: { 200: ProductDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT'],
      conditional: true,
      rules: ({ platform, body }) => products.rules(platform, body),
      handle: async ({ platform, params, body, headers }) => {
        const change = { sent: body, ifMatch: headers['if-match'] }
        const product = await products.update(platform, params.productId, change)
        return withETag(ok(await productDetail(parts, platform, product)), product)
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
      summary: 'Delete a product with everything that belongs to it',
      description: 'Refused for a product that API keys or licenses may name, and for built-in products.',
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
      summary: 'Create a preview link to a product, including a draft',
      description:
        'The link works for anyone who has it, for an hour unless `expiresInSeconds` says otherwise. Reads through it are not counted.',
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
