import { type Limits, refuseOverQuota } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { ownMax } from './integration.rules.ts'
import { countIntegrations, countOfOwner, type Owner } from './integration.store.ts'

/** Refuses QUOTA_EXCEEDED if the owner or the tenant can have no more. The tenant is locked. */
export async function refuseOverLimits(tx: TenantScope, owner: Owner, limits: Limits): Promise<void> {
  const max = owner.orgId === null ? ownMax.user : ownMax.org
  if ((await countOfOwner(tx, owner)) >= max)
    throw new Refusal('QUOTA_EXCEEDED', {
      detail: `${owner.orgId === null ? 'A user' : 'An organization'} can have at most ${max} integrations.`,
    })
  if (limits.maxIntegrations !== null)
    refuseOverQuota('maxIntegrations', limits.maxIntegrations, await countIntegrations(tx))
}
