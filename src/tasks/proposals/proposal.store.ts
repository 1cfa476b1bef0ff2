import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { OrgMember } from './owner.rules.ts'
import type { ProposalKey } from './proposal.rules.ts'

export function listProposed(tx: TenantScope, meetingId: string): Promise<ProposalKey[]> {
  return many(
    tx,
    sql<ProposalKey>`select seq::float8 as seq, place from task_proposals
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}`,
  )
}

/** Fails for what was proposed before. */
export async function insertProposed(
  tx: TenantScope,
  meetingId: string,
  keys: (ProposalKey & { taskId: string })[],
): Promise<void> {
  await run(
    tx,
    sql`insert into task_proposals (tenant_id, meeting_id, seq, place, task_id)
      select ${tx.tenantId}, ${meetingId}, p.* from unnest(${keys.map(({ seq }) => seq)}::bigint[],
        ${keys.map(({ place }) => place)}::integer[], ${keys.map(({ taskId }) => taskId)}::uuid[]) as p`,
  )
}

/** Null for an unknown organization. */
export async function findTimeZone(scope: TenantScope, orgId: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ timeZone: string }>`select time_zone as "timeZone" from organizations
      where tenant_id = ${scope.tenantId} and id = ${orgId}`,
  )
  return found?.timeZone ?? null
}

export function listOrgMembers(scope: TenantScope, orgId: string): Promise<OrgMember[]> {
  return many(
    scope,
    sql<OrgMember>`select m.user_id as "userId", u.name, u.email
      from organization_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      where m.tenant_id = ${scope.tenantId} and m.org_id = ${orgId}`,
  )
}

/** Of the organization's tasks. It must be locked. */
export async function countTasks(tx: TenantScope, orgId: string): Promise<number> {
  const found = await maybeOne(
    tx,
    sql<{ count: number }>`select task_count as count from task_counters
      where tenant_id = ${tx.tenantId} and org_id = ${orgId}`,
  )
  return found?.count ?? 0
}
