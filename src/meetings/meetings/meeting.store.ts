import { lowestId } from '../../kernel/ids.ts'
import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { utcDay } from '../../kernel/period.ts'
import { many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import { rowCount } from '../../storage/row-counts.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Meeting, MeetingForUser, MeetingStatus } from './meeting.rules.ts'
import type { MeetingScope } from './sharing.rules.ts'
import { accessColumns, countOfReadable, readableMeetings } from './sharing.store.ts'

// last_seq as float8: exact up to 2^53, and a number in JavaScript.
const meetingColumns = sql`m.id, m.tenant_id as "tenantId", m.user_id as "userId", m.title, m.status, m.cause, m.ttl_days as "ttlDays",
  json_build_object('personality', m.personality, 'summaryMode', m.summary_mode) as settings, m.participants, m.org_id as "orgId",
  m.visibility, m.scheduled_at as "scheduledAt", m.scheduled_end as "scheduledEnd", m.join_url as "joinUrl",
  m.calendar_event as "calendarEvent", m.started_at as "startedAt", m.ended_at as "endedAt",
  m.last_activity_at as "lastActivityAt", m.expires_at as "expiresAt", m.revision, m.content_revision as "contentRevision",
  m.last_seq::float8 as "lastSeq", m.entry_count as "entryCount", m.char_count as "charCount", m.word_count as "wordCount",
  m.minute_count as "minuteCount",
  m.created_at as "createdAt", m.updated_at as "updatedAt"`

/** Null for a missing meeting and for one that the user may not read. */
export function findMeeting(
  scope: TenantScope,
  { id, userId }: { id: string; userId: string },
): Promise<MeetingForUser | null> {
  return maybeOne(
    scope,
    sql<MeetingForUser>`select * from (
        select ${meetingColumns}, ${accessColumns(userId)} from meetings m where m.tenant_id = ${scope.tenantId} and m.id = ${id}
      ) as found where access is not null`,
  )
}

/**
 * Locks the meeting until the transaction ends. The order and the numbers of entries depend on this lock. Does not
 * check who may change it: requests of users call `lockMeetingFor`. Refuses with NOT_FOUND.
 */
export function lockMeeting(tx: TenantScope, id: string): Promise<Meeting> {
  return one(
    tx,
    sql<Meeting>`select ${meetingColumns} from meetings m where m.tenant_id = ${tx.tenantId} and m.id = ${id} for update`,
  )
}

export type MeetingSearch = {
  userId: string
  which?: MeetingScope
  orgId?: string | undefined
  status?: MeetingStatus | undefined
  /** Searched in the title, ignoring case. */
  q?: string | undefined
  /** Created at or after. */
  from?: Date | undefined
  /** Created before. */
  to?: Date | undefined
}

/** Newest first. */
export async function listMeetings(
  scope: TenantScope,
  { userId, which = 'own', orgId, status, q, from, to }: MeetingSearch,
  page: PageRequest,
): Promise<Page<MeetingForUser>> {
  const conditions = [
    ...(orgId === undefined ? [] : [sql`m.org_id = ${orgId}`]),
    ...(status === undefined ? [] : [sql`m.status = ${status}`]),
    ...(q === undefined ? [] : [sql`strpos(lower(m.title), lower(${q})) > 0`]),
    ...(from === undefined ? [] : [sql`m.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`m.created_at < ${to}`]),
  ]
  const condition = conditions.length === 0 ? null : sql.join(conditions, sql` and `)
  const readable = { userId, which, condition }
  const items = await many(
    scope,
    sql<MeetingForUser>`select ${meetingColumns}, ${accessColumns(userId)}
      ${readableMeetings(scope, readable, page.page * page.limit)}
      order by m.created_at desc, m.id desc limit ${page.limit} offset ${pageOffset(page)}`,
  )
  const { total } = await one(scope, sql<{ total: number }>`select (${countOfReadable(scope, readable)})::int as total`)
  return { items, total }
}

export function countMeetings(tx: TenantScope): Promise<number> {
  return rowCount(tx, 'meetings', tx.tenantId)
}

/** How many of the meetings that exist were created on each day since `from`, in UTC. */
export function countCreatedByDay(scope: TenantScope, from: string): Promise<{ day: string; created: number }[]> {
  const start = new Date(`${from}T00:00:00.000Z`)
  return many(
    scope,
    sql<{
      day: string
      created: number
    }>`select (created_at at time zone 'UTC')::date::text as day, count(*)::int as created
      from meetings where tenant_id = ${scope.tenantId} and id >= ${lowestId(start)} and created_at >= ${start} group by 1`,
  )
}

/**
 * The statement that inserts a meeting.
 * @param joinUrlSealed present exactly where the meeting has a `joinUrl`
 */
export function meetingInsert({ tenantId }: TenantScope, meeting: Meeting, joinUrlSealed: Buffer | null): Sql<unknown> {
  const { id, userId, title, status, ttlDays, settings, participants, scheduledAt, startedAt, endedAt } = meeting
  const { scheduledEnd } = meeting
  return sql`insert into meetings (tenant_id, id, user_id, title, status, ttl_days, personality, summary_mode, participants, org_id,
      visibility, scheduled_at, scheduled_end, join_url, join_url_sealed, calendar_event, started_at, ended_at,
      last_activity_at, expires_at, expires_on, created_at, updated_at)
    values (${tenantId}, ${id}, ${userId}, ${title}, ${status}, ${ttlDays}, ${settings.personality}, ${settings.summaryMode},
      ${JSON.stringify(participants)}::jsonb, ${meeting.orgId}, ${meeting.visibility}, ${scheduledAt}, ${scheduledEnd},
      ${meeting.joinUrl}, ${joinUrlSealed}, ${jsonOrNull(meeting.calendarEvent)}::jsonb, ${startedAt}, ${endedAt},
      ${meeting.lastActivityAt}, ${meeting.expiresAt}, ${expiryDay(meeting)}, ${meeting.createdAt}, ${meeting.updatedAt})`
}

export async function insertMeeting(tx: TenantScope, meeting: Meeting, joinUrlSealed: Buffer | null): Promise<void> {
  await run(tx, meetingInsert(tx, meeting, joinUrlSealed))
}

/** Writes everything but the owner and the address to join at. The meeting must be locked. Returns it with its next revision. */
export async function saveMeeting(tx: TenantScope, meeting: Meeting): Promise<Meeting> {
  const { save, saved } = meetingUpdate(tx, meeting)
  await run(tx, save)
  return saved
}

/** The statement that does so, and the meeting after it. */
export function meetingUpdate({ tenantId }: TenantScope, meeting: Meeting): { save: Sql<unknown>; saved: Meeting } {
  const { id, title, status, ttlDays, settings, participants, scheduledAt, startedAt, endedAt } = meeting
  const revision = meeting.revision + 1
  const save = sql`update meetings set title = ${title}, status = ${status}, cause = ${meeting.cause}, ttl_days = ${ttlDays}, personality = ${settings.personality},
      summary_mode = ${settings.summaryMode}, participants = ${JSON.stringify(participants)}::jsonb, org_id = ${meeting.orgId},
      visibility = ${meeting.visibility}, scheduled_at = ${scheduledAt}, scheduled_end = ${meeting.scheduledEnd},
      calendar_event = ${jsonOrNull(meeting.calendarEvent)}::jsonb, started_at = ${startedAt}, ended_at = ${endedAt}, last_activity_at = ${meeting.lastActivityAt},
      expires_at = ${meeting.expiresAt}, expires_on = ${expiryDay(meeting)}, revision = ${revision}, content_revision = ${meeting.contentRevision},
      last_seq = ${meeting.lastSeq}, entry_count = ${meeting.entryCount}, char_count = ${meeting.charCount},
      word_count = ${meeting.wordCount}, minute_count = ${meeting.minuteCount}, updated_at = ${meeting.updatedAt}
    where tenant_id = ${tenantId} and id = ${id}`
  return { save, saved: { ...meeting, revision } }
}

/** Null for both: the meeting no longer has an address. */
export async function writeJoinUrl(
  tx: TenantScope,
  id: string,
  { joinUrl, joinUrlSealed }: { joinUrl: string | null; joinUrlSealed: Buffer | null },
): Promise<void> {
  await run(
    tx,
    sql`update meetings set join_url = ${joinUrl}, join_url_sealed = ${joinUrlSealed}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** What the index of expiry holds. It holds days, because a time would change in it with each append. */
function expiryDay({ expiresAt }: Meeting): string | null {
  return expiresAt === null ? null : utcDay(expiresAt)
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
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
    sql<MeetingKey>`select tenant_id as "tenantId", id from meetings where expires_on <= ${utcDay(now)} and expires_at <= ${now}
      order by expires_on, expires_at limit ${limit} for update skip locked`,
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
