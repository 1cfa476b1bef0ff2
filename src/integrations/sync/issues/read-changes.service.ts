import type { JobRun } from '../../../jobs/jobs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ReadFailure } from '../../../providers/read-failure.ts'
import { type TrackerApi, TrackerRefusal } from '../../../providers/trackers/tracker.ts'
import { trackerOf } from '../../../providers/trackers/trackers.ts'
import { type TenantScope, transaction } from '../../../storage/scope.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import { findIntegration } from '../../integrations/integration.store.ts'
import { GrantFailure } from '../../tokens/grant-failure.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { type Followed, listContainers, saveReadAt } from './container.store.ts'
import { findLink, listLinksOfIssues } from './issue.store.ts'
import { isNewsOf } from './issue-merge.rules.ts'
import type { IssueSync, ReadJob } from './issue-sync.service.ts'

export type ReadDeps = { clock: Clock; callApi: CallApi; sync: IssueSync }

/** Clocks differ, and an index may be late. */
const overlapMs = 10 * 60_000
const busyMs = 5_000

/** Reads what has changed in trackers: one issue after a hint, and every hour all that a webhook may have lost. */
export function changeReader({ clock, callApi, sync }: ReadDeps) {
  const apiOf = (scope: TenantScope, { id, accountId }: Integration): TrackerApi => ({
    accountId,
    call: (toRequest) => callApi(scope, id, toRequest),
  })

  async function readIssue({ scope, data: { linkId } }: JobRun<ReadJob>): Promise<void> {
    const tenant = scope as TenantScope
    const link = await findLink(tenant, linkId)
    const integration = link === null ? null : await findIntegration(tenant, link.integrationId)
    // What is asked now is asked when the account is connected again.
    if (integration === null || !isFollowing(integration)) return
    const later = (at: Date) => transaction(tenant, (tx) => sync.enqueueRead(tx, linkId, at))
    try {
      const outcome = await sync.compare(tenant, { linkId, api: apiOf(tenant, integration), mayWrite: false })
      if (outcome === 'busy') await later(new Date(clock.now().getTime() + busyMs))
    } catch (error) {
      if (!(error instanceof GrantFailure)) throw error
      if (error.reason === 'HELD_UP' && error.retryAt !== null) await later(error.retryAt)
    }
  }

  /** Throws ReadFailure where the tracker refuses to tell. */
  async function readChanges(scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<void> {
    if (!isFollowing(integration)) return
    for (const followed of await listContainers(scope, integration.id)) {
      signal.throwIfAborted()
      await readContainer(scope, { integration, followed }).catch((error: unknown) => {
        if (error instanceof TrackerRefusal) throw new ReadFailure(`REFUSED_${error.status}`)
        throw error
      })
    }
  }

  async function readContainer(
    scope: TenantScope,
    { integration, followed }: { integration: Integration; followed: Followed },
  ): Promise<void> {
    const { provider, id: integrationId } = integration
    const tracker = trackerOf(provider)
    const now = clock.now()
    const since = new Date(followed.readAt.getTime() - overlapMs)
    for await (const issues of tracker.listChanged(apiOf(scope, integration), followed.container, { since, now })) {
      const byId = new Map(issues.map((issue) => [issue.id, issue]))
      const links = await listLinksOfIssues(scope, { integrationId, externalIds: [...byId.keys()] })
      for (const { id, externalId, common } of links) {
        const issue = byId.get(externalId ?? '')
        if (issue === undefined || common === null || !isNewsOf(common, issue.state, tracker.fields)) continue
        await transaction(scope, (tx) => sync.enqueueRead(tx, id, null))
      }
    }
    await saveReadAt(scope, { ...followed, readAt: now })
  }

  return { readIssue, readChanges }
}

function isFollowing({ status, features }: Integration): boolean {
  return status === 'active' && features.some((feature) => feature.name === 'tasks' && feature.status === 'on')
}
