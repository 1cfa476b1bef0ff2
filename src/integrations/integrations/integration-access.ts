import { isId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { OrganizationMembers, OrgRole } from '../../organizations/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Integration } from './integration.rules.ts'
import { findIntegration, lockIntegration } from './integration.store.ts'

type User = { id: string }

export type IntegrationAccess = ReturnType<typeof integrationAccess>

/** Who sees and changes an integration: a user's own the user alone, an organization's its members and its admins. */
export function integrationAccess(members: OrganizationMembers) {
  /** Refuses INSUFFICIENT_ROLE, and NOT_FOUND to those who may not even see it. */
  async function require(scope: TenantScope, user: User, integration: Integration | null, least: OrgRole) {
    if (integration === null) throw notFound()
    if (integration.orgId === null) {
      if (integration.userId !== user.id) throw notFound()
      return integration
    }
    // One that nobody confirmed is known only to the user who began it.
    if (integration.status === 'pending' && integration.connectedBy !== user.id) throw notFound()
    await members.get(scope, user, { orgId: integration.orgId, least })
    return integration
  }

  const find = async (scope: TenantScope, id: string) => (isId(id) ? findIntegration(scope, id) : null)

  return {
    requireAdmin: (scope: TenantScope, user: User, orgId: string) =>
      members.get(scope, user, { orgId, least: 'admin' }),
    requireMember: (scope: TenantScope, user: User, orgId: string) => members.get(scope, user, { orgId }),
    see: async (scope: TenantScope, user: User, id: string) => require(scope, user, await find(scope, id), 'viewer'),
    /** To send an action through it. */
    use: async (scope: TenantScope, user: User, id: string) => require(scope, user, await find(scope, id), 'member'),
    change: async (scope: TenantScope, user: User, id: string) => require(scope, user, await find(scope, id), 'admin'),
    /** The same, locked until the transaction ends. The organization, which is locked first, keeps its members. */
    lockToChange: async (tx: TenantScope, user: User, id: string): Promise<Integration> => {
      const found = await find(tx, id)
      if (found !== null && found.orgId !== null) await members.holdRole(tx, { orgId: found.orgId, userId: user.id })
      return require(tx, user, found === null ? null : await lockIntegration(tx, id), 'admin')
    },
  }
}
