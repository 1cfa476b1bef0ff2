import type { RateCounter } from '../../http/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import type { Audit, Quotas } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { type Jobs, type JobWork, work } from '../../storage/jobs/jobs.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { connectionRoutes } from './connections/connection.routes.ts'
import type { Schemes } from './connections/connection.rules.ts'
import { connectionService } from './connections/connection.service.ts'
import { connectionSecrets } from './connections/connection-secrets.ts'
import type { Confirm } from './deliveries/confirmation.ts'
import { deliveryMetrics } from './deliveries/delivery.metrics.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { deliveryService } from './deliveries/delivery.service.ts'
import { intakeService } from './deliveries/intake.service.ts'
import { processingJob } from './deliveries/processing.job.ts'
import { processingService } from './deliveries/processing.service.ts'
import { receivingRoutes } from './deliveries/receiving.routes.ts'
import { type InboundLimits, receivingService } from './deliveries/receiving.service.ts'
import { trialService } from './deliveries/trial.service.ts'
import type { Process } from './processing.ts'
import { scopeOver } from './sides.ts'

export type InboundDeps = {
  platform: PlatformScope
  clock: Clock
  audit: Audit
  quotas: Quotas
  secrets: Secrets
  metrics: Metrics
  jobs: Jobs
  rateCounter: RateCounter
  limits: InboundLimits
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  schemes: Schemes
  process: Process
  /** How a topic is told that it is wanted. */
  confirm: Confirm
}

const retiring = {
  name: 'assistant.webhooks.retire',
  attemptsMax: 3,
  backoffSeconds: 60,
  timeoutSeconds: 300,
  cron: '17 * * * *',
}

/** The receiving side of webhooks: connections, what is delivered to them, and the log of it. */
export function inbound(given: InboundDeps): { routes: Route[]; jobs: JobWork[] } {
  const count = deliveryMetrics(given.metrics)
  const deps = { ...given, count, secrets: connectionSecrets(given.secrets) }
  const connections = connectionService(deps)
  const intakes = intakeService(deps)
  const processing = processingService(deps)
  const deliveries = deliveryService(deps)
  const trials = trialService({ ...deps, intakes, processing })
  const scopeOf = scopeOver(given.tenantExists)
  return {
    routes: [
      ...receivingRoutes(receivingService({ ...deps, intakes }), given.limits.connectionMax),
      ...connectionRoutes({ ...deps, connections, trials, scopeOf }),
      ...deliveryRoutes({ deliveries, scopeOf }),
    ],
    jobs: [work(processingJob, processing.job), work(retiring, () => deliveries.retire(given.platform))],
  }
}
