import { systemCaller } from '../../kernel/caller.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'
import { inTenant } from '../../storage/scope.ts'
import { findMembership } from '../membership.store.ts'
import type { Members } from './member.service.ts'
import { countOwners, findSuccessor, lockOrganizationsOf } from './member.store.ts'

type Deps = { members: Members; eraseOrganization(tx: TenantScope, orgId: string): Promise<void> }

/**
 * Ends all memberships of a user who is being removed. An organization that loses its only owner gets the one who has been
 * there longest as owner, or is deleted if there are only viewers. The system itself does that, and not who removes the user.
 */
export function membershipEnder({ members, eraseOrganization }: Deps) {
  return async (scope: Scope, { tenantId, userId }: { tenantId: string; userId: string }): Promise<void> => {
    const own = inTenant(scope, tenantId)
    const tx = { ...own, caller: systemCaller }
    // All before the first membership ends: that locks meetings and tasks, which come after organizations.
    for (const orgId of await lockOrganizationsOf(tx, userId)) {
      // It may have ended while the locks were waited for.
      const membership = await findMembership(tx, { orgId, userId })
      if (membership === null) continue
      const isLastOwner = membership.role === 'owner' && (await countOwners(tx, orgId)) === 1
      const successor = isLastOwner ? await findSuccessor(tx, orgId) : null
      if (isLastOwner && successor === null) {
        await eraseOrganization(tx, orgId)
        continue
      }
      if (successor !== null) await members.makeOwner(tx, { orgId, userId: successor })
      await members.end(tx, { orgId, userId })
    }
  }
}
