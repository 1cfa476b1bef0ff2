import { isId } from '../kernel/ids.ts'
import { notFound } from '../kernel/refusal.ts'
import type { TenantScope } from '../storage/scope.ts'
import {
  findMembership,
  findOwnOrganization,
  lockOrganizationRow,
  type Organization,
  type OwnOrganization,
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

/** An organization, whoever asks: for administrators and the system itself. Refuses NOT_FOUND. */
export async function lockAnyOrganization(tx: TenantScope, orgId: string): Promise<Organization> {
  const organization = isId(orgId) ? await lockOrganizationRow(tx, orgId) : null
  if (organization === null) throw notFound()
  return organization
}

/** The target of an audit entry about an organization. */
export function auditTarget({ id }: { id: string }): { type: string; id: string } {
  return { type: 'org', id }
}
