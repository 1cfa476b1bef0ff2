import type { RecordVisit } from '../analytics/index.ts'
import type { FindMediaByDigest, MediaLibrary, SitemapSource } from '../content/index.ts'
import { previewTokens } from '../http/preview.ts'
import type { Route } from '../http/route.ts'
import type { Audit, InspectLicense } from '../identity/index.ts'
import type { BundlePart } from '../kernel/bundle.ts'
import type { Clock } from '../kernel/clock.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { productBundlePart } from './bundle/product.bundle.ts'
import { docAddresses } from './docs/doc-addresses.store.ts'
import { documentation } from './documentation.ts'
import { featureRoutes } from './features/feature.routes.ts'
import { planRoutes } from './plans/plan.routes.ts'
import { findPublicProduct, productExists } from './product-child/parent-product.store.ts'
import { productMediaRoutes } from './product-media/product-media.routes.ts'
import { productRoutes } from './products/product.routes.ts'
import type { Product } from './products/product.rules.ts'
import { seededProducts } from './products/product.seed.ts'
import { type IsProductInUse, productService } from './products/product.service.ts'
import { listProducts, listPublicBySlug, listUnknownSlugs } from './products/product.store.ts'
import { productViews } from './products/product.view.ts'
import { productAddresses } from './products/product-addresses.store.ts'
import { productAdminRoutes } from './products/product-admin.routes.ts'
import { mediaUsesUpdater } from './products/product-media-uses.service.ts'
import { findRedirect, listDraftSlugs } from './products/product-redirect.store.ts'
import { renderDescriptions, seedProduct } from './products/product-seed.service.ts'

export type PublicProduct = Pick<Product, 'slug' | 'name' | 'tagline' | 'type' | 'status'>

export type Catalog = {
  routes: Route[]
  listUnknownSlugs: typeof listUnknownSlugs
  listDraftSlugs: typeof listDraftSlugs
  /** Public products as the catalog shows them; others are absent. */
  findPublicBySlug(platform: PlatformScope, slugs: string[]): Promise<Map<string, object>>
  bundleParts: BundlePart<PlatformScope>[]
  /** The public pages of the catalog. */
  sitemapSources: SitemapSource[]
  productExists(platform: PlatformScope, productId: string): Promise<boolean>
  /** The public products for the home page, featured ones first. */
  publicProducts(platform: PlatformScope): Promise<PublicProduct[]>
  /** Adds the built-in products that are missing. */
  seed(): Promise<void>
}

export type CatalogDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  audit: Audit
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  media: MediaLibrary
  findMediaByDigest: FindMediaByDigest
  inspectLicense: InspectLicense
  /** Whether API keys or licenses name a slug. Without it, every product that has been public counts as in use. */
  isProductInUse?: IsProductInUse
}

export function catalog({ platform, ...deps }: CatalogDeps): Catalog {
  const { clock, publicChanged, recordVisit, media, isProductInUse } = deps
  const documents = documentation({ ...deps, resolveSlug })
  const views = productViews({ children: documents.listChildren, media })
  const previews = previewTokens(deps.secrets, 'catalog/preview/1')
  const childDeps = {
    ...deps,
    updateMediaUses: mediaUsesUpdater(media),
    releaseMedia: async (tx: PlatformScope, { id, slug }: { id: string; slug: string }) => {
      await documents.releaseFiles(tx, id)
      await media.setUses(tx, { kind: 'product', id, label: slug }, [])
    },
  }
  const products = productService({ ...childDeps, previews, isProductInUse })
  return {
    routes: [
      ...productRoutes({ clock, views, previews, recordVisit }),
      ...productAdminRoutes({ products, views }),
      ...featureRoutes(childDeps),
      ...planRoutes(childDeps),
      ...productMediaRoutes(childDeps, media),
      ...documents.routes,
    ],
    listUnknownSlugs: listUnknownSlugs,
    listDraftSlugs: listDraftSlugs,
    productExists,
    bundleParts: [productBundlePart(childDeps)],
    sitemapSources: [productAddresses, docAddresses],
    findPublicBySlug: async (scope, slugs) => {
      const found = await listPublicBySlug(scope, slugs)
      return new Map((await views(scope, found, 'PUBLIC')).map((product) => [product.slug, product]))
    },
    publicProducts: async (scope) => (await listProducts(scope, { withDrafts: false }, { page: 1, limit: 100 })).items,
    seed: async () => {
      const now = clock.now()
      const seedDocs = documents.seedDocs
      for (const seed of seededProducts) await seedProduct(platform, seed, { publicChanged, seedDocs, now })
      await renderDescriptions(platform, { publicChanged })
    },
  }
}

/** The public product of a slug, or the slug that it has now. */
async function resolveSlug(platform: PlatformScope, slug: string) {
  const found = await findPublicProduct(platform, slug)
  if (found !== null) return found
  const movedTo = await findRedirect(platform, slug)
  return movedTo === null ? null : { movedTo }
}
