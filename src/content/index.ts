import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { Jobs, JobWork } from '../storage/jobs/jobs.ts'
import type { PublicChanged } from '../storage/public-revision.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { MediaLibrary } from './media/media-library.ts'

export type { MediaLibrary, MediaLine, MediaUser } from './media/media-library.ts'

export type ContentDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  audit: Audit
  jobs: Jobs
  publicChanged: PublicChanged
  recordVisit: RecordVisit
}

export type Content = {
  routes: Route[]
  jobs: JobWork[]
  media: MediaLibrary
  /** Seeds what is missing of the homepage. */
  prepare(): Promise<void>
}

/** Pages, homepage slots, blocks and uploaded media. */
export function content(_deps: ContentDeps): Content {
  return {
    routes: [],
    jobs: [],
    media: { find: async () => new Map(), setUses: async () => undefined },
    prepare: async () => undefined,
  }
}
