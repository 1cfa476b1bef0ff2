import { housekeeping, type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { Checked } from '../integrations/check.service.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import { findIntegration } from '../integrations/integration.store.ts'
import type { IntegrationAccess } from '../integrations/integration-access.ts'
import { causeOf } from '../oauth/failure-cause.ts'
import { deleteEventsBefore, listDueCalendars } from './calendar/calendar.store.ts'
import { SyncFailure } from './sync-failure.ts'

export type SyncDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  events: EventBus
  access: IntegrationAccess
  calendars: { sync(scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<void> }
}

export type Syncs = ReturnType<typeof syncService>

type SyncJob = { integrationId: string }
/** One integration is read by one job at a time. A provider that fails is asked again by the clock. */
const syncJob: JobKind<SyncJob> = {
  name: 'integrations.sync.run',
  attemptsMax: 2,
  backoffSeconds: 30,
  timeoutSeconds: 600,
  order: 'key',
}

const minuteMs = 60_000
/** A little less than a quarter of an hour, which is how often the clock asks. */
const calendarEveryMs = 14 * minuteMs
/** Somebody waits for the answer. */
const syncNowMs = 20_000
const eventDays = 30
const dueMax = 2_000

/** Brings over what changed at the providers, by the clock and by hand. */
export function syncService({ platform, clock, jobs, events, access, calendars }: SyncDeps) {
  /** Refuses NOT_FOUND and INSUFFICIENT_ROLE. That the provider fails is a result. */
  async function syncNow(scope: TenantScope, user: { id: string }, id: string): Promise<Checked> {
    const integration = await access.change(scope, user, id)
    const cause = await run(scope, integration, AbortSignal.timeout(syncNowMs))
    // The rest comes by itself.
    if (cause === 'TIMED_OUT') await enqueue(scope, { tenantId: scope.tenantId, id })
    return { integration: await access.see(scope, user, id), result: { ok: cause === null, cause } }
  }

  /** What went wrong; null: nothing. */
  const run = (scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<string | null> =>
    causeOf(async () => {
      const isOn = integration.features.some(({ name, status }) => name === 'calendar' && status === 'on')
      try {
        if (isOn) await calendars.sync(scope, integration, signal)
        return null
      } catch (error) {
        if (error instanceof SyncFailure) return error.reason
        throw error
      }
    })

  const enqueue = (scope: PlatformScope | TenantScope, { tenantId, id }: { tenantId: string; id: string }) =>
    jobs.enqueue(scope, syncJob, { data: { integrationId: id }, tenantId, key: id })

  events.on('integration.connected', (tx, { tenantId, integrationId: id }) => enqueue(tx, { tenantId, id }))

  const handlers: JobHandler[] = [
    jobHandler(syncJob, async ({ scope, data, signal }) => {
      const tenant = scope as TenantScope
      const integration = await findIntegration(tenant, data.integrationId)
      // What fails is tried again by the clock: a provider that is down needs no jobs that wait for it.
      if (integration?.status === 'active') await run(tenant, integration, signal)
    }),
    housekeeping('integrations.calendars.poll', '*/15 * * * *', async () => {
      const before = new Date(clock.now().getTime() - calendarEveryMs)
      for (const due of await listDueCalendars(platform, { before, limit: dueMax }))
        await enqueue(scopeToTenant(platform, due.tenantId), due)
    }),
    housekeeping('integrations.events.drop-old', '45 3 * * *', () =>
      deleteEventsBefore(platform, new Date(clock.now().getTime() - eventDays * 24 * 60 * minuteMs)),
    ),
  ]
  return { syncNow, handlers }
}
