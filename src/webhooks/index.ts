import { tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Quotas } from '../usage/index.ts'
import { base } from './access.ts'
import { attemptService } from './attempts/attempt.service.ts'
import { attemptMetrics } from './attempts/delivery.metrics.ts'
import { createSender } from './attempts/send.ts'
import { deliveryJob } from './delivery-job.ts'
import { urlHint } from './endpoint.rules.ts'
import { signingSecrets } from './endpoint-secrets.ts'
import { deliveryRoutes } from './endpoints/delivery.routes.ts'
import { deliveryService } from './endpoints/delivery.service.ts'
import { endpointRoutes } from './endpoints/endpoint.routes.ts'
import { endpointService } from './endpoints/endpoint.service.ts'
import { type FailingEndpoint, readFailingEndpoints } from './endpoints/failing-endpoint.store.ts'
import { eventTypeRoute } from './event-types/event-type.routes.ts'
import { webhookOperations } from './event-types/webhook-operations.ts'
import { deleteOldMessages } from './events/message.store.ts'
import { eventPublisher } from './events/publish.ts'
import { publishTenantEvents } from './events/subscriptions.ts'
import { webhookTables } from './tenant-tables.ts'

export { sealedSigningSecrets } from './endpoint-secrets.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** An endpoint has taken a message. Emitted once for each of them. */
    'webhook.delivered': { tenantId: string }
  }
}

export type WebhookSettings = {
  /** For development: allows plain HTTP, any port and private networks. */
  allowPrivate: boolean
}

export type WebhookDeps = {
  /** The system's own scope, for maintenance over all tenants. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  audit: Audit
  quotas: Quotas
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  jobs: Jobs
  settings: WebhookSettings
}

export type Webhooks = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** Endpoints of all tenants whose last delivery failed. Addresses may hold secrets, so only hints are told. */
  failingEndpoints(
    platform: PlatformScope,
  ): Promise<{ total: number; endpoints: (Omit<FailingEndpoint, 'url'> & { urlHint: string })[] }>
  /** The events, for the OpenAPI document. */
  operations: () => Record<string, object>
}

/** For one whole attempt (Standard Webhooks 1.0.0 asks for 15 to 30 s). */
const timeoutMs = 20_000
const retentionMs = 30 * 24 * 3600 * 1000

/** Events sent to tenants: endpoints, messages and deliveries. */
export function webhooks(given: WebhookDeps): Webhooks {
  const { platform, clock, events, settings } = given
  const allowedHosts = settings.allowPrivate ? 'any' : 'public'
  const { publish, sendTo } = eventPublisher(given)
  const deps = { ...given, allowedHosts, publish, sendTo, secrets: signingSecrets(given.secrets) } as const
  const deliveries = deliveryService(deps)
  const onAttempt = attemptMetrics(deps)
  const attempt = attemptService({
    ...deps,
    onAttempt,
    send: createSender({ allowedHosts, timeoutMs }),
    random: Math.random,
  })
  publishTenantEvents({ events, publish, clock })
  const adminMount = tenantMount(base, given.tenantExists)
  return {
    routes: [
      eventTypeRoute(),
      ...endpointRoutes({ endpoints: endpointService(deps), adminMount }),
      ...deliveryRoutes({ deliveries, adminMount }),
    ],
    jobs: [
      jobHandler(deliveryJob, attempt),
      housekeeping('webhooks.messages.drop-old', '23 * * * *', ({ signal }) =>
        deleteOldMessages(platform, new Date(clock.now().getTime() - retentionMs), signal),
      ),
      housekeeping('webhooks.deliveries.remember', '*/10 * * * *', () => deliveries.remember(platform)),
    ],
    tenantTables: webhookTables,
    failingEndpoints: async (scope) => {
      const { total, endpoints } = await readFailingEndpoints(scope)
      return { total, endpoints: endpoints.map(({ url, ...rest }) => ({ ...rest, urlHint: urlHint(url) })) }
    },
    operations: webhookOperations,
  }
}
