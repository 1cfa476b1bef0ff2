import type { MediaLibrary, SitemapSource } from '../content/index.ts'
import type { Route } from '../http/route.ts'
import type { Audit, InspectLicense } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { documentation } from './documentation.ts'
import { featureRoutes } from './features/feature.routes.ts'
import { planRoutes } from './plans/plan.routes.ts'
import { usesKeeper } from './product-media/media-uses.service.ts'
import { productMediaRoutes } from './product-media/product-media.routes.ts'
import { previewTokens } from './products/preview.ts'
import { productRoutes } from './products/product.routes.ts'
import type { Product } from './products/product.rules.ts'
import { seededProducts } from './products/product.seed.ts'
import { type IsProductInUse, productService } from './products/product.service.ts'
import { listProducts, listPublicBySlug, unknownSlugs } from './products/product.store.ts'
import { productViews } from './products/product.view.ts'
import { productAddresses } from './products/product-addresses.store.ts'
import { productAdminRoutes } from './products/product-admin.routes.ts'
import { redirectOf } from './products/product-redirect.store.ts'
import { renderDescriptions, seedProduct } from './products/product-seed.service.ts'
import { findPublicParent } from './products/public-parent.store.ts'

export type PublicProduct = Pick<Product, 'slug' | 'name' | 'tagline' | 'type' | 'status'>

export type Catalog = {
  routes: Route[]
  unknownProducts: typeof unknownSlugs
  /** Public products as the catalog shows them; others are absent. */
  bySlug(platform: PlatformScope, slugs: string[]): Promise<Map<string, object>>
  /** The public pages of the catalog. */
  sitemapSources: SitemapSource[]
  /** The public products, featured ones first: what the home page shows. */
  publicProducts(platform: PlatformScope): Promise<PublicProduct[]>
  /** Seeds the products of the specification where they are missing. */
  prepare(): Promise<void>
}

export type CatalogDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  audit: Audit
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  media: MediaLibrary
  inspectLicense: InspectLicense
  /** Whether API keys or licenses name a slug. Without it, what has been public counts as named. */
  isProductInUse?: IsProductInUse
}

export function catalog({ platform, ...deps }: CatalogDeps): Catalog {
  const { clock, publicChanged, recordVisit, media, isProductInUse } = deps
  const texts = documentation({ ...deps, resolveSlug })
  const views = productViews({ parts: texts.parts, media })
  const previews = previewTokens(deps.secrets)
  const records = { ...deps, keepUses: usesKeeper(media) }
  const products = productService({
    ...records,
    previews,
    isProductInUse,
    dropUses: async (tx, { id, slug }) => {
      await texts.releaseFiles(tx, id)
      await media.setUses(tx, { kind: 'product', id, label: slug }, [])
    },
  })
  return {
    routes: [
      ...productRoutes({ clock, views, previews, recordVisit }),
      ...productAdminRoutes({ products, views }),
      ...featureRoutes(records),
      ...planRoutes(records),
      ...productMediaRoutes(records, media),
      ...texts.routes,
    ],
    unknownProducts: unknownSlugs,
    sitemapSources: [productAddresses],
    bySlug: async (scope, slugs) => {
      const found = await listPublicBySlug(scope, slugs)
      return new Map((await views(scope, found, 'PUBLIC')).map((product) => [product.slug, product]))
    },
    publicProducts: async (scope) => (await listProducts(scope, { withDrafts: false }, { page: 1, limit: 100 })).items,
    prepare: async () => {
      const now = clock.now()
      const seedDocs = texts.seedDocs
      for (const seed of seededProducts) await seedProduct(platform, seed, { publicChanged, seedDocs, now })
      await renderDescriptions(platform, { publicChanged })
    },
  }
}

/** The public product of a slug, or the slug that it has now. */
async function resolveSlug(platform: PlatformScope, slug: string) {
  const found = await findPublicParent(platform, slug)
  if (found !== null) return found
  const movedTo = await redirectOf(platform, slug)
  return movedTo === null ? null : { movedTo }
}
