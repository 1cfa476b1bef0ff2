import type { Route } from '../http/route.ts'
import type { AnsweredRequest, Log } from '../http/server-deps.ts'
import { housekeeping, type JobHandler, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { utcDay } from '../kernel/period.ts'
import type { DefaultLimits } from '../kernel/quota.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Audit } from './audit.ts'
import { type Metering, type MeteringDeps, meteringService } from './meters/metering.service.ts'
import { type ReachedThreshold, thresholdService } from './meters/threshold.service.ts'
import { ownLimitRoutes } from './own-limits/own-limit.routes.ts'
import { type HoldSubject, ownLimitService } from './own-limits/own-limit.service.ts'
import { planLimitRoutes } from './plans/plan-limit.routes.ts'
import { planLimitService } from './plans/plan-limit.service.ts'
import { quotaRoutes } from './quotas/quota.routes.ts'
import { type QuotaListDeps, quotaList } from './quotas/quota.service.ts'
import { type Quotas, tenantQuotas } from './quotas/quota.store.ts'
import { type ReadStockLimit, stockLimitReader } from './quotas/stock-limit.service.ts'
import { stockThresholds, type TellStored } from './quotas/stock-threshold.service.ts'
import { type ReadingDeps, readingRoutes } from './reading/reading.routes.ts'
import { recountRoutes } from './recounts/recount.routes.ts'
import { type RecountDeps, recountService } from './recounts/recount.service.ts'
import { overrideRoutes } from './tenant-quotas/override.routes.ts'
import { overrideService } from './tenant-quotas/override.service.ts'
import { usageTables } from './tenant-tables.ts'
import { rankingRoutes } from './tenant-usage/ranking.routes.ts'
import { transferredBytes } from './tenant-usage/transferred-bytes.ts'
import { usageRoutes } from './tenant-usage/usage.routes.ts'
import { deleteActivesBefore } from './tenant-usage/usage.store.ts'
import { usageCounts } from './tenant-usage/usage-counts.ts'
import { readUsageOverview } from './tenant-usage/usage-overview.store.ts'
import { countAnswered, countFromEvents } from './tenant-usage/usage-recording.ts'
import { mailThreshold, type ThresholdMailDeps, thresholdMails } from './threshold-mails/threshold-mail.service.ts'
import { thresholdRoutes } from './thresholds/threshold-setting.routes.ts'
import { thresholdSettings } from './thresholds/threshold-setting.service.ts'
import { unsettledRoutes } from './unsettled/unsettled.routes.ts'
import { countUnsettled } from './unsettled/unsettled.service.ts'
import { forgetRemovedUsers } from './upkeep/removed-user.ts'
import { deleteOldUsage } from './upkeep/retention.store.ts'

export type { Metering, Use } from './meters/metering.service.ts'
export type { LimitCounts } from './quotas/quota.service.ts'
export type { Quotas } from './quotas/quota.store.ts'
export type { ReadStockLimit, StockLimit } from './quotas/stock-limit.service.ts'
export type { TellStored } from './quotas/stock-threshold.service.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** Uses have reached a percentage of a limit. Emitted once for each limit, window and percentage. */
    'usage.threshold.reached': { tenantId: string } & ReachedThreshold
  }
}

/** Functions for what is created later than this. */
export type UsageDeps = Pick<ThresholdMailDeps, 'jobs' | 'outbox'> & {
  users(): ReturnType<ThresholdMailDeps['users']> & { hold: HoldSubject }
  organizations(): ReturnType<ThresholdMailDeps['organizations']> &
    ReturnType<ReadingDeps['organizations']> & { hold: HoldSubject }
  audit: Audit
  platform: PlatformScope
  clock: Clock
  log: Log
  events: EventBus
  defaultLimits: DefaultLimits
  tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean>
  planOf: MeteringDeps['planOf']
  planEndOf: MeteringDeps['planEndOf']
  licensedPlanOf: QuotaListDeps['licensedPlanOf']
  limitCounts: QuotaListDeps['limitCounts']
  metrics: Metrics
  recountMails: RecountDeps['recountMails']
  recountDocuments: RecountDeps['recountDocuments']
  countMeetingsByDay: RecountDeps['countMeetingsByDay']
}

export type Usage = {
  routes: Route[]
  /** What all tenants did, by day. */
  overview: typeof readUsageOverview
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  quotas: Quotas
  /** How much may be stored. */
  readStockLimit: ReadStockLimit
  /** Called after something was stored. */
  tellStored: TellStored
  metering: Metering
  /** Called after each answer to a caller of a tenant. */
  onAnswered(answered: AnsweredRequest): void
  /** Writes the counts that are still in memory. */
  flush(): Promise<void>
}

const dayMs = 24 * 3600 * 1000

/** The usage of each tenant, counted by day, and its limits. */
export function usage(deps: UsageDeps): Usage {
  const { platform, clock, events } = deps
  const quotas = tenantQuotas(deps.defaultLimits)
  const tellReached = thresholdService(deps)
  const counts = usageCounts({ ...deps, tellReached })
  countFromEvents(events, counts)
  events.on('vpn.transferred', transferredBytes({ ...deps, tellReached }))
  const metering = meteringService({ ...deps, tellReached })
  const recounts = recountService(deps)
  return {
    routes: [
      ...usageRoutes(deps),
      ...limitRoutes(deps),
      ...readingRoutes(deps),
      ...quotaRoutes({ ...deps, listQuotas: quotaList(deps) }),
      ...rankingRoutes(deps),
      ...recountRoutes(recounts),
      ...unsettledRoutes(),
    ],
    overview: readUsageOverview,
    jobs: [
      jobHandler(mailThreshold, thresholdMails(deps)),
      housekeeping('usage.actives.drop-old', '41 * * * *', ({ signal }) =>
        deleteActivesBefore(platform, utcDay(new Date(clock.now().getTime() - dayMs)), signal),
      ),
      housekeeping('usage.reservations.count-old', '* * * * *', ({ signal }) =>
        countUnsettled(platform, { ...deps, metering, signal }),
      ),
      housekeeping('usage.rows.drop-old', '20 3 * * *', ({ signal }) =>
        deleteOldUsage(platform, { now: clock.now(), signal }),
      ),
      housekeeping('usage.counters.recount-all', '10 2 * * *', () => recounts.requestAll(platform)),
      recounts.job,
      forgetRemovedUsers(deps),
    ],
    tenantTables: usageTables,
    quotas,
    readStockLimit: stockLimitReader({ ...deps, quotas }),
    tellStored: stockThresholds({ clock, tellReached }),
    metering,
    onAnswered: countAnswered(counts),
    flush: counts.flush,
  }
}

function limitRoutes(deps: UsageDeps): Route[] {
  const { users, organizations } = deps
  const ownLimits = ownLimitService({
    ...deps,
    holdOrg: (tx, id) => organizations().hold(tx, id),
    holdUser: (tx, id) => users().hold(tx, id),
  })
  return [
    ...planLimitRoutes(planLimitService(deps)),
    ...overrideRoutes({ overrides: overrideService(deps), tenantExists: deps.tenantExists }),
    ...ownLimitRoutes(ownLimits),
    ...thresholdRoutes(thresholdSettings(deps)),
  ]
}
