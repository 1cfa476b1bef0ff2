import type { Route } from '../http/route.ts'
import type { Audit, Quotas } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { Licenses } from '../licensing/index.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { configRoutes } from './devices/config.routes.ts'
import { deviceRoutes } from './devices/device.routes.ts'
import { deviceService } from './devices/device.service.ts'
import { deviceKeys } from './devices/device-keys.ts'
import { reactToEvents } from './reactions.ts'
import { type BuiltInServer, prepareBuiltInServer } from './servers/built-in.service.ts'
import { serverRoutes } from './servers/server.routes.ts'
import { serverService } from './servers/server.service.ts'
import { endingService } from './sessions/ending.service.ts'
import { sessionMetrics } from './sessions/session.metrics.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { sessionService } from './sessions/session.service.ts'
import { vaultTables } from './tenant-tables.ts'

export { sealedDeviceKeys } from './devices/device-keys.ts'
export type { BuiltInServer } from './servers/built-in.service.ts'

export type VaultDeps = {
  /** In the name of the system: the built-in server, and sessions that time ends. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  audit: Audit
  quotas: Quotas
  licenses: Licenses
  builtInServer: BuiltInServer
}

export type Vault = {
  routes: Route[]
  tenantTables: TenantTable[]
  /** Makes or updates the built-in server's record; safe on several nodes at once. */
  prepare(): Promise<void>
  /** Ends the sessions whose time is over; to be called every few seconds, by any number of nodes. */
  housekeep(): Promise<void>
}

/** The VPN: servers, devices and their configs, sessions. */
export function vault(deps: VaultDeps): Vault {
  const { platform, clock, secrets } = deps
  const endings = endingService(deps)
  const servers = serverService({ ...deps, endings })
  const devices = deviceService({ ...deps, endings, keys: deviceKeys(secrets) })
  const sessions = sessionService({ ...deps, endings })
  reactToEvents({ ...deps, endings })
  sessionMetrics(deps)
  return {
    routes: [
      ...deviceRoutes(devices),
      ...configRoutes(devices),
      ...sessionRoutes({ sessions, clock }),
      ...serverRoutes({ servers, clock }),
    ],
    tenantTables: vaultTables,
    prepare: () => prepareBuiltInServer(deps),
    housekeep: () => endings.endOverdue(platform),
  }
}
