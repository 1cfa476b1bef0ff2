import type { MediaLibrary } from '../content/index.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { productRoutes, viewOf } from './products/product.routes.ts'
import type { ProductAnswer } from './products/product.schema.ts'
import { seededProducts } from './products/product.seed.ts'
import { addMissingProduct, listPublicProducts, productExists, unknownSlugs } from './products/product.store.ts'

export type PublicProduct = ProductAnswer

export type Catalog = {
  routes: Route[]
  unknownProducts: typeof unknownSlugs
  productExists(platform: PlatformScope, productId: string): Promise<boolean>
  /** The public products, featured ones first: what the home page shows. */
  publicProducts(platform: PlatformScope): Promise<PublicProduct[]>
  /** Seeds the products of the specification where they are missing. */
  prepare(): Promise<void>
}

export type CatalogDeps = {
  platform: PlatformScope
  clock: Clock
  audit: Audit
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  media: MediaLibrary
}

export function catalog({ platform, clock, recordVisit }: CatalogDeps): Catalog {
  return {
    routes: productRoutes({ recordVisit }),
    unknownProducts: unknownSlugs,
    productExists,
    publicProducts: async (scope) =>
      (await listPublicProducts(scope, { page: 1, limit: 100, type: null })).items.map(viewOf),
    prepare: async () => {
      const startMs = clock.now().getTime()
      for (const [index, product] of seededProducts.entries()) {
        const createdAt = new Date(startMs - index) // lists are newest first: the order of the seeds is the order shown
        await addMissingProduct(platform, { ...product, id: newId(createdAt), createdAt, updatedAt: createdAt })
      }
    },
  }
}
