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

/** What a product has to read and to fetch: docs, versions and downloads. */
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
    /** As they stand in a product's own answer. */
    parts: { versions: listVersionsByProduct, downloads: listDownloadsByProduct, docs: listDocRefsByProduct },
    /** The texts of a product that was made by this very start. */
    seedDocs,
    /** Before a product is removed, in its transaction: its downloads and docs use no uploaded files any more. */
    releaseFiles: async (tx: PlatformScope, productId: string) => {
      await releaseDownloadFiles(tx, { productId, versionId: null, media })
      await releaseDocFiles(tx, productId, media)
    },
  }
}
