import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Evidence, Task, TaskStatus } from './task.rules.ts'

/** A condition that the user may read the meeting that two columns name. `meetings` has the rule. */
export type MeetingReadableBy = (userId: string, meeting: { tenantId: Sql; id: Sql }) => Sql<boolean>

/** Whether somebody may read the meeting of the row with the alias `t`. */
export type ReadsMeeting = Sql<boolean>

export function readsMeetingOfTask(readableBy: MeetingReadableBy, userId: string): ReadsMeeting {
  return readableBy(userId, { tenantId: sql`t.tenant_id`, id: sql`t.meeting_id` })
}

/** For the service itself, which needs no evidence. */
export const readsNoMeeting: ReadsMeeting = sql<boolean>`false`

/** A task as one of its readers sees it. */
export type ReadTask = Task & { evidence: Evidence | null }

/** The columns of a `Task`; the table's alias must be `t`. */
export const taskColumns = sql`t.id, t.org_id as "orgId", t.number, t.title, t.description, t.status, t.priority,
  t.assignee_id as "assigneeId", t.assignee_name as "assigneeName", t.due::text as due, t.due_text as "dueText", t.labels,
  t.position, t.source, t.evidence_quote is not null as "hasEvidence",
  case when t.link_sync is not null then json_build_object('provider', t.provider, 'key', t.external_key,
    'url', t.external_url, 'sync', t.link_sync) end as link, t.conflicts,
  t.created_by as "createdBy", t.created_at as "createdAt", t.updated_at as "updatedAt", t.started_at as "startedAt",
  t.completed_at as "completedAt", t.revision, t.accepted_revision as "acceptedRevision"`

const evidence = sql`json_build_object('meetingId', t.meeting_id, 'speaker', t.evidence_speaker,
  'timestamp', t.evidence_timestamp, 'quote', t.evidence_quote, 'seqs', to_json(t.evidence_seqs))`

/** The same, and the evidence for a reader of the meeting. */
export function readColumns(readsMeeting: ReadsMeeting): Sql {
  return sql`${taskColumns}, case when t.evidence_quote is not null and ${readsMeeting} then ${evidence} end as evidence`
}

/** Somebody who reads the tasks of an organization. */
export type Reader = { userId: string; readsMeeting: ReadsMeeting }

/** Proposals are visible to readers of their meeting alone. */
export function isAcceptedOr(readsMeeting: ReadsMeeting): Sql<boolean> {
  return sql<boolean>`(t.accepted_revision is not null or ${readsMeeting})`
}

/**
 * Which tasks of an organization a user sees. Lists state the same with `visible_to_members`, which triggers keep: they must not
 * ask for the meeting of every proposal.
 */
export function isVisible(
  scope: TenantScope,
  { orgId, reader: { userId, readsMeeting } }: { orgId: string; reader: Reader },
): Sql<boolean> {
  return sql<boolean>`t.tenant_id = ${scope.tenantId} and t.org_id = ${orgId} and ${isAcceptedOr(readsMeeting)}
    and ${isMember(scope, { orgId, userId })}`
}

/**
 * Asked together with the tasks: a membership may have ended since the request was admitted. It names no column of the tasks, so
 * the database checks it once and not for each of them.
 */
export function isMember(
  { tenantId }: TenantScope,
  { orgId, userId }: { orgId: string; userId: string },
): Sql<boolean> {
  return sql<boolean>`exists (select from organization_members m
    where m.tenant_id = ${tenantId} and m.org_id = ${orgId} and m.user_id = ${userId})`
}

export type TaskKey = { orgId: string; id: string }

/** Null for a task of another organization, and for what the user may not see. */
export function findTask(scope: TenantScope, { orgId, id }: TaskKey, reader: Reader): Promise<ReadTask | null> {
  return maybeOne(
    scope,
    sql<ReadTask>`select ${readColumns(reader.readsMeeting)} from tasks t
      where t.id = ${id} and ${isVisible(scope, { orgId, reader })}`,
  )
}

/** The visible ones of these tasks, locked in the order of their ids. */
export function lockTasks(
  tx: TenantScope,
  { orgId, ids }: { orgId: string; ids: string[] },
  reader: Reader,
): Promise<ReadTask[]> {
  return many(
    tx,
    sql<ReadTask>`select ${readColumns(reader.readsMeeting)} from tasks t
      where t.id = any (${ids}::uuid[]) and ${isVisible(tx, { orgId, reader })}
      order by t.id for no key update of t`,
  )
}

