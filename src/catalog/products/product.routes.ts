import { open } from '../../http/access.ts'
import { ok } from '../../http/answer.ts'
import { at, type Route, route } from '../../http/route.ts'
import { paginationOf } from '../../kernel/paging.ts'
import { faulty, notFound } from '../../kernel/refusal.ts'
import { Type } from '../../kernel/type.ts'
import type { RecordVisit } from '../../kernel/visit.ts'
import { type ProductAnswer, ProductDetail, ProductList, ProductQuery, productTypes } from './product.schema.ts'
import { findPublicProduct, listPublicProducts, type Product } from './product.store.ts'

const slugParam = { slug: Type.String({ description: 'The product’s slug.', examples: ['vault-vpn'] }) }

export function productRoutes({ recordVisit }: { recordVisit: RecordVisit }): Route[] {
  const list = route({
    method: 'GET',
    path: '/products',
    name: 'listProducts',
    tag: 'Products',
    summary: 'List the public products',
    access: open('the catalog is public'),
    query: ProductQuery,
    answers: { 200: ProductList },
    publicRead: { maxAgeSeconds: 0 },
    handle: async ({ platform, query: { page = 1, limit = 20, type } }) => {
      const { items, total } = await listPublicProducts(platform, {
        page,
        limit,
        type: type === undefined ? null : readType(type),
      })
      return ok({ products: items.map(viewOf), pagination: paginationOf({ page, limit }, total) })
    },
  })
  const get = route({
    method: 'GET',
    path: '/products/:slug',
    name: 'getProduct',
    tag: 'Products',
    summary: 'Get a product',
    access: open('the catalog is public'),
    params: slugParam,
    answers: { 200: ProductDetail },
    publicRead: { maxAgeSeconds: 0 },
    handle: async ({ platform, params }) => {
      const product = await findPublicProduct(platform, params.slug)
      if (product === null) throw notFound()
      const { id: productId, slug: productSlug } = product
      return {
        ...ok({ product: viewOf(product) }),
        onServed: (visit) => recordVisit({ type: 'product.view', productId, productSlug }, visit),
      }
    },
  })
  return [
    list,
    get,
    at(list, { path: '/v1/products', name: 'listProductsV1' }),
    at(get, { path: '/v1/products/:slug', name: 'getProductV1' }),
  ]
}

/** A product as the catalog shows it. */
export function viewOf(product: Product): ProductAnswer {
  const { createdAt, updatedAt, ...rest } = product
  return {
    ...rest,
    downloads: [],
    versions: [],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function readType(text: string): string {
  const type = productTypes.find((known) => known === text.toUpperCase())
  if (type !== undefined) return type
  throw faulty('/query/type', { code: 'enum', message: `must be one of ${productTypes.join(', ')}` })
}
