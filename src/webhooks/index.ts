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
import { attemptService } from './deliveries/attempt.service.ts'
import { attemptMetrics } from './deliveries/delivery.metrics.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { deliver } from './deliveries/delivery.rules.ts'
import { deliveryService } from './deliveries/delivery.service.ts'
import { senderOf } from './deliveries/send.ts'
import { endpointRoutes } from './endpoints/endpoint.routes.ts'
import { endpointService } from './endpoints/endpoint.service.ts'
import { signingSecrets } from './endpoints/endpoint-secrets.ts'
import { dropMessages } from './events/message.store.ts'
import { publishing } from './events/publish.ts'
import { tellTenants } from './events/subscriptions.ts'
import { webhookTables } from './tenant-tables.ts'

export { sealedSigningSecrets } from './endpoints/endpoint-secrets.ts'

export type WebhookSettings = {
  /** For development: plain HTTP, any port, and addresses of the own network. */
  allowPrivate: boolean
}

export type WebhookDeps = {
  /** In the name of the system: upkeep over all tenants. */
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

export type Webhooks = { routes: Route[]; jobs: JobHandler[]; tenantTables: TenantTable[] }

/** For the whole of one try (Standard Webhooks 1.0.0 asks for 15 to 30 s). */
const timeoutMs = 20_000
const retentionMs = 30 * 24 * 3600 * 1000

/** Events to tenants: where to, what, and how each delivery went. */
export function webhooks(given: WebhookDeps): Webhooks {
  const { platform, clock, events, settings } = given
  const reach = settings.allowPrivate ? 'any' : 'public'
  const { publish, sendTo } = publishing(given)
  const deps = { ...given, reach, publish, sendTo, secrets: signingSecrets(given.secrets) } as const
  const deliveries = deliveryService(deps)
  const onAttempt = attemptMetrics(deps)
  const attempt = attemptService({ ...deps, onAttempt, send: senderOf({ reach, timeoutMs }), random: Math.random })
  tellTenants({ events, publish, clock })
  const adminMount = tenantMount(base, given.tenantExists)
  return {
    routes: [
      ...endpointRoutes({ endpoints: endpointService(deps), adminMount }),
      ...deliveryRoutes({ deliveries, adminMount }),
    ],
    jobs: [
      jobHandler(deliver, attempt),
      housekeeping('webhooks.messages.drop-old', '23 * * * *', ({ signal }) =>
        dropMessages(platform, new Date(clock.now().getTime() - retentionMs), signal),
      ),
      housekeeping('webhooks.deliveries.remember', '*/10 * * * *', () => deliveries.remember(platform)),
    ],
    tenantTables: webhookTables,
  }
}
