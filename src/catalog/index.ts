import type { MediaLibrary } from '../content/index.ts'
import type { Route } from '../http/route.ts'
import type { Audit, InspectLicense } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../storage/scope.ts'
import { documentation } from './documentation.ts'
import { productRoutes, viewOf } from './products/product.routes.ts'
import type { ProductAnswer } from './products/product.schema.ts'
import { seededProducts } from './products/product.seed.ts'
import { addMissingProduct, listPublicProducts, unknownSlugs } from './products/product.store.ts'
import { findPublicParent } from './products/public-parent.store.ts'

export type PublicProduct = ProductAnswer

export type Catalog = {
  routes: Route[]
  unknownProducts: typeof unknownSlugs
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
  inspectLicense: InspectLicense
}

export function catalog({ platform, ...deps }: CatalogDeps): Catalog {
  const { clock } = deps
  const texts = documentation({ ...deps, resolveSlug: findPublicParent })
  return {
    routes: [...productRoutes(), ...texts.routes],
    unknownProducts: unknownSlugs,
    publicProducts: async (scope) =>
      (await listPublicProducts(scope, { page: 1, limit: 100, type: null })).items.map(viewOf),
    prepare: async () => {
      const startMs = clock.now().getTime()
      for (const [index, product] of seededProducts.entries()) {
        const createdAt = new Date(startMs - index) // lists are newest first: the order of the seeds is the order shown
        const id = newId(createdAt)
        await transaction(platform, async (tx) => {
          await addMissingProduct(tx, { ...product, id, createdAt, updatedAt: createdAt })
          const made = await findPublicParent(tx, product.slug)
          if (made?.id === id) await texts.seedDocs(tx, { productId: id, slug: product.slug, now: createdAt })
        })
      }
    },
  }
}
