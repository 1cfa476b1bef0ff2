import type { Channel } from '../../inbound/index.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type {
  AnswerRecord,
  AnswerStatus,
  ChatAnswer,
  DraftedQuote,
  MeetingQuote,
  WaitingFor,
} from './drafted-answer.rules.ts'

export type NewDraft = {
  id: string
  connectionId: string
  effectKey: string
  channel: Channel
  workspace: string | null
  team: string | null
  conversation: string
  isDirect: boolean
  thread: string | null
  serviceUrl: string | null
  askedBy: string
  question: string
  createdAt: Date
} & DraftReader

/**
 * Whose meetings may be quoted: a user's, or those that all members of an organization may read, with its documents. Either
 * may be one that does not exist.
 */
export type DraftReader = { userId: string | null; orgId: string | null }

export type Draft = DraftReader & { id: string; question: string; waitingFor: WaitingFor | null }

const draftColumns = sql`id, user_id as "userId", org_id as "orgId", question, waiting_for as "waitingFor"`

/**
 * Inserts one draft for each effect key; null where there is one already. It waits for an answer where the user or the
 * organization exists, else for one of them.
 */
export function insertDraft(tx: TenantScope, draft: NewDraft): Promise<Draft | null> {
  return maybeOne(
    tx,
    sql<Draft>`insert into drafted_answers (tenant_id, id, connection_id, effect_key, channel, workspace, team, conversation, is_direct,
        thread, service_url, asked_by, question, user_id, org_id, status, waiting_for, created_at)
      select ${tx.tenantId}, ${draft.id}, ${draft.connectionId}, ${draft.effectKey}, ${draft.channel}, ${draft.workspace},
        ${draft.team}, ${draft.conversation}, ${draft.isDirect}, ${draft.thread}, ${draft.serviceUrl}, ${draft.askedBy}, ${draft.question}, named.user_id, named.org_id, 'pending',
        case when coalesce(named.user_id, named.org_id) is null then 'user' else 'answer' end, ${draft.createdAt}::timestamptz
      from (${existing(tx, draft)}) as named
      on conflict (tenant_id, effect_key) do nothing returning ${draftColumns}`,
  )
}

const existing = ({ tenantId }: TenantScope, { userId, orgId }: DraftReader) =>
  sql`select ${existingId(sql`users`, tenantId, userId)} as user_id, ${existingId(sql`organizations`, tenantId, orgId)} as org_id`

/** Null is not sent as a value: it would make the statement so cheap that the server planned it again each time. */
function existingId(table: Sql, tenantId: string, id: string | null): Sql {
  return id === null
    ? sql`null::uuid`
    : sql`(select id from ${table} where tenant_id = ${tenantId} and id = ${id}::uuid)`
}

/** Names a reader for a draft that waits for one. Null where it does not wait, or where the reader does not exist. */
export function assignReader(tx: TenantScope, effectKey: string, reader: DraftReader): Promise<Draft | null> {
  return maybeOne(
    tx,
    sql<Draft>`update drafted_answers d set user_id = named.user_id, org_id = named.org_id, waiting_for = 'answer'
      from (${existing(tx, reader)}) as named
      where d.tenant_id = ${tx.tenantId} and d.effect_key = ${effectKey} and d.waiting_for = 'user'
        and coalesce(named.user_id, named.org_id) is not null
      returning d.id, d.user_id as "userId", d.org_id as "orgId", d.question, d.waiting_for as "waitingFor"`,
  )
}

export function getDraftByEffectKey(tx: TenantScope, effectKey: string): Promise<Draft> {
  return one(
    tx,
    sql<Draft>`select ${draftColumns} from drafted_answers where tenant_id = ${tx.tenantId} and effect_key = ${effectKey}`,
  )
}

