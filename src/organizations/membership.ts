import { isId } from '../kernel/ids.ts'
import { notFound } from '../kernel/refusal.ts'
import type { TenantScope } from '../storage/scope.ts'
import {
  findMemberIds,
  findMembership,
  findOrganizationName,
  findOwnOrganization,
  holdOrganizationRow,
  listTimeZones,
  lockOrganizationRow,
  type Organization,
  type OwnOrganization,
  organizationExists,
} from './membership.store.ts'
import { type OrgRole, requireRole } from './role.rules.ts'

type Caller = { id: string }

/**
 * An organization of which the user is a member. Refuses NOT_FOUND, in the same way for a missing organization and for one
 * of others, and INSUFFICIENT_ROLE.
 */
export async function getOrganization(
  scope: TenantScope,
  user: Caller,
  { orgId, least = 'viewer' }: { orgId: string; least?: OrgRole },
): Promise<OwnOrganization> {
  const organization = isId(orgId) ? await findOwnOrganization(scope, { orgId, userId: user.id }) : null
  if (organization === null) throw notFound()
  requireRole(organization.role, least)
  return organization
}

/** The same, locked until the transaction ends. The role is read under the lock. */
export async function lockOrganization(
  tx: TenantScope,
  user: Caller,
  { orgId, least = 'viewer' }: { orgId: string; least?: OrgRole },
): Promise<OwnOrganization> {
  const organization = await lockAnyOrganization(tx, orgId)
  const membership = await findMembership(tx, { orgId, userId: user.id })
  if (membership === null) throw notFound()
  requireRole(membership.role, least)
  return { ...organization, role: membership.role }
}

/** An organization, without asking who may see it: for administrators and the system itself. Refuses NOT_FOUND. */
export async function lockAnyOrganization(tx: TenantScope, orgId: string): Promise<Organization> {
  const organization = isId(orgId) ? await lockOrganizationRow(tx, orgId) : null
  if (organization === null) throw notFound()
  return organization
}

/** What other capabilities may ask of organizations, and how they lock them. */
export const organizationMembers = {
  get: getOrganization,
  lock: lockOrganization,
  lockAny: lockAnyOrganization,
  requireRole,
  isMember: async (scope: TenantScope, member: { orgId: string; userId: string }): Promise<boolean> =>
    (await findMembership(scope, member)) !== null,
  exists: async (scope: TenantScope, orgId: string): Promise<boolean> =>
    isId(orgId) && (await organizationExists(scope, orgId)),
  /** Whether the organization exists; it then does until the transaction ends. */
  hold: async (tx: TenantScope, orgId: string): Promise<boolean> =>
    isId(orgId) && (await holdOrganizationRow(tx, orgId)),
  findName: findOrganizationName,
  listOwn: (scope: TenantScope, user: Caller) => listTimeZones(scope, user.id),
  /**
   * The role of a user, which stays as it is until the transaction ends, as do all members of the organization. Null for
   * an unknown organization and for who is no member. Call it before locking what belongs to the organization.
   */
  holdRole: async (tx: TenantScope, { orgId, userId }: { orgId: string; userId: string }): Promise<OrgRole | null> => {
    if (!isId(orgId) || !(await holdOrganizationRow(tx, orgId))) return null
    return (await findMembership(tx, { orgId, userId }))?.role ?? null
  },
  findAmong: findMemberIds,
}

/** The target of an audit entry about an organization. */
export function auditTarget({ id }: { id: string }): { type: string; id: string } {
  return { type: 'org', id }
}
