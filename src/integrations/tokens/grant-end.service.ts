import type { Clock } from '../../kernel/clock.ts'
import type { Counter, Labelled, Metrics } from '../../kernel/metrics.ts'
import type { ProviderName } from '../../providers/provider.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, type Scope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { claimUntold, listOfOtherClients, markReauthRequired, type TokenRow } from './token.store.ts'

export type GrantEndDeps = {
  clock: Clock
  metrics: Metrics
  events: EventBus
  /** Writes to the user who connected it. */
  tellOwner(tx: TenantScope, integrationId: string): Promise<void>
}

const weekMs = 7 * 24 * 3600_000
const batch = 100

/** What happens when a grant is dead: no further request, an event, and a mail at most once a week. */
export function grantEnd({ clock, metrics, events, tellOwner }: GrantEndDeps) {
  const dead: Labelled<Counter> = metrics.counter({
    name: 'integration_dead_grants_total',
    help: 'Grants that ended at their provider, by provider and cause.',
    labels: ['provider', 'cause'],
  })

  const endGrant = (
    scope: TenantScope,
    { id, version, provider }: Pick<TokenRow, 'id' | 'version' | 'provider'>,
    cause: string,
  ): Promise<void> =>
    transaction(scope, async (tx) => {
      const now = clock.now()
      const marked = await markReauthRequired(tx, {
        id,
        version,
        cause,
        toldBefore: new Date(now.getTime() - weekMs),
        now,
      })
      if (marked === null) return
      tx.handle.afterCommit(() => dead(provider, cause).add())
      await events.emit(tx, 'integration.reauth_required', { tenantId: tx.tenantId, integrationId: id })
      if (marked.isUntold) await tellOwner(tx, id)
    })

  /** @param clientId null: the app no longer exists. */
  async function endGrantsOfOtherClients(
    tx: Scope,
    { provider, clientId }: { provider: ProviderName; clientId: string | null },
  ): Promise<void> {
    for (const { tenantId, id, version } of await listOfOtherClients(tx, { provider, clientId }))
      await endGrant(tx.kind === 'tenant' ? tx : scopeToTenant(tx, tenantId), { id, version, provider }, 'APP_CHANGED')
  }

  /** Writes again to owners who have not connected for a week. */
  async function remind(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const before = new Date(now.getTime() - weekMs)
    const next = () =>
      transaction(platform, async (tx) => {
        const claimed = await claimUntold(tx, { before, now, limit: batch })
        for (const { tenantId, id } of claimed) await tellOwner(scopeToTenant(tx, tenantId), id)
        return claimed.length
      })
    while ((await next()) === batch) {
      // Until none is left.
    }
  }

  return { endGrant, endGrantsOfOtherClients, remind }
}
