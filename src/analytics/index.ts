import type { Route } from '../http/route.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { RecordVisit } from '../kernel/visit.ts'
import type { EventBus } from '../storage/events.ts'
import type { JobWork } from '../storage/jobs/jobs.ts'
import type { Tick } from '../storage/jobs/schedule.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'

export type AnalyticsDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  metrics: Metrics
}

export type Analytics = {
  routes: Route[]
  jobs: JobWork[]
  ticks: Tick[]
  tenantTables: TenantTable[]
  recordVisit: RecordVisit
  /** Writes what was recorded and is not written yet. */
  flush(): Promise<void>
}

/** What was read and used, counted by day. */
export function analytics(_deps: AnalyticsDeps): Analytics {
  return {
    routes: [],
    jobs: [],
    ticks: [],
    tenantTables: [],
    recordVisit: () => undefined,
    flush: async () => undefined,
  }
}
