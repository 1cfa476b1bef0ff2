import type { RecordVisit } from '../analytics/index.ts'
import type { MediaLibrary } from '../content/index.ts'
import type { Route } from '../http/route.ts'
import type { InspectLicense } from '../identity/index.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { docAdminRoutes } from './docs/doc.routes.ts'
import { releaseDocFiles } from './docs/doc.service.ts'
import { seedDocs } from './docs/doc-seed.service.ts'
import { publicDocRoutes } from './docs/public-doc.routes.ts'
import { listDocRefsByProduct } from './docs/public-doc.service.ts'
import { downloadRoutes } from './downloads/download.routes.ts'
import { listDownloadsByProduct, releaseDownloadFiles } from './downloads/download.service.ts'
import type { ProductChildDeps } from './product-child/product-child.service.ts'
import { publicProductLookup, type ResolveSlug } from './product-child/public-product.ts'
import { versionRoutes } from './versions/version.routes.ts'
import { listVersionsByProduct } from './versions/version.service.ts'

type DocumentationDeps = ProductChildDeps & {
  recordVisit: RecordVisit
  media: MediaLibrary
  inspectLicense: InspectLicense
  resolveSlug: ResolveSlug
}

/** The docs, versions and downloads of products. */
export function documentation({ resolveSlug, recordVisit, media, inspectLicense, ...changes }: DocumentationDeps) {
  const withProduct = publicProductLookup(resolveSlug)
  const routes: Route[] = [
    ...publicDocRoutes({ recordVisit, withProduct }),
    ...docAdminRoutes({ ...changes, media }),
    ...versionRoutes({ ...changes, media, withProduct }),
    ...downloadRoutes({ ...changes, media, inspectLicense, withProduct, recordVisit }),
  ]
  return {
    routes,
    /** The lists in a product's own answer. */
    listChildren: { versions: listVersionsByProduct, downloads: listDownloadsByProduct, docs: listDocRefsByProduct },
    /** Adds the docs of a product that this start has created. */
    seedDocs,
    /** Releases the uploaded files that a product's downloads and docs use. Call it in the transaction that removes the product. */
    releaseFiles: async (tx: PlatformScope, productId: string) => {
      await releaseDownloadFiles(tx, { productId, versionId: null, media })
      await releaseDocFiles(tx, productId, media)
    },
  }
}
