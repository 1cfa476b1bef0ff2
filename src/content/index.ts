import type { RecordVisit } from '../analytics/index.ts'
import { type Mount, mount, v1Mount } from '../http/mounts.ts'
import { previewTokens } from '../http/preview.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import type { JobHandler, Jobs } from '../jobs/jobs.ts'
import type { BundlePart } from '../kernel/bundle.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope, Scope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { blockPart } from './blocks/block.bundle.ts'
import { blockRoutes } from './blocks/block.routes.ts'
import { blockService } from './blocks/block.service.ts'
import { homepageRoute } from './homepage/homepage.routes.ts'
import { findMediaByDigest } from './media/media.store.ts'
import type { FindMediaByDigest, MediaLibrary } from './media/media-library.ts'
import { mediaModule } from './media/media-module.ts'
import { pagePart } from './pages/page.bundle.ts'
import { type PublicProducts, pageRoutes } from './pages/page.routes.ts'
import { pageService } from './pages/page.service.ts'
import { pageAdminRoutes } from './pages/page-admin.routes.ts'
import { pagePublishingRoutes } from './pages/page-publishing.routes.ts'
import { pageRevisionRoutes } from './pages/page-revision.routes.ts'
import { pageAddresses } from './pages/page-sitemap.store.ts'
import { sitemapRoutes } from './sitemap/sitemap.routes.ts'
import { type SitemapSource, sitemapService } from './sitemap/sitemap.service.ts'
import { slotPart } from './slots/slot.bundle.ts'
import { slotRoutes } from './slots/slot.routes.ts'
import { slotService } from './slots/slot.service.ts'
import { seedHomepage } from './slots/slot-seed.service.ts'

export type { FindMediaByDigest, MediaLibrary, MediaSummary, MediaUser } from './media/media-library.ts'
export type { SitemapSource } from './sitemap/sitemap.service.ts'

export type ContentDeps = {
  platform: PlatformScope
  clock: Clock
  log: Log
  metrics: Metrics
  secrets: Secrets
  audit: Audit
  jobs: Jobs
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  /** Without it, pages do not include the products that their sections show. */
  products?: PublicProducts
  unknownProducts(scope: Scope, slugs: string[]): Promise<string[]>
  /** Returns those slugs whose product is not public. */
  draftProducts(scope: Scope, slugs: string[]): Promise<string[]>
  /** Base address of the site that shows the content; null if unknown. */
  publicUrl: string | null
  /** The public pages of other capabilities. */
  sitemapSources: () => SitemapSource[]
  /** Stores the bytes of uploaded files. */
  blobs: Blobs
}

export type Content = {
  routes: Route[]
  jobs: JobHandler[]
  media: MediaLibrary
  findMediaByDigest: FindMediaByDigest
  bundleParts: BundlePart<PlatformScope>[]
  /** Seeds the homepage where something is missing. */
  prepare(): Promise<void>
}

/** Pages, homepage slots, blocks and uploaded media. */
export function content(deps: ContentDeps): Content {
  const { platform, clock, audit, recordVisit, products } = deps
  const shelf = mediaModule(deps)
  const media = shelf.library
  const pages = pageService({ ...deps, media })
  const previews = previewTokens(deps.secrets, 'content/page-preview/1')
  const slots = slotService({ ...deps, media })
  const blocks = blockService({ ...deps, media })
  const sitemaps = sitemapService({ sources: () => [pageAddresses, ...deps.sitemapSources()] })
  const routes = [
    ...pageRoutes({ clock, recordVisit, previews, products }),
    ...pageAdminRoutes(pages),
    ...pagePublishingRoutes({ pages, previews, clock, audit }),
    ...pageRevisionRoutes(pages),
    homepageRoute({ slots, media }),
    ...slotRoutes({ slots, media, clock }),
    ...blockRoutes(blocks),
    ...sitemapRoutes({ sitemaps, publicUrl: deps.publicUrl }),
    ...shelf.routes,
  ]
  return {
    routes: [...routes, ...mount(routes, [contentMount, listAlias])],
    jobs: [...pages.jobs, ...shelf.jobs],
    media,
    findMediaByDigest,
    bundleParts: [
      pagePart({ clock, media, findMediaByDigest, bring: pages.bring }),
      slotPart({ clock, media, findMediaByDigest }),
      blockPart({ clock, media }),
    ],
    prepare: async () => {
      await shelf.sweep.removeOldDrafts()
      await seedHomepage(platform, deps)
    },
  }
}

/** Public content is also served below `/v1`, and its administration below `/v1/platform`. */
const contentMount: Mount = {
  ...v1Mount(),
  path: (path) => {
    if (path.startsWith('/admin/cms/')) return `/v1/platform${path}`
    return path.startsWith('/cms/') ? `/v1${path}` : null
  },
}
const listAlias: Mount = {
  isAlias: true,
  path: (path) => (path === '/cms/pages' ? '/v1/cms' : null),
  operationName: () => 'listContentV1',
}
