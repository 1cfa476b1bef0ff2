import type { MediaLibrary, SitemapSource } from '../content/index.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { featureRoutes } from './features/feature.routes.ts'
import { planRoutes } from './plans/plan.routes.ts'
import { usesKeeper } from './product-media/media-uses.service.ts'
import { productMediaRoutes } from './product-media/product-media.routes.ts'
import { previewTokens } from './products/preview.ts'
import { productRoutes } from './products/product.routes.ts'
import type { Product } from './products/product.rules.ts'
import { seededProducts } from './products/product.seed.ts'
import { type IsProductInUse, productService } from './products/product.service.ts'
import { listProducts, unknownSlugs } from './products/product.store.ts'
import { type ProductParts, productViews } from './products/product.view.ts'
import { productAddresses } from './products/product-addresses.store.ts'
import { productAdminRoutes } from './products/product-admin.routes.ts'
import { renderDescriptions, seedProduct } from './products/product-seed.service.ts'

export type PublicProduct = Pick<Product, 'slug' | 'name' | 'tagline' | 'type' | 'status'>

export type Catalog = {
  routes: Route[]
  unknownProducts: typeof unknownSlugs
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
  /** Whether API keys or licenses name a slug. Without it, what has been public counts as named. */
  isProductInUse?: IsProductInUse
}

/** Stand-ins until products have versions, downloads and docs of their own. */
const noParts: ProductParts = {
  versions: async () => new Map(),
  downloads: async () => new Map(),
  docs: async () => new Map(),
}

export function catalog({
  platform,
  clock,
  secrets,
  audit,
  publicChanged,
  recordVisit,
  media,
  isProductInUse,
}: CatalogDeps): Catalog {
  const views = productViews({ parts: noParts, media })
  const previews = previewTokens(secrets)
  const keepUses = usesKeeper(media)
  const records = { clock, audit, publicChanged, keepUses }
  const products = productService({
    ...records,
    previews,
    isProductInUse,
    dropUses: (tx, { id, slug }) => media.setUses(tx, { kind: 'product', id, label: slug }, []),
  })
  return {
    routes: [
      ...productRoutes({ clock, views, previews, recordVisit }),
      ...productAdminRoutes({ products, views }),
      ...featureRoutes(records),
      ...planRoutes(records),
      ...productMediaRoutes(records, media),
    ],
    unknownProducts: unknownSlugs,
    sitemapSources: [productAddresses],
    publicProducts: async (scope) => (await listProducts(scope, { withDrafts: false }, { page: 1, limit: 100 })).items,
    prepare: async () => {
      const now = clock.now()
      for (const seed of seededProducts) await seedProduct(platform, seed, { publicChanged, now })
      await renderDescriptions(platform, { publicChanged })
    },
  }
}
