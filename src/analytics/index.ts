import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { JobHandler } from '../jobs/jobs.ts'
import type { IntervalTask } from '../jobs/schedule.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { eventRoute } from './events/event.routes.ts'
import { eventWriter } from './events/event-writer.ts'
import { recorder } from './events/recorder.ts'
import { userAgents } from './events/user-agents.ts'
import type { RecordVisit } from './events/visit-event.ts'
import { visitorKeys } from './events/visitor-keys.ts'
import { analyticsJobs } from './housekeeping.ts'
import { analyticsRoutes } from './summaries/analytics.routes.ts'

export type { RecordVisit, VisitEvent } from './events/visit-event.ts'

export type AnalyticsDeps = {
  platform: PlatformScope
  clock: Clock
  log: Log
  secrets: Secrets
  metrics: Metrics
  /** Whether the database works in this process. */
  isEmbedded: boolean
  /** How many days single visits are kept; the daily summaries are kept for good. */
  retentionDays: number
  productExists(platform: PlatformScope, productId: string): Promise<boolean>
}

export type Analytics = {
  routes: Route[]
  jobs: JobHandler[]
  intervalTasks: IntervalTask[]
  recordVisit: RecordVisit
  /** Agrees with the other nodes on the key for the day's visitor hashes. */
  prepare(): Promise<void>
  /** Writes all recorded visits. */
  flush(): Promise<void>
}

/** What was read on the public pages, counted by day. */
export function analytics(deps: AnalyticsDeps): Analytics {
  const { platform, clock, secrets } = deps
  const keys = visitorKeys({ platform, clock, secret: secrets.derive('analytics/visitors') })
  const visits = recorder({ ...deps, agents: userAgents(), visitorKeys: keys, write: eventWriter(platform) })
  return {
    routes: [...analyticsRoutes(deps), eventRoute(deps)],
    jobs: analyticsJobs(deps),
    intervalTasks: [],
    recordVisit: visits.recordVisit,
    prepare: () => keys.load([clock.now()]),
    flush: visits.flush,
  }
}
