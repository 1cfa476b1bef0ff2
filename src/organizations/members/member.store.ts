import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { OrgRole } from '../role.rules.ts'

export type Member = {
  userId: string
  name: string | null
  email: string
  role: OrgRole
  joinedAt: Date
  notifyTasksDue: boolean
}

const columns = sql`m.user_id as "userId", u.name, u.email, m.role, m.joined_at as "joinedAt",
  m.notify_tasks_due as "notifyTasksDue"`
const source = sql`from organization_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id`

/** In the order in which they joined. */
export function listMembers(scope: TenantScope, orgId: string, page: PageRequest): Promise<Page<Member>> {
  return listPage<Member>(scope, page, {
    columns,
    from: sql`${source} where m.tenant_id = ${scope.tenantId} and m.org_id = ${orgId}`,
    orderBy: sql`m.joined_at, m.user_id`,
  })
}

/** Refuses NOT_FOUND. */
export function getMember(scope: TenantScope, { orgId, userId }: { orgId: string; userId: string }): Promise<Member> {
  return one(
    scope,
    sql<Member>`select ${columns} ${source}
      where m.tenant_id = ${scope.tenantId} and m.org_id = ${orgId} and m.user_id = ${userId}`,
  )
}

/** The organization must be locked. */
export async function countOwners(tx: TenantScope, orgId: string): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from organization_members
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and role = 'owner'`,
  )
  return total
}

export async function setRole(
  tx: TenantScope,
  { orgId, userId, role }: { orgId: string; userId: string; role: OrgRole },
): Promise<void> {
  await run(
    tx,
    sql`update organization_members set role = ${role}
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId}`,
  )
}

/** False: the user is no member. */
export async function setNotifications(
  scope: TenantScope,
  { orgId, userId, tasksDue }: { orgId: string; userId: string; tasksDue: boolean },
): Promise<boolean> {
  const changed = await run(
    scope,
    sql`update organization_members set notify_tasks_due = ${tasksDue}
      where tenant_id = ${scope.tenantId} and org_id = ${orgId} and user_id = ${userId}`,
  )
  return changed === 1
}

/** One statement: at no moment does the organization have no owner, and nobody sees two of them. */
export async function transferOwnership(
  tx: TenantScope,
  { orgId, fromUserId, toUserId }: { orgId: string; fromUserId: string; toUserId: string },
): Promise<void> {
  await run(
    tx,
    sql`update organization_members set role = case when user_id = ${toUserId} then 'owner' else 'admin' end
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id in (${fromUserId}, ${toUserId})`,
  )
}

/** Frees the seat. */
export async function deleteMember(
  tx: TenantScope,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  await run(
    tx,
    sql`with gone as (delete from organization_members
        where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId} returning 1)
      update organizations set member_count = member_count - (select count(*) from gone)::int
      where tenant_id = ${tx.tenantId} and id = ${orgId}`,
  )
}

/** Locks the organizations of a user, in the order of their ids. */
export async function lockOrganizationsOf(tx: TenantScope, userId: string): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select o.id from organization_members m
      join organizations o on o.tenant_id = m.tenant_id and o.id = m.org_id
      where m.tenant_id = ${tx.tenantId} and m.user_id = ${userId} order by o.id for no key update of o`,
  )
  return rows.map(({ id }) => id)
}

/** Who becomes owner after the last one: the admin who has been there longest, or else such a member. */
export async function findSuccessor(tx: TenantScope, orgId: string): Promise<string | null> {
  const found = await maybeOne(
    tx,
    sql<{ userId: string }>`select user_id as "userId" from organization_members
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and role in ('admin', 'member')
      order by role = 'admin' desc, joined_at, user_id limit 1`,
  )
  return found?.userId ?? null
}

/** Locks a user against being removed meanwhile. False for an unknown one. */
export async function lockUser(tx: TenantScope, userId: string): Promise<boolean> {
  const found = await maybeOne(
    tx,
    sql<{ id: string }>`select id from users where tenant_id = ${tx.tenantId} and id = ${userId} for no key update`,
  )
  return found !== null
}
