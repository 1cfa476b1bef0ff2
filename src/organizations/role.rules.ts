import { Refusal } from '../kernel/refusal.ts'

/** From the one who may do everything to the one who may only read. */
export const orgRoles = ['owner', 'admin', 'member', 'viewer'] as const
export type OrgRole = (typeof orgRoles)[number]

function isAtLeast(role: OrgRole, least: OrgRole): boolean {
  return orgRoles.indexOf(role) <= orgRoles.indexOf(least)
}

/** Refuses INSUFFICIENT_ROLE. */
export function requireRole(role: OrgRole, least: OrgRole): void {
  if (isAtLeast(role, least)) return
  throw new Refusal('INSUFFICIENT_ROLE', {
    detail: `Your role in the organization is ${role}. This needs the role ${least}${least === 'owner' ? '' : ' or a higher one'}.`,
  })
}

/** Admins manage viewers and members. Only owners manage admins and owners. */
export function mayManage(role: OrgRole, managed: OrgRole): boolean {
  return isAtLeast(role, roleToManage(managed))
}

/** Refuses INSUFFICIENT_ROLE. */
export function requireRoleToManage(role: OrgRole, managed: OrgRole): void {
  requireRole(role, roleToManage(managed))
}

function roleToManage(managed: OrgRole): OrgRole {
  return isAtLeast(managed, 'admin') ? 'owner' : 'admin'
}
