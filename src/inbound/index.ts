import type { RateCounter } from '../http/limits/rate-limit.ts'
import { tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Quotas } from '../usage/index.ts'
import { base } from './access.ts'
import { connectionRoutes } from './connections/connection.routes.ts'
import type { Schemes } from './connections/connection.rules.ts'
import { connectionService } from './connections/connection.service.ts'
import { connectionSecrets } from './connections/connection-secrets.ts'
import {
  type EnvironmentDeps,
  type EnvironmentSettings,
  environmentService,
} from './connections/environment.service.ts'
import { type Confirm, confirmAtSns } from './deliveries/confirmation.ts'
import { deliveryMetrics } from './deliveries/delivery.metrics.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { deliveryService } from './deliveries/delivery.service.ts'
import { intakeService } from './deliveries/intake.service.ts'
import { deliveryProcessing } from './deliveries/process-delivery.ts'
import { processingJob } from './deliveries/processing.job.ts'
import { processingService } from './deliveries/processing.service.ts'
import { receivingRoutes } from './deliveries/receiving.routes.ts'
import { type InboundLimits, receivingService } from './deliveries/receiving.service.ts'
import { storing } from './deliveries/storing.ts'
import { trialService } from './deliveries/trial.service.ts'
import type { Handlers, Process } from './processing.ts'
import { inboundSchemes } from './schemes/inbound-schemes.ts'
import { providerDocuments } from './schemes/provider-fetch.ts'
import { inboundTables } from './tenant-tables.ts'

export { sealedWebhookSecrets } from './connections/connection-secrets.ts'
export type { Effect, HandleIssue, HandleMail, HandleMention, Received } from './processing.ts'
export type { LinkedIssue } from './readers/issue.rules.ts'
export type { IssueForm, Mail } from './readers/normal-form.ts'
export type { Channel } from './scheme.ts'

export type InboundDeps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  audit: Audit
  quotas: Quotas
  secrets: Secrets
  metrics: Metrics
  jobs: Jobs
  rateCounter: RateCounter
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  isEmbedded: boolean
  soleTenant: EnvironmentDeps['soleTenant']
  handlers: Handlers
}

/** What the environment says, and what a test has otherwise. */
export type InboundSettings = {
  environment: EnvironmentSettings
  limits: InboundLimits
  schemes: Schemes
  process: Process
  /** How a topic is told that it is wanted. */
  confirm: Confirm
}

// Slack may send 30,000 events an hour for each workspace: 7,500 in the 15 minutes of the rate limits.
const standardLimits = { connectionMax: 10_000, strangersMax: 1000 }

export type Inbound = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  prepare(): Promise<void>
}

/** The receiving side of webhooks: connections, what is delivered to them, the log of it, and what it leads to. */
export function inbound(given: InboundDeps, settings: Partial<InboundSettings> = {}): Inbound {
  const { platform, clock } = given
  const deps = {
    ...given,
    count: deliveryMetrics(given.metrics),
    secrets: connectionSecrets(given.secrets),
    environment: { tenant: null, values: new Map() },
    limits: standardLimits,
    schemes: inboundSchemes({ ...providerDocuments(), clock }),
    process: deliveryProcessing(given.handlers),
    confirm: confirmAtSns,
    ...settings,
  }
  const connections = connectionService(deps)
  const environment = environmentService(deps)
  const intakes = intakeService({ ...deps, store: storing(deps) })
  const processing = processingService(deps)
  const deliveries = deliveryService(deps)
  const trials = trialService({ ...deps, intakes, processing })
  const adminMount = tenantMount(base, given.tenantExists)
  return {
    tenantTables: inboundTables,
    // At the start: whoever took a secret out of the environment, or put another in, means from now on.
    prepare: () => environment.settle(platform),
    routes: [
      ...receivingRoutes(receivingService({ ...deps, intakes, environment }), deps.limits.connectionMax),
      ...connectionRoutes({ ...deps, connections, trials, adminMount }),
      ...deliveryRoutes({ deliveries, adminMount }),
    ],
    jobs: [
      { ...jobHandler(processingJob, processing.job), onExhausted: processing.onExhausted },
      housekeeping('assistant.webhooks.retire', '17 * * * *', async () => {
        // The tenant that is meant may have been made or deleted since, also where nobody delivers.
        await environment.settle(platform)
        await deliveries.retire(platform)
      }),
    ],
  }
}
