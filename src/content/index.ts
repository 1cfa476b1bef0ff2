import type { Log } from '../http/parts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import type { Jobs, JobWork } from '../storage/jobs/jobs.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { mediaShelf } from './media/media.ts'
import type { MediaLibrary } from './media/media-library.ts'

export type { MediaLibrary, MediaLine, MediaUser } from './media/media-library.ts'

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
  /** Where the bytes of uploaded files are. */
  blobs: Blobs
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
  const media = mediaShelf(deps)
  return {
    routes: [...media.routes],
    jobs: [...media.jobs],
    media: media.library,
    prepare: async () => {
      await media.sweep.removeOldDrafts()
    },
  }
}
