import { randomBytes } from 'node:crypto'
import type { OwnedConnections } from '../../../inbound/index.ts'
import type { JobKind, JobRun, Jobs } from '../../../jobs/jobs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ProviderName, ProviderRequest } from '../../../providers/provider.ts'
import { type Tracker, type TrackerApi, TrackerRefusal } from '../../../providers/trackers/tracker.ts'
import { findTracker, trackerOf } from '../../../providers/trackers/trackers.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../../storage/scope.ts'
import type { OAuthApps } from '../../apps/app.service.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import { findIntegration } from '../../integrations/integration.store.ts'
import { GrantFailure } from '../../tokens/grant-failure.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import type { TakenGrant } from '../../tokens/revocation.store.ts'
import { type Followed, listContainers, listHooksDue, saveHook, takeContainers } from './container.store.ts'

/** Makes and renews the webhooks of one integration. */
export const hooksJob: JobKind<{ integrationId: string }> = {
  name: 'integrations.hooks.keep',
  attemptsMax: 5,
  backoffSeconds: 30,
  timeoutSeconds: 300,
  order: 'key',
}

export type HookDeps = {
  platform: PlatformScope
  clock: Clock
  jobs: Jobs
  callApi: CallApi
  apps: Pick<OAuthApps, 'find'>
  connections: OwnedConnections
  /** The address of this service; null: providers cannot reach it. */
  address: string | null
}

const dayMs = 24 * 3600_000
const receivingPath = '/assistant/v1/webhooks/inbound/issue-tracker'
const schemes = { github: 'github', linear: 'linear', jira: 'jira-jwt' } as const
const dueMax = 1_000

/**
 * Webhooks at trackers, which we make, renew and withdraw ourselves. They only make changes arrive sooner: where a tracker refuses
 * one, it is asked every hour like all others, and for the webhook again once a day.
 */
export function hookService({ platform, clock, jobs, callApi, apps, connections, address }: HookDeps) {
  const enqueue = (tx: TenantScope, integrationId: string): Promise<void> =>
    jobs.enqueue(tx, hooksJob, { data: { integrationId }, tenantId: tx.tenantId, key: integrationId })

  async function run({ scope, data }: JobRun<{ integrationId: string }>): Promise<void> {
    const tenant = scope as TenantScope
    const integration = await findIntegration(tenant, data.integrationId)
    if (integration?.status !== 'active' || address === null) return
    const now = clock.now()
    for (const followed of await listContainers(tenant, integration.id))
      if (followed.renewAt <= now) await keep(tenant, integration, followed)
  }

  async function keep(scope: TenantScope, integration: Integration, followed: Followed): Promise<void> {
    const tracker = trackerOf(integration.provider)
    const api: TrackerApi = {
      accountId: integration.accountId,
      call: (toRequest) => callApi(scope, integration.id, toRequest),
    }
    const { lifeDays } = tracker.hooks
    // Renewed at half its life.
    const days = lifeDays === null ? 1 : lifeDays / 2
    const renewAt = new Date(clock.now().getTime() + days * dayMs)
    try {
      const actor = followed.actor ?? (await tracker.findActor(api))
      const { connectionId, hookId } = await hookOf(scope, { integration, followed, tracker, api })
      await save(scope, { ...followed, actor, connectionId, hookId, renewAt })
    } catch (error) {
      // When it is connected again, it is asked again.
      if (error instanceof GrantFailure && error.reason === 'REAUTH_REQUIRED') return
      const isRefused = error instanceof TrackerRefusal && error.status < 500 && error.status !== 429
      const isFull = error instanceof Refusal && error.code === 'QUOTA_EXCEEDED'
      if (!isRefused && !isFull) throw error
      await save(scope, { ...followed, hookId: null, renewAt: new Date(clock.now().getTime() + dayMs) })
    }
  }

  type Wanted = { integration: Integration; followed: Followed; tracker: Tracker; api: TrackerApi }

  async function hookOf(scope: TenantScope, { integration, followed, tracker, api }: Wanted) {
    const { connectionId: earlier, hookId, container } = followed
    const isKnown = earlier !== null && hookId !== null && (await connections.exists(scope, earlier))
    if (isKnown && (await tracker.hooks.renew(api, { container, hookId }))) return { connectionId: earlier, hookId }
    // One that was made before its answer was lost would never be deleted.
    const { secret, account } = await secretOf(scope, integration, tracker)
    const connectionId = await transaction(scope, async (tx) => {
      const name = `${integration.accountName ?? tracker.name}: ${container}`.slice(0, 100)
      const owned = { id: earlier, scheme: schemes[tracker.name], name, secret, account, integrationId: integration.id }
      const id = await connections.put(tx, owned)
      await saveHook(tx, { ...followed, connectionId: id })
      return id
    })
    const url = tracker.hooks.isAddressShared
      ? `${address}${receivingPath}`
      : `${address}${receivingPath}/${connectionId}`
    const lost = await tracker.hooks.find(api, { container, url })
    if (lost !== null) await callApi(scope, integration.id, tracker.hooks.removal(api, { container, hookId: lost }))
    return { connectionId, hookId: await tracker.hooks.create(api, { container, url, secret }) }
  }

  /** Jira signs with the secret of the app, and its deliveries name the site. */
  async function secretOf(scope: TenantScope, { provider, accountName }: Integration, tracker: Tracker) {
    if (!tracker.hooks.isAddressShared) return { secret: randomBytes(32).toString('base64url'), account: null }
    const app = await apps.find(scope, provider)
    if (app === null) throw new TrackerRefusal(400)
    return { secret: app.clientSecret, account: `${accountName}.atlassian.net` }
  }

  /** What was followed may have ended meanwhile: then its connection goes, too. */
  const save = (scope: TenantScope, followed: Followed): Promise<void> =>
    transaction(scope, async (tx) => {
      const isFollowed = await saveHook(tx, followed)
      if (!isFollowed && followed.connectionId !== null) await connections.remove(tx, followed.connectionId)
    })

  /** Ends the connections of an integration that goes, and says what is to be asked of its provider. */
  async function takeWithdrawals(
    tx: TenantScope,
    grant: Pick<TakenGrant, 'id' | 'accountId'> & { provider: ProviderName },
  ): Promise<((accessToken: string) => ProviderRequest)[]> {
    const tracker = findTracker(grant.provider)
    if (tracker === null) return []
    const taken = await takeContainers(tx, grant.id)
    for (const { connectionId } of taken) if (connectionId !== null) await connections.remove(tx, connectionId)
    return taken.flatMap(({ container, hookId }) =>
      hookId === null ? [] : [tracker.hooks.removal(grant, { container, hookId })],
    )
  }

  async function renewDue(): Promise<void> {
    for (const due of await listHooksDue(platform, { now: clock.now(), limit: dueMax }))
      await enqueue(scopeToTenant(platform, due.tenantId), due.id)
  }

  return { run, enqueue, renewDue, takeWithdrawals }
}
