import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import { type BundleRouteDeps, bundleRoutes } from './bundle/bundle.routes.ts'
import { type HealthDeps, healthRoutes, serviceState } from './health/health.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { type JobRouteDeps, jobRoutes } from './jobs/job.routes.ts'
import { metricsRoutes } from './metrics/metrics.routes.ts'
import { processMetrics } from './metrics/process.metrics.ts'
import { type ServiceMetricsDeps, serviceMetrics } from './metrics/service.metrics.ts'
import { type OverviewDeps, overviewRoutes } from './overview/overview.routes.ts'
import { type ReferenceDeps, referenceRoutes } from './reference/reference.routes.ts'
import { sdkRoutes } from './sdk/sdk.routes.ts'
import { type SearchDeps, searchRoutes } from './search/search.routes.ts'
import { type SettingDeps, settingRoutes } from './settings/settings.routes.ts'
import { type SnapshotDeps, snapshotRoutes } from './snapshots/snapshot.routes.ts'

export type { SettingReport } from './settings/settings.routes.ts'

export type SystemDeps = HealthDeps &
  ServiceMetricsDeps &
  JobRouteDeps &
  SnapshotDeps &
  BundleRouteDeps &
  SearchDeps &
  SettingDeps &
  Omit<OverviewDeps, 'state'> &
  ReferenceDeps & { publicProducts: Catalog['publicProducts'] }

/** Everything without a product: home, health, metrics, jobs, the API reference, bundles, and snapshots for backups. */
export function system(deps: SystemDeps): { routes: Route[] } {
  processMetrics(deps.metrics)
  serviceMetrics(deps)
  const state = () => serviceState(deps)
  return {
    routes: [
      ...homeRoutes({ ...deps, state }),
      ...overviewRoutes({ ...deps, state }),
      ...searchRoutes(deps),
      ...settingRoutes(deps),
      ...healthRoutes(deps),
      ...metricsRoutes(deps),
      ...jobRoutes(deps),
      ...referenceRoutes(deps),
      ...sdkRoutes(),
      ...snapshotRoutes(deps),
      ...bundleRoutes(deps),
    ],
  }
}
