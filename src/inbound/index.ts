import type { RateCounter } from '../http/limits/rate-limit.ts'
import { mount, tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler, type RowJobs } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope, TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Quotas } from '../usage/index.ts'
import { base } from './access.ts'
import { sampleRoute } from './connection-tests/sample.routes.ts'
import { sampleService } from './connection-tests/sample.service.ts'
import { connectionRoutes } from './connections/connection.routes.ts'
import type { Schemes } from './connections/connection.rules.ts'
import { connectionService } from './connections/connection.service.ts'
import { connectionExists } from './connections/connection.store.ts'
import { connectionSecrets } from './connections/connection-secrets.ts'
import {
  type EnvironmentDeps,
  type EnvironmentSettings,
  environmentService,
} from './connections/environment.service.ts'
import { type OwnedConnections, ownedConnections } from './connections/owned-connections.ts'
import { deliveryMetrics } from './deliveries/delivery.metrics.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { deliveryService } from './deliveries/delivery.service.ts'
import { deliveryWriter } from './deliveries/delivery-writer.ts'
import { ingestService } from './deliveries/ingest.service.ts'
import { deliveryProcessor } from './deliveries/process-delivery.ts'
import { processingJob } from './deliveries/processing.job.ts'
import { processingService } from './deliveries/processing.service.ts'
import { receivingRoutes } from './deliveries/receiving.routes.ts'
import { type InboundLimits, receivingService } from './deliveries/receiving.service.ts'
import { type ConfirmSubscription, confirmSnsSubscription } from './deliveries/subscription-confirmation.ts'
import type { Handlers, Process } from './processing.ts'
import { inboundSchemes } from './schemes/inbound-schemes.ts'
import { providerDocuments } from './schemes/provider-documents.ts'
import { inboundTables } from './tenant-tables.ts'

export { sealedWebhookSecrets } from './connections/connection-secrets.ts'
export type { OwnedConnections } from './connections/owned-connections.ts'
export type {
  Effect,
  Handle,
  HandleIntegrationHint,
  HandleIssue,
  HandleMail,
  HandleMailReport,
  HandleMention,
  ReceivedDelivery,
} from './processing.ts'
export type { LinkedIssue } from './readers/issue.rules.ts'
export type { IssueUpdate as IssueForm, Mail, ReceivedMail } from './readers/normalized-delivery.ts'
export type { Channel } from './scheme.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** Its organization changed. Null: it has none now. */
    'webhook.connection.moved': { tenantId: string; connectionId: string; orgId: string | null }
  }
}

export type InboundDeps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  audit: Audit
  quotas: Quotas
  secrets: Secrets
  metrics: Metrics
  events: EventBus
  jobs: Jobs & RowJobs
  rateCounter: RateCounter
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  /** Whether the tenant has this organization. */
  orgExists(scope: TenantScope, orgId: string): Promise<boolean>
  isEmbedded: boolean
  soleTenant: EnvironmentDeps['soleTenant']
  handlers: Handlers
}

/** Settings from the environment, and parts that tests replace. */
export type InboundSettings = {
  environment: EnvironmentSettings
  limits: InboundLimits
  schemes: Schemes
  process: Process
  confirm: ConfirmSubscription
}

// Slack may send 30,000 events an hour for each workspace: 7,500 in a rate limit window of 15 minutes.
const defaultLimits = { connectionMax: 10_000, strangersMax: 1000 }

export type Inbound = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  prepare(): Promise<void>
  /** Whether the tenant has this connection. */
  connectionExists(scope: TenantScope, id: string): Promise<boolean>
  /** Connections of services that are set up elsewhere. */
  ownedConnections: OwnedConnections
}

/** Inbound webhooks: connections, the deliveries to them, their log, and their effects. */
export function inbound(inboundDeps: InboundDeps, settings: Partial<InboundSettings> = {}): Inbound {
  const { platform, clock } = inboundDeps
  const deps = {
    ...inboundDeps,
    count: deliveryMetrics(inboundDeps.metrics),
    secrets: connectionSecrets(inboundDeps.secrets),
    environment: { tenant: null, values: new Map() },
    limits: defaultLimits,
    schemes: inboundSchemes({ ...providerDocuments(), clock }),
    process: deliveryProcessor(inboundDeps.handlers),
    confirm: confirmSnsSubscription,
    ...settings,
  }
  const connections = connectionService(deps)
  const environment = environmentService(deps)
  const ingest = ingestService({ ...deps, write: deliveryWriter(deps) })
  const processing = processingService(deps)
  const deliveries = deliveryService(deps)
  const samples = sampleService({ ...deps, ingest, processing })
  const administration = [...connectionRoutes({ ...deps, connections }), sampleRoute(samples)]
  const logged = deliveryRoutes({ deliveries })
  const adminMounts = [tenantMount(base, inboundDeps.tenantExists)]
  return {
    tenantTables: inboundTables,
    connectionExists,
    ownedConnections: ownedConnections({ ...deps, connections }),
    // At every start: changes of INBOUND_SECRETS apply from now on.
    prepare: environment.settle,
    routes: [
      ...receivingRoutes(receivingService({ ...deps, ingest, environment }), deps.limits.connectionMax),
      ...administration,
      ...mount(administration, adminMounts),
      ...logged,
      ...mount(logged, adminMounts),
    ],
    jobs: [
      { ...jobHandler(processingJob, processing.job), onExhausted: processing.onExhausted },
      // The name is stored with the jobs.
      housekeeping('assistant.webhooks.retire', '17 * * * *', async () => {
        await deliveries.deleteExpired(platform)
        // A safety net for several nodes: one that failed after a tenant's event would otherwise leave old connections.
        await environment.settle()
      }),
    ],
  }
}
