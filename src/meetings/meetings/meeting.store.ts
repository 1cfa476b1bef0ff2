import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import { rowCount } from '../../storage/row-counts.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Meeting, MeetingStatus } from './meeting.rules.ts'

// last_seq as float8: exact up to 2^53, and a number in JavaScript.
const meetingColumns = sql`id, tenant_id as "tenantId", user_id as "userId", title, status, ttl_days as "ttlDays",
  json_build_object('personality', personality, 'summaryMode', summary_mode) as settings, participants, org_id as "orgId",
  scheduled_at as "scheduledAt", started_at as "startedAt", ended_at as "endedAt", last_activity_at as "lastActivityAt",
  expires_at as "expiresAt", revision, content_revision as "contentRevision", last_seq::float8 as "lastSeq",
  entry_count as "entryCount", char_count as "charCount", word_count as "wordCount", created_at as "createdAt", updated_at as "updatedAt"`

/** Does not check the owner: for work of the system itself. Requests of users call `getMeeting`. */
export function findMeeting(scope: TenantScope, id: string): Promise<Meeting | null> {
  return maybeOne(
    scope,
    sql<Meeting>`select ${meetingColumns} from meetings where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/**
 * Locks the meeting until the transaction ends. The order and the numbers of entries depend on this lock. Does not
 * check the owner. Refuses with NOT_FOUND.
 */
export function lockMeeting(tx: TenantScope, id: string): Promise<Meeting> {
  return one(
    tx,
    sql<Meeting>`select ${meetingColumns} from meetings where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export type MeetingSearch = {
  userId: string
  status?: MeetingStatus | undefined
  /** Searched in the title, ignoring case. */
  q?: string | undefined
  /** Created at or after. */
  from?: Date | undefined
  /** Created before. */
  to?: Date | undefined
}

export async function listMeetings(
  scope: TenantScope,
  { userId, status, q, from, to }: MeetingSearch,
  page: PageRequest,
): Promise<Page<Meeting>> {
  const conditions = [
    sql`tenant_id = ${scope.tenantId} and user_id = ${userId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(q === undefined ? [] : [sql`strpos(lower(title), lower(${q})) > 0`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ]
  const found = sql`from meetings where ${sql.join(conditions, sql` and `)}`
  return listPage<Meeting>(scope, page, {
    columns: meetingColumns,
    from: found,
    orderBy: sql`created_at desc, id desc`,
  })
}

export function countMeetings(tx: TenantScope): Promise<number> {
  return rowCount(tx, 'meetings', tx.tenantId)
}

export async function insertMeeting(tx: TenantScope, meeting: Meeting): Promise<void> {
  const { id, userId, title, status, ttlDays, settings, participants, orgId, scheduledAt, startedAt, endedAt } = meeting
  await run(
    tx,
    sql`insert into meetings (tenant_id, id, user_id, title, status, ttl_days, personality, summary_mode, participants, org_id,
        scheduled_at, started_at, ended_at, last_activity_at, expires_at, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${userId}, ${title}, ${status}, ${ttlDays}, ${settings.personality}, ${settings.summaryMode},
        ${JSON.stringify(participants)}::jsonb, ${orgId}, ${scheduledAt}, ${startedAt}, ${endedAt}, ${meeting.lastActivityAt},
        ${meeting.expiresAt}, ${meeting.createdAt}, ${meeting.updatedAt})`,
  )
}

/** Writes everything but the owner. The meeting must be locked. Returns it with its next revision. */
export async function saveMeeting(tx: TenantScope, meeting: Meeting): Promise<Meeting> {
  const { id, title, status, ttlDays, settings, participants, scheduledAt, startedAt, endedAt } = meeting
  const revision = meeting.revision + 1
  await run(
    tx,
    sql`update meetings set title = ${title}, status = ${status}, ttl_days = ${ttlDays}, personality = ${settings.personality},
        summary_mode = ${settings.summaryMode}, participants = ${JSON.stringify(participants)}::jsonb, scheduled_at = ${scheduledAt},
        started_at = ${startedAt}, ended_at = ${endedAt}, last_activity_at = ${meeting.lastActivityAt},
        expires_at = ${meeting.expiresAt}, revision = ${revision}, content_revision = ${meeting.contentRevision},
        last_seq = ${meeting.lastSeq}, entry_count = ${meeting.entryCount}, char_count = ${meeting.charCount},
        word_count = ${meeting.wordCount}, updated_at = ${meeting.updatedAt}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return { ...meeting, revision }
}

/** Deletes the transcript and everything made from it too. False: there is no such meeting. */
export async function deleteMeeting(tx: TenantScope, id: string): Promise<boolean> {
  return (await run(tx, sql`delete from meetings where tenant_id = ${tx.tenantId} and id = ${id}`)) > 0
}

export type MeetingKey = { tenantId: string; id: string }

/** Locks some expired meetings. Those locked by another node are left to it. */
export function lockExpiredMeetings(tx: PlatformScope, now: Date, limit: number): Promise<MeetingKey[]> {
  return many(
    tx,
    sql<MeetingKey>`select tenant_id as "tenantId", id from meetings where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked`,
  )
}

/** Locks all meetings of a user in the order of their ids. */
export function lockUserMeetings(tx: TenantScope, userId: string): Promise<MeetingKey[]> {
  return many(
    tx,
    sql<MeetingKey>`select tenant_id as "tenantId", id from meetings where tenant_id = ${tx.tenantId} and user_id = ${userId}
      order by id for update`,
  )
}
