import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import { type HealthDeps, healthRoutes } from './health/health.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { referenceRoutes } from './reference/reference.routes.ts'
import { type SnapshotDeps, snapshotRoutes } from './snapshots/snapshot.routes.ts'

export type SystemDeps = HealthDeps &
  SnapshotDeps & { publicProducts: Catalog['publicProducts']; openApi: () => object }

/** The routes that belong to no product: home, health, the API reference, and the snapshots that backups are made from. */
export function system(deps: SystemDeps): { routes: Route[] } {
  return { routes: [...homeRoutes(deps), ...healthRoutes(deps), ...referenceRoutes(deps), ...snapshotRoutes(deps)] }
}
