import type { Route } from '../http/route.ts'
import type { AnsweredRequest, Log } from '../http/server-deps.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import { utcDay } from '../kernel/period.ts'
import type { DefaultLimits } from '../kernel/quota.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { usageRoutes } from './metrics/usage.routes.ts'
import { deleteActivesBefore } from './metrics/usage.store.ts'
import { usageCounts } from './metrics/usage-counts.ts'
import { countAnswered, countFromEvents } from './metrics/usage-recording.ts'
import { type Quotas, tenantQuotas } from './quotas/quota.store.ts'
import { usageTables } from './tenant-tables.ts'

export type { Quotas } from './quotas/quota.store.ts'

export type UsageDeps = {
  platform: PlatformScope
  clock: Clock
  log: Log
  events: EventBus
  defaultLimits: DefaultLimits
  tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean>
}

export type Usage = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  quotas: Quotas
  /** Called after each answer to a caller of a tenant. */
  onAnswered(answered: AnsweredRequest): void
  /** Writes the counts that are still in memory. */
  flush(): Promise<void>
}

const dayMs = 24 * 3600 * 1000

/** The usage of each tenant, counted by day, and its limits. */
export function usage(deps: UsageDeps): Usage {
  const { platform, clock, events } = deps
  const counts = usageCounts(deps)
  countFromEvents(events, counts)
  return {
    routes: usageRoutes(deps),
    jobs: [
      housekeeping('usage.actives.drop-old', '41 * * * *', ({ signal }) =>
        deleteActivesBefore(platform, utcDay(new Date(clock.now().getTime() - dayMs)), signal),
      ),
    ],
    tenantTables: usageTables,
    quotas: tenantQuotas(deps.defaultLimits),
    onAnswered: countAnswered(counts),
    flush: counts.flush,
  }
}
