import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Organization, organizationColumns } from '../membership.store.ts'
import type { OrgRole } from '../role.rules.ts'

export type ListedOrganization = Organization & { role: OrgRole | null }

/** Newest first. */
export function listOwnOrganizations(
  scope: TenantScope,
  userId: string,
  page: PageRequest,
): Promise<Page<ListedOrganization>> {
  return listPage<ListedOrganization>(scope, page, {
    columns: sql`${organizationColumns}, m.role`,
    from: sql`from organization_members m join organizations o on o.tenant_id = m.tenant_id and o.id = m.org_id
      where m.tenant_id = ${scope.tenantId} and m.user_id = ${userId}`,
    orderBy: sql`o.created_at desc, o.id desc`,
  })
}

/** All of the tenant, newest first. `userId`: whose role is told; null: nobody's. */
export function listTenantOrganizations(
  scope: TenantScope,
  userId: string | null,
  page: PageRequest,
): Promise<Page<ListedOrganization>> {
  return listPage<ListedOrganization>(scope, page, {
    columns: sql`${organizationColumns}, (select m.role from organization_members m
      where m.tenant_id = o.tenant_id and m.org_id = o.id and m.user_id = ${userId}) as role`,
    from: sql`from organizations o where o.tenant_id = ${scope.tenantId}`,
    orderBy: sql`o.created_at desc, o.id desc`,
  })
}

export async function countOrganizations(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from organizations where tenant_id = ${tx.tenantId}`,
  )
  return total
}

/** Without members. */
export async function insertOrganization(
  tx: TenantScope,
  { id, name, timeZone, now }: { id: string; name: string; timeZone: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into organizations (tenant_id, id, name, time_zone, member_count, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${name}, ${timeZone}, 0, ${now}, ${now})`,
  )
}

/** Writes name and time zone of a locked organization. Returns it with its next revision. */
export async function saveOrganization<O extends Organization>(
  tx: TenantScope,
  organization: O,
  now: Date,
): Promise<O> {
  const { id, name, timeZone } = organization
  const revision = organization.revision + 1
  await run(
    tx,
    sql`update organizations set name = ${name}, time_zone = ${timeZone}, revision = ${revision}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return { ...organization, revision, updatedAt: now }
}

/** Deletes members and invitations too. */
export async function deleteOrganization(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from organizations where tenant_id = ${tx.tenantId} and id = ${id}`)
}
