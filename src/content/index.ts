import { at, type Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { Jobs, JobWork } from '../storage/jobs/jobs.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { MediaLibrary } from './media/media-library.ts'
import { type PublicProducts, pageRoutes } from './pages/page.routes.ts'
import { pageService } from './pages/page.service.ts'
import { pageAdminRoutes } from './pages/page-admin.routes.ts'
import { previewsOf } from './pages/page-preview.ts'
import { pagePublishingRoutes } from './pages/page-publishing.routes.ts'
import { pageRevisionRoutes } from './pages/page-revision.routes.ts'

export type { MediaLibrary, MediaLine, MediaUser } from './media/media-library.ts'

export type ContentDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  audit: Audit
  jobs: Jobs
  publicChanged: PublicChanged
  recordVisit: RecordVisit
  /** Without it pages are answered without the products that their sections show. */
  products?: PublicProducts
}

export type Content = {
  routes: Route[]
  jobs: JobWork[]
  media: MediaLibrary
  /** Seeds what is missing of the homepage. */
  prepare(): Promise<void>
}

/** Pages, homepage slots, blocks and uploaded media. */
export function content(deps: ContentDeps): Content {
  const { clock, audit, recordVisit, products } = deps
  const media: MediaLibrary = { find: async () => new Map(), setUses: async () => undefined }
  const pages = pageService({ ...deps, media })
  const previews = previewsOf(deps.secrets)
  return {
    routes: withTwins([
      ...pageRoutes({ clock, recordVisit, previews, products }),
      ...pageAdminRoutes(pages),
      ...pagePublishingRoutes({ pages, previews, clock, audit }),
      ...pageRevisionRoutes(pages),
    ]),
    jobs: [...pages.jobs],
    media,
    prepare: async () => undefined,
  }
}

/** Public content is also under `/v1`, its administration also beside that of the platform. */
function withTwins(routes: Route[]): Route[] {
  const twins = routes.flatMap((route) => {
    const { path, name } = route
    if (path.startsWith('/admin/cms/')) return [at(route, { path: `/v1/platform${path}`, name: `${name}V1` })]
    if (!path.startsWith('/cms/')) return []
    const twin = at(route, { path: `/v1${path}`, name: `${name}V1` })
    return path === '/cms/pages' ? [twin, at(route, { path: '/v1/cms', name: 'listContentV1' })] : [twin]
  })
  return [...routes, ...twins]
}
