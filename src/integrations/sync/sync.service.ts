import { createHash } from 'node:crypto'
import type { HandleIntegrationHint } from '../../inbound/index.ts'
import { housekeeping, type JobHandler, type JobKind, type Jobs, jobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { FeatureName } from '../../providers/provider.ts'
import { ReadFailure } from '../../providers/read-failure.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import type { Checked } from '../integrations/check.service.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import { findIntegration } from '../integrations/integration.store.ts'
import type { IntegrationAccess } from '../integrations/integration-access.ts'
import { causeOf } from '../tokens/failure-cause.ts'
import { listDue, listOfAccount, noteSync } from './sync.store.ts'

/** Brings over what changed for one feature. Throws ReadFailure, GrantFailure and ProviderUnreachable. */
export type FeatureSync = (scope: TenantScope, integration: Integration, signal: AbortSignal) => Promise<void>

export type SyncDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  events: EventBus
  access: IntegrationAccess
  features: Partial<Record<FeatureName, FeatureSync>>
  channels: { keep(scope: TenantScope, integration: Integration, feature: FeatureName): Promise<void> }
}

export type Syncs = ReturnType<typeof syncService>

/** Without `feature`: all that are on. */
type SyncJob = { integrationId: string; feature?: FeatureName }
/** One integration is read by one job at a time. A provider that fails is asked again by the clock. */
const syncJob: JobKind<SyncJob> = {
  name: 'integrations.sync.run',
  attemptsMax: 2,
  backoffSeconds: 30,
  timeoutSeconds: 600,
  order: 'key',
}

const minuteMs = 60_000
/** A little less than how often the clock asks: a quarter of an hour for calendars, an hour for the rest. */
const everyMs = (feature: FeatureName) => (feature === 'calendar' ? 14 : 59) * minuteMs
/** Somebody waits for the answer. */
const syncNowMs = 20_000
const dueMax = 2_000
const hintEveryMs = 5_000
const sameAccountMax = 20

/** Brings over what changed at the providers: by the clock, after a hint, and by hand. */
export function syncService({ platform, clock, jobs, events, access, features, channels }: SyncDeps) {
  const known = Object.keys(features) as FeatureName[]

  /** Refuses NOT_FOUND and INSUFFICIENT_ROLE. That the provider fails is a result. */
  async function syncNow(scope: TenantScope, user: { id: string }, id: string): Promise<Checked> {
    const integration = await access.change(scope, user, id)
    const causes = await runAll(scope, integration, { features: known, signal: AbortSignal.timeout(syncNowMs) })
    // The rest comes by itself.
    if (causes.includes('TIMED_OUT')) await enqueue(scope, { tenantId: scope.tenantId, integrationId: id })
    const cause = causes[0] ?? null
    return { integration: await access.see(scope, user, id), result: { ok: cause === null, cause } }
  }

  /** What went wrong. One feature that fails does not keep the others from being read. */
  async function runAll(
    scope: TenantScope,
    integration: Integration,
    { features: wanted, signal }: { features: readonly FeatureName[]; signal: AbortSignal },
  ): Promise<string[]> {
    const causes: string[] = []
    for (const { name: feature, status } of integration.features) {
      const sync = wanted.includes(feature) ? features[feature] : undefined
      if (sync === undefined || status !== 'on') continue
      const cause = await causeOf(() => read(() => sync(scope, integration, signal)))
      await noteSync(scope, { integrationId: integration.id, feature, cause, now: clock.now() })
      if (cause !== null) causes.push(cause)
    }
    return causes
  }

  const enqueue = (scope: PlatformScope | TenantScope, { tenantId, ...data }: SyncJob & { tenantId: string }) =>
    jobs.enqueue(scope, syncJob, { data, tenantId, key: data.integrationId })

  events.on('integration.connected', enqueue)

  /** However many messages come within some seconds, all is read once, after the last of them. */
  async function enqueueHinted(tx: TenantScope, integrationId: string): Promise<void> {
    const runAt = new Date((Math.floor(clock.now().getTime() / hintEveryMs) + 1) * hintEveryMs)
    const hash = createHash('sha256').update(`hint ${integrationId} ${runAt.toISOString()}`).digest()
    const id = derivedId(runAt, hash)
    await jobs.enqueue(tx, syncJob, { id, data: { integrationId }, tenantId: tx.tenantId, key: integrationId, runAt })
  }

  /** A provider says that something has changed. False: nothing is read there. */
  const takeHint: HandleIntegrationHint = async (tx, { integrationId }, hint) => {
    const named =
      hint.kind === 'integration.hint' && hint.accountId !== null ? { ...hint, accountId: hint.accountId } : null
    const ids =
      integrationId !== null
        ? [integrationId]
        : named === null
          ? []
          : await listOfAccount(tx, { ...named, limit: sameAccountMax })
    for (const id of ids) await enqueueHinted(tx, id)
    return ids.length > 0
  }

  const handlers: JobHandler[] = [
    jobHandler(syncJob, async ({ scope, data, signal }) => {
      const tenant = scope as TenantScope
      const integration = await findIntegration(tenant, data.integrationId)
      // What fails is tried again by the clock: a provider that is down needs no jobs that wait for it.
      if (integration?.status !== 'active') return
      const wanted = data.feature === undefined ? known : [data.feature]
      await runAll(tenant, integration, { features: wanted, signal })
      for (const { name, status } of integration.features)
        if (status === 'on' && wanted.includes(name)) await channels.keep(tenant, integration, name)
    }),
    housekeeping('integrations.calendars.poll', '*/15 * * * *', async () => {
      for (const feature of known) {
        const before = new Date(clock.now().getTime() - everyMs(feature))
        for (const { tenantId, id } of await listDue(platform, { feature, before, limit: dueMax }))
          await enqueue(scopeToTenant(platform, tenantId), { tenantId, integrationId: id, feature })
      }
    }),
  ]
  return { syncNow, takeHint, handlers }
}

async function read(sync: () => Promise<void>): Promise<string | null> {
  try {
    await sync()
    return null
  } catch (error) {
    if (error instanceof ReadFailure) return error.reason
    throw error
  }
}