export function findDraft(scope: TenantScope, id: string): Promise<Draft | null> {
  return maybeOne(
    scope,
    sql<Draft>`select ${draftColumns} from drafted_answers where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

const recordColumns = sql`id, connection_id as "connectionId", channel, conversation, thread, asked_by as "askedBy", question,
  user_id as "userId", org_id as "orgId", status, waiting_for as "waitingFor", created_at as "createdAt", answered_at as "answeredAt",
  is_refused as "isRefused"`

export type AnswerSearch = {
  status?: AnswerStatus | undefined
  waitingFor?: WaitingFor | undefined
  connectionId?: string | undefined
  userId?: string | undefined
  orgId?: string | undefined
  /** Asked at or after. */
  from?: Date | undefined
  /** Asked before. */
  to?: Date | undefined
}

/** Newest first: ids grow with the time at which they were made, and their index needs no sort. */
export function listAnswers(
  scope: TenantScope,
  { status, waitingFor, connectionId, userId, orgId, from, to }: AnswerSearch,
  page: PageRequest,
): Promise<Page<AnswerRecord>> {
  const conditions = [
    sql`tenant_id = ${scope.tenantId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(waitingFor === undefined ? [] : [sql`waiting_for = ${waitingFor}`]),
    ...(connectionId === undefined ? [] : [sql`connection_id = ${connectionId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    ...(orgId === undefined ? [] : [sql`org_id = ${orgId}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ]
  return listPage<AnswerRecord>(scope, page, {
    columns: recordColumns,
    from: sql`from drafted_answers where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`id desc`,
  })
}

/** Refuses with NOT_FOUND. */
export function getAnswer(scope: TenantScope, id: string): Promise<AnswerRecord> {
  return one(
    scope,
    sql<AnswerRecord>`select ${recordColumns} from drafted_answers where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Keeps these meetings from being deleted until the transaction ends. Returns the ids of those that still are the user's. */
export async function lockMeetingKeys(
  tx: TenantScope,
  { userId, ids }: { userId: string; ids: string[] },
): Promise<Set<string>> {
  const locked = await many(
    tx,
    sql<{
      id: string
    }>`select id from meetings where tenant_id = ${tx.tenantId} and user_id = ${userId} and id = any (${ids}::uuid[])
      order by id for key share`,
  )
  return new Set(locked.map(({ id }) => id))
}

/** False where it was answered before; then nothing may be written for it. */
export async function markAnswered(
  tx: TenantScope,
  id: string,
  { now, isRefused = false }: { now: Date; isRefused?: boolean },
): Promise<boolean> {
  const marked = sql`update drafted_answers set waiting_for = 'sending', answered_at = ${now}, is_refused = ${isRefused}
    where tenant_id = ${tx.tenantId} and id = ${id} and waiting_for = 'answer'`
  return (await run(tx, marked)) > 0
}

/** A handful of quotes. Their meetings must be locked. */
export async function insertQuotes(tx: TenantScope, answerId: string, quotes: DraftedQuote[]): Promise<void> {
  for (const [place, { meetingId, seq, speaker, timestamp, quote }] of quotes.entries())
    await run(
      tx,
      sql`insert into drafted_answer_quotes (tenant_id, answer_id, place, meeting_id, seq, speaker, spoken_at, quote)
        values (${tx.tenantId}, ${answerId}, ${place}, ${meetingId}, ${seq}, ${speaker}, ${timestamp}, ${quote})`,
    )
}

/** The quotes that still exist. The others were deleted with their meetings. Old rows have milliseconds in `spoken_at`. */
export function listQuotes(scope: TenantScope, answerId: string): Promise<MeetingQuote[]> {
  return many(
    scope,
    sql<MeetingQuote>`select meeting_id as "meetingId", seq::float8 as seq, speaker, split_part(spoken_at, '.', 1) as timestamp, quote,
        title as "meetingTitle", coalesce(m.started_at, m.created_at) as "meetingAt"
      from drafted_answer_quotes q join meetings m on m.tenant_id = q.tenant_id and m.id = q.meeting_id
      where q.tenant_id = ${scope.tenantId} and answer_id = ${answerId} order by place`,
  )
}

/** Deletes at most `limit` drafts of all tenants. Returns how many were deleted. */
export function deleteDraftsBefore(platform: PlatformScope, before: Date, limit: number): Promise<number> {
  return run(
    platform,
    sql`delete from drafted_answers where (tenant_id, id) in (
      select tenant_id, id from drafted_answers where created_at < ${before} order by created_at limit ${limit})`,
  )
}

const chatColumns = sql`id, channel, workspace, team, conversation, is_direct as "isDirect", thread, asked_by as "askedBy",
  asker_id as "askerId", user_id as "userId", org_id as "orgId", status, waiting_for as "waitingFor", created_at as "createdAt",
  is_refused as "isRefused"`

export function findChatAnswer(scope: TenantScope, id: string): Promise<ChatAnswer | null> {
  return maybeOne(
    scope,
    sql<ChatAnswer>`select ${chatColumns} from drafted_answers where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Those that were asked since then, and that wait to be sent or for knowing who asked. */
export function listUnsent(
  scope: TenantScope,
  { since, limit }: { since: Date; limit: number },
): Promise<ChatAnswer[]> {
  return many(
    scope,
    sql<ChatAnswer>`select ${chatColumns} from drafted_answers where tenant_id = ${scope.tenantId}
      and waiting_for in ('user', 'sending') and created_at >= ${since} order by id limit ${limit}`,
  )
}

/** False: the answer no longer waits for a reader, or there is no such user. */
export async function assignAsker(tx: TenantScope, id: string, userId: string): Promise<boolean> {
  const assigned = sql`update drafted_answers set user_id = ${userId}, asker_id = ${userId}, waiting_for = 'answer'
    where tenant_id = ${tx.tenantId} and id = ${id} and waiting_for = 'user' and is_direct
      and exists (select from users where tenant_id = ${tx.tenantId} and id = ${userId})`
  return (await run(tx, assigned)) > 0
}

export async function markSent(tx: TenantScope, id: string): Promise<void> {
  await run(
    tx,
    sql`update drafted_answers set status = 'sent', waiting_for = null
      where tenant_id = ${tx.tenantId} and id = ${id} and waiting_for = 'sending'`,
  )
}
