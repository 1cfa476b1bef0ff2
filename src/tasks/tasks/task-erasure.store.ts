import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { TaskStatus } from './task.rules.ts'

/** Unassigns the tasks of somebody who leaves. The history keeps who it was. Returns their ids. */
export async function unassignTasks(
  tx: TenantScope,
  { orgId, userId, now }: { orgId: string; userId: string; now: Date },
): Promise<string[]> {
  const unassigned = await many(
    tx,
    sql<{ id: string }>`with unassigned as (
        update tasks set assignee_id = null, revision = revision + 1, updated_at = ${now}
        where tenant_id = ${tx.tenantId} and assignee_id = ${userId} and org_id = ${orgId} returning id, revision
      )
      insert into task_changes (tenant_id, task_id, revision, field, from_value, to_value, origin, actor_id, at)
      select ${tx.tenantId}, id, revision, 'assigneeId', ${userId}, null, 'system', null, ${now} from unassigned
      returning task_id as id`,
  )
  return unassigned.map(({ id }) => id)
}

/** With comments and history. Returns their ids. */
export async function deleteTasksOfOrganization(tx: TenantScope, orgId: string): Promise<string[]> {
  const deleted = await many(
    tx,
    sql<{ id: string }>`delete from tasks where tenant_id = ${tx.tenantId} and org_id = ${orgId} returning id`,
  )
  return deleted.map(({ id }) => id)
}

/** A removed user's id stays in no conflict. */
export async function forgetConflicts(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update tasks set conflicts = (
        select coalesce(jsonb_agg(conflict), '[]'::jsonb) from jsonb_array_elements(conflicts) as conflict
        where conflict ->> 'field' <> 'assigneeId' or conflict ->> 'ours' is distinct from ${userId})
      where tenant_id = ${tx.tenantId} and conflicts <> '[]'::jsonb`,
  )
}

export type DeletedProposal = { id: string; orgId: string; status: TaskStatus; labels: string[] }

/** What nobody accepted, dismissed proposals too, with comments and history. */
export function deleteProposals(tx: TenantScope, meetingIds: string[]): Promise<DeletedProposal[]> {
  return many(
    tx,
    sql<DeletedProposal>`delete from tasks
      where tenant_id = ${tx.tenantId} and meeting_id = any (${meetingIds}::uuid[]) and accepted_revision is null
      returning id, org_id as "orgId", status, labels`,
  )
}

/** Lets these proposals of meetings be made again. */
export async function forgetProposed(
  tx: TenantScope,
  { meetingIds, taskIds }: { meetingIds: string[]; taskIds: string[] },
): Promise<void> {
  await run(
    tx,
    sql`delete from task_proposals
      where tenant_id = ${tx.tenantId} and meeting_id = any (${meetingIds}::uuid[]) and task_id = any (${taskIds}::uuid[])`,
  )
}

/** `orgId` is null for an issue without a board. */
export type ErasedTask = { id: string; orgId: string | null }

/** Erases the words of meetings from tasks that were accepted, and what their proposals were before. */
export async function eraseEvidence(tx: TenantScope, meetingIds: string[]): Promise<ErasedTask[]> {
  await run(
    tx,
    sql`delete from task_changes c using tasks t
      where t.tenant_id = ${tx.tenantId} and t.meeting_id = any (${meetingIds}::uuid[])
        and c.tenant_id = t.tenant_id and c.task_id = t.id and c.revision < t.accepted_revision`,
  )
  return many(
    tx,
    sql<ErasedTask>`update tasks set meeting_id = null, evidence_speaker = null, evidence_timestamp = null,
        evidence_quote = null, evidence_seqs = null, due_text = null,
        -- The name on an issue is not spoken: the tracker has it.
        assignee_name = case when connection_id is null then null else assignee_name end, revision = revision + 1
      where tenant_id = ${tx.tenantId} and meeting_id = any (${meetingIds}::uuid[])
      returning id, org_id as "orgId"`,
  )
}
