import type { NodeAuthenticator } from '../http/access/callers.ts'
import type { TenantExists } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Found } from '../kernel/found.ts'
import { isId } from '../kernel/ids.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { Licenses } from '../licensing/index.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { LimitCounts, Metering, Quotas } from '../usage/index.ts'
import { configRoutes } from './devices/config.routes.ts'
import { deviceRoutes } from './devices/device.routes.ts'
import { deviceService } from './devices/device.service.ts'
import { countDevices, countDevicesOfUsers } from './devices/device.store.ts'
import { deviceAdministrationRoutes } from './devices/device-administration.routes.ts'
import { deviceKeys } from './devices/device-keys.ts'
import { nodeRoutes } from './nodes/node.routes.ts'
import { nodeService } from './nodes/node.service.ts'
import { nodeAuthenticator } from './nodes/node-authenticator.ts'
import { reportService } from './nodes/report.service.ts'
import { findServersByName, findVpnThings, readVaultOverview } from './overview.store.ts'
import { peerService } from './peers/peer.service.ts'
import { dropRemovedKeys } from './peers/peer.store.ts'
import { notifierChannels, serverNotifier } from './peers/server-notifier.ts'
import { subscribeToEvents } from './reactions.ts'
import { type BuiltInServer, prepareBuiltInServer } from './servers/built-in.service.ts'
import { serverRoutes } from './servers/server.routes.ts'
import { serverService } from './servers/server.service.ts'
import { sessionEndings } from './sessions/ending.service.ts'
import { sessionMetrics } from './sessions/session.metrics.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { sessionService } from './sessions/session.service.ts'
import { countOpenSessions } from './sessions/session.store.ts'
import { sessionAdministrationRoutes } from './sessions/session-administration.routes.ts'
import { sessionEnder } from './sessions/session-administration.service.ts'
import { vaultTables } from './tenant-tables.ts'

export { sealedDeviceKeys } from './devices/device-keys.ts'
export { invalidateNodeRevisions as tellNodesAnew } from './peers/peer.store.ts'
export type { BuiltInServer } from './servers/built-in.service.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'device.registered': { tenantId: string; deviceId: string; userId: string }
    /** All devices belong to one tenant. */
    'devices.revoked': { tenantId: string; deviceIds: string[] }
    'session.started': { tenantId: string; sessionId: string; deviceId: string; userId: string }
    /** All sessions belong to one tenant; `seconds` is how long they were open, added up. */
    'sessions.ended': {
      tenantId: string
      seconds: number
      reason: string
      sessions: { id: string; deviceId: string }[]
    }
    /** What the devices of each tenant sent and received since the last report of their node. */
    'vpn.transferred': { tenants: { tenantId: string; bytesUp: number; bytesDown: number }[] }
  }
}

export type VaultDeps = {
  /** The system's own scope: for the built-in server, and for sessions that end by time. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  audit: Audit
  quotas: Quotas
  metering: Metering
  licenses: Licenses
  builtInServer: BuiltInServer
  fanOut: FanOut
  tenantExists: TenantExists
}

export type Vault = {
  routes: Route[]
  tenantTables: TenantTable[]
  jobs: JobHandler[]
  authenticator: NodeAuthenticator
  overview: typeof readVaultOverview
  /** Finds devices, open sessions and servers by id, and servers by name. */
  search(platform: PlatformScope, text: string): Promise<Found[]>
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** Creates or updates the built-in server's record. Several nodes may call it at once. */
  prepare(): Promise<void>
  /** Ends overdue sessions. Call it every few seconds, on any number of nodes. */
  housekeep(): Promise<void>
  /** Answers all waiting polls now. */
  drain(): void
}

/** A node that was away for longer gets a full snapshot of its peers. */
const removedKeysKeptMs = 7 * 24 * 3600 * 1000

/** The VPN: servers and their nodes, devices and their configs, sessions. */
export function vault(options: VaultDeps): Vault {
  const { platform, clock, secrets, fanOut } = options
  const keys = deviceKeys(secrets)
  const peerChanges = serverNotifier(fanOut, notifierChannels.peers)
  const acknowledgements = serverNotifier(fanOut, notifierChannels.acknowledgements)
  const deps = { ...options, keys, peerChanges, acknowledgements, peers: peerService(fanOut) }
  const endings = sessionEndings(deps)
  const servers = serverService({ ...deps, endSessionsOn: endings.endOnServer })
  const devices = deviceService({ ...deps, endings })
  const sessions = sessionService({ ...deps, endings })
  const nodes = nodeService(deps)
  const reports = reportService({ ...deps, nodes })
  subscribeToEvents({ ...deps, endings })
  sessionMetrics(deps)
  options.metrics.sampled(
    { name: 'vpn_node_polls', help: 'VPN nodes whose poll for peer changes is waiting on this node.', kind: 'gauge' },
    () => [{ value: peerChanges.waiting() }],
  )
  return {
    routes: [
      ...deviceRoutes(devices),
      ...configRoutes(devices),
      ...deviceAdministrationRoutes({ ...deps, devices }),
      ...sessionRoutes({ sessions, clock }),
      ...sessionAdministrationRoutes({ ...deps, endSession: sessionEnder({ clock, endings }) }),
      ...serverRoutes({ servers, clock }),
      ...nodeRoutes({ nodes, reports }),
    ],
    tenantTables: vaultTables,
    authenticator: nodeAuthenticator(deps),
    overview: readVaultOverview,
    search: (scope, text) => (isId(text) ? findVpnThings(scope, text) : findServersByName(scope, text)),
    limitCounts: {
      tenant: { maxDevices: countDevices, maxActiveSessions: countOpenSessions },
      user: {
        maxDevicesPerUser: async (scope, userId) => (await countDevicesOfUsers(scope, [userId]))[0]?.ofUser ?? 0,
      },
    },
    jobs: [
      housekeeping('vault.nodes.drop-removed-keys', '41 * * * *', () =>
        dropRemovedKeys(platform, new Date(clock.now().getTime() - removedKeysKeptMs)),
      ),
    ],
    prepare: () => prepareBuiltInServer(deps),
    housekeep: () => endings.endOverdue(platform),
    drain: () => {
      peerChanges.end()
      acknowledgements.end()
    },
  }
}
