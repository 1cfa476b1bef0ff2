import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { BundlePart } from '../kernel/bundle.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { Jobs, JobWork } from '../storage/jobs/jobs.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope, Scope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { blockPart } from './blocks/block.bundle.ts'
import { blockRoutes } from './blocks/block.routes.ts'
import { blockService } from './blocks/block.service.ts'
import type { FindMediaByDigest, MediaLibrary } from './media/media-library.ts'
import { sitemapRoutes } from './sitemap/sitemap.routes.ts'
import { type SitemapSource, sitemapService } from './sitemap/sitemap.service.ts'
import { slotPart } from './slots/slot.bundle.ts'
import { slotRoutes } from './slots/slot.routes.ts'
import { seedHomepage } from './slots/slot.seeding.ts'
import { slotService } from './slots/slot.service.ts'

export type { MediaLibrary, MediaLine, MediaUser } from './media/media-library.ts'
export type { SitemapSource } from './sitemap/sitemap.service.ts'

export type ContentDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  audit: Audit
  jobs: Jobs
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  unknownProducts(scope: Scope, slugs: string[]): Promise<string[]>
  /** Where the site is that shows the content; null: not said. */
  publicUrl: string | null
  /** The public pages of other capabilities. */
  sitemapSources: () => SitemapSource[]
}

export type Content = {
  routes: Route[]
  jobs: JobWork[]
  media: MediaLibrary
  bundleParts: BundlePart<PlatformScope>[]
  /** Seeds what is missing of the homepage. */
  prepare(): Promise<void>
}

/** Pages, homepage slots, blocks and uploaded media. */
export function content(deps: ContentDeps): Content {
  const { platform, clock } = deps
  const media: MediaLibrary = { find: async () => new Map(), setUses: async () => undefined }
  const findMediaByDigest: FindMediaByDigest = async () => new Map()
  const slots = slotService({ ...deps, media })
  const blocks = blockService(deps)
  const sitemaps = sitemapService({ sources: deps.sitemapSources })
  return {
    routes: [
      ...slotRoutes({ slots, media, clock }),
      ...blockRoutes(blocks),
      ...sitemapRoutes({ sitemaps, publicUrl: deps.publicUrl }),
    ],
    jobs: [],
    media,
    bundleParts: [slotPart({ clock, media, findMediaByDigest }), blockPart({ clock })],
    prepare: () => seedHomepage(platform, deps),
  }
}
