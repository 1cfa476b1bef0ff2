import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import { type HealthDeps, healthRoutes } from './health/health.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { type JobRouteDeps, jobRoutes } from './jobs/job.routes.ts'
import { referenceRoutes } from './reference/reference.routes.ts'

export type SystemDeps = HealthDeps &
  JobRouteDeps & { publicProducts: Catalog['publicProducts']; openApi: () => object }

/** The routes that belong to no product: home, health, jobs, the API reference. */
export function system(deps: SystemDeps): { routes: Route[] } {
  return { routes: [...homeRoutes(deps), ...healthRoutes(deps), ...jobRoutes(deps), ...referenceRoutes(deps)] }
}
