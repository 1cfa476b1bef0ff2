import type { EventBus } from '../../storage/events.ts'
import { inTenant, type TenantScope } from '../../storage/scope.ts'
import type { Revocations } from '../tokens/revocation.service.ts'
import { detachRevocations, forgetConnector, takeNextOf } from '../tokens/revocation.store.ts'

/** The integrations of a user, an organization or a tenant end with it, and their grants are given back. */
export function endWithOwners({ events, revocations }: { events: EventBus; revocations: Revocations }): void {
  const endAll = async (tx: TenantScope, owner: Parameters<typeof takeNextOf>[1]): Promise<void> => {
    for (let grant = await takeNextOf(tx, owner); grant !== null; grant = await takeNextOf(tx, owner)) {
      await revocations.addTaken(tx, grant)
      // One that nobody has confirmed was never connected, and nobody is there to tell where a tenant is erased.
      if (grant.accessSealed !== null && owner !== 'tenant')
        await events.emit(tx, 'integration.disconnected', { tenantId: tx.tenantId, integrationId: grant.id })
    }
  }
  events.on('user.removed', async (tx, { tenantId, userId }) => {
    const scope = inTenant(tx, tenantId)
    await endAll(scope, { userId })
    await forgetConnector(scope, userId)
  })
  events.on('org.deleted', (tx, { tenantId, orgId }) => endAll(inTenant(tx, tenantId), { orgId }))
  events.on('tenant.erasing', async (tx, { tenantId }) => {
    await endAll(inTenant(tx, tenantId), 'tenant')
    await detachRevocations(tx, tenantId)
  })
}