export type Insertion = Task & {
  meetingId: string | null
  evidence: Omit<Evidence, 'meetingId'> | null
  search: string[]
}

export async function insertTask(tx: TenantScope, task: Insertion): Promise<void> {
  const { evidence: words } = task
  await run(
    tx,
    sql`insert into tasks (tenant_id, id, org_id, number, title, description, status, priority, assignee_id, assignee_name, due,
        due_text, labels, position, source, meeting_id, evidence_speaker, evidence_timestamp, evidence_quote, evidence_seqs,
        search, created_by, created_at, updated_at, started_at, completed_at, revision, accepted_revision)
      values (${tx.tenantId}, ${task.id}, ${task.orgId}, ${task.number}, ${task.title}, ${task.description}, ${task.status},
        ${task.priority}, ${task.assigneeId}, ${task.assigneeName}, ${task.due}::date, ${task.dueText}, ${task.labels}::text[],
        ${task.position}, ${task.source}, ${task.meetingId}, ${words?.speaker ?? null}, ${words?.timestamp ?? null},
        ${words?.quote ?? null}, ${words?.seqs ?? null}::bigint[], array_to_tsvector(${task.search}::text[]), ${task.createdBy},
        ${task.createdAt}, ${task.updatedAt}, ${task.startedAt}, ${task.completedAt}, ${task.revision}, ${task.acceptedRevision})`,
  )
}

/** `search`: null where neither title, description nor labels have changed. */
export type ChangedTask = { task: Task; search: string[] | null }

/** Writes what people, trackers and the service change of locked tasks. Long values that stay are neither sent nor written. */
export async function saveTasks(tx: TenantScope, changed: ChangedTask[]): Promise<void> {
  const each = <V>(read: (task: Task) => V): V[] => changed.map(({ task }) => read(task))
  const ifNew = (read: (task: Task) => string) =>
    changed.map(({ task, search }) => (search === null ? null : read(task)))
  await run(
    tx,
    sql`update tasks t set title = coalesce(v.title, t.title), description = coalesce(v.description, t.description),
        labels = coalesce(string_to_array(v.labels, chr(10)), t.labels),
        search = coalesce(array_to_tsvector(string_to_array(v.search, chr(10))), t.search),
        status = v.status, priority = v.priority, assignee_id = v.assignee_id, assignee_name = v.assignee_name, due = v.due,
        position = v.position, updated_at = v.updated_at, started_at = v.started_at, completed_at = v.completed_at,
        revision = v.revision, accepted_revision = v.accepted_revision, conflicts = v.conflicts::jsonb
      from unnest(${each(({ id }) => id)}::uuid[], ${ifNew(({ title }) => title)}::text[],
        ${ifNew(({ description }) => description)}::text[], ${ifNew(({ labels }) => labels.join('\n'))}::text[],
        ${changed.map(({ search }) => search?.join('\n') ?? null)}::text[], ${each(({ status }) => status)}::text[],
        ${each(({ priority }) => priority)}::text[], ${each(({ assigneeId }) => assigneeId)}::uuid[],
        ${each(({ assigneeName }) => assigneeName)}::text[], ${each(({ due }) => due)}::date[],
        ${each(({ position }) => position)}::text[], ${each(({ updatedAt }) => updatedAt.toISOString())}::timestamptz[],
        ${each(({ startedAt }) => startedAt?.toISOString() ?? null)}::timestamptz[],
        ${each(({ completedAt }) => completedAt?.toISOString() ?? null)}::timestamptz[],
        ${each(({ revision }) => revision)}::int[], ${each(({ acceptedRevision }) => acceptedRevision)}::int[],
        ${each(({ conflicts }) => JSON.stringify(conflicts))}::text[])
        as v(id, title, description, labels, search, status, priority, assignee_id, assignee_name, due, position, updated_at,
          started_at, completed_at, revision, accepted_revision, conflicts)
      where t.tenant_id = ${tx.tenantId} and t.id = v.id`,
  )
}

/** With comments and history. */
export async function deleteTask(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from tasks where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** The highest position of a column, without counting the task `except`. Null: there is none. */
export async function lastPosition(
  tx: TenantScope,
  { orgId, status }: { orgId: string; status: TaskStatus },
  except: string | null = null,
): Promise<string | null> {
  const isCounted = except === null ? sql`true` : sql`id <> ${except}`
  const last = await maybeOne(
    tx,
    sql<{ position: string }>`select position from tasks
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and status = ${status} and ${isCounted}
      order by position desc limit 1`,
  )
  return last?.position ?? null
}
