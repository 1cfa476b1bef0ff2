import { type Limits, refuseOverQuota } from '../kernel/quota.ts'
import { many, maybeOne, one, run, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { OrgRole } from './role.rules.ts'

export type Organization = {
  id: string
  tenantId: string
  name: string
  timeZone: string
  memberCount: number
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** An organization as one of its members sees it. */
export type OwnOrganization = Organization & { role: OrgRole }

export type Membership = { userId: string; role: OrgRole }

/** The columns of an `Organization`; the table's alias must be `o`. */
export const organizationColumns = sql`o.id, o.tenant_id as "tenantId", o.name, o.time_zone as "timeZone",
  o.member_count as "memberCount", o.revision, o.created_at as "createdAt", o.updated_at as "updatedAt"`

/** Null for an unknown organization and for one in which the user is no member. */
export function findOwnOrganization(
  scope: TenantScope,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<OwnOrganization | null> {
  return maybeOne(
    scope,
    sql<OwnOrganization>`select ${organizationColumns}, m.role from organizations o
      join organization_members m on m.tenant_id = o.tenant_id and m.org_id = o.id and m.user_id = ${userId}
      where o.tenant_id = ${scope.tenantId} and o.id = ${orgId}`,
  )
}

/**
 * Locks the organization until the transaction ends. Every change of members holds this lock, so a role that is read under
 * it stays as it is. `no key update`: rows that refer to the organization do not wait for it.
 */
export function lockOrganizationRow(tx: TenantScope, orgId: string): Promise<Organization | null> {
  return maybeOne(
    tx,
    sql<Organization>`select ${organizationColumns} from organizations o
      where o.tenant_id = ${tx.tenantId} and o.id = ${orgId} for no key update`,
  )
}

/** Locks the organization against changes of its members. Others may hold the same lock. False for an unknown one. */
export async function holdOrganizationRow(tx: TenantScope, orgId: string): Promise<boolean> {
  const locked = sql`select from organizations where tenant_id = ${tx.tenantId} and id = ${orgId} for share`
  return (await maybeOne(tx, locked)) !== null
}

export async function findOrganizationName(scope: TenantScope, orgId: string): Promise<string | null> {
  const named = sql<{
    name: string
  }>`select name from organizations where tenant_id = ${scope.tenantId} and id = ${orgId}`
  return (await maybeOne(scope, named))?.name ?? null
}

export function findMembership(
  scope: TenantScope,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<Membership | null> {
  return maybeOne(
    scope,
    sql<Membership>`select user_id as "userId", role from organization_members
      where tenant_id = ${scope.tenantId} and org_id = ${orgId} and user_id = ${userId}`,
  )
}

export async function organizationExists(scope: TenantScope, orgId: string): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select id from organizations where tenant_id = ${scope.tenantId} and id = ${orgId}`,
  )
  return found !== null
}

/** The organizations of a user, with what says which day it is there. */
export function listTimeZones(scope: TenantScope, userId: string): Promise<{ id: string; timeZone: string }[]> {
  return many(
    scope,
    sql<{ id: string; timeZone: string }>`select o.id, o.time_zone as "timeZone" from organization_members m
      join organizations o on o.tenant_id = m.tenant_id and o.id = m.org_id
      where m.tenant_id = ${scope.tenantId} and m.user_id = ${userId} order by o.id`,
  )
}

/** Those of the users who are members. */
export async function findMemberIds(
  scope: TenantScope,
  { orgId, userIds }: { orgId: string; userIds: string[] },
): Promise<Set<string>> {
  const found = await many(
    scope,
    sql<{ id: string }>`select user_id as id from organization_members
      where tenant_id = ${scope.tenantId} and org_id = ${orgId} and user_id = any (${userIds}::uuid[])`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Whose address may be invited or may invite. */
export type Person = { email: string; emailVerified: boolean }

export function findPerson(scope: TenantScope, userId: string): Promise<Person | null> {
  return maybeOne(
    scope,
    sql<Person>`select email, email_verified as "emailVerified" from users
      where tenant_id = ${scope.tenantId} and id = ${userId}`,
  )
}

export async function isAddressOfMember(
  scope: TenantScope,
  { orgId, email }: { orgId: string; email: string },
): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select u.id from users u
      join organization_members m on m.tenant_id = u.tenant_id and m.user_id = u.id and m.org_id = ${orgId}
      where u.tenant_id = ${scope.tenantId} and u.email = ${email}`,
  )
  return found !== null
}

export async function countMembers(scope: TenantScope, orgId: string): Promise<number> {
  const { count } = await one(
    scope,
    sql<{ count: number }>`select member_count as count from organizations
      where tenant_id = ${scope.tenantId} and id = ${orgId}`,
  )
  return count
}

export type NewMember = { orgId: string; userId: string; role: OrgRole; now: Date }

/**
 * Takes a seat for somebody who is no member yet. One statement counts and compares, so two who race for the last seat
 * cannot both get it. Refuses QUOTA_EXCEEDED.
 */
export async function addMember(
  tx: TenantScope,
  { orgId, userId, role, now }: NewMember,
  { maxOrgMembers: max }: Pick<Limits, 'maxOrgMembers'>,
): Promise<void> {
  const seats = await run(
    tx,
    sql`update organizations set member_count = member_count + 1
      where tenant_id = ${tx.tenantId} and id = ${orgId} and (${max}::int is null or member_count < ${max})`,
  )
  if (seats === 0 && max !== null) refuseOverQuota('maxOrgMembers', max, max)
  await run(
    tx,
    sql`insert into organization_members (tenant_id, org_id, user_id, role, joined_at)
      values (${tx.tenantId}, ${orgId}, ${userId}, ${role}, ${now})`,
  )
}
