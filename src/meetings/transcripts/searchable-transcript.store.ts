import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { mayRead } from '../meetings/sharing.store.ts'

/** A meeting whose transcript can be searched. */
export type SearchableMeeting = {
  id: string
  title: string
  orgId: string
  /** Grows with every change of the transcript. */
  contentRevision: number
  /** The number of the last write. */
  lastChange: number
  isLive: boolean
}

/** Null for an unknown meeting, and for one of no organization. */
export function findSearchable(scope: TenantScope, id: string): Promise<SearchableMeeting | null> {
  return maybeOne(scope, searchable(scope, id))
}

/** The same, and the meeting neither leaves its organization nor is deleted until the transaction ends. */
export function holdSearchable(tx: TenantScope, id: string): Promise<SearchableMeeting | null> {
  return maybeOne(tx, sql<SearchableMeeting>`${searchable(tx, id)} for share`)
}

/** Keeps these meetings from being deleted until the transaction ends. */
export async function holdMeetings(tx: TenantScope, ids: readonly string[]): Promise<void> {
  await run(
    tx,
    sql`select from meetings where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[]) order by id for key share`,
  )
}

const searchable = ({ tenantId }: TenantScope, id: string) =>
  sql<SearchableMeeting>`select id, title, org_id as "orgId", content_revision as "contentRevision",
      last_seq::float8 as "lastChange", status = 'active' as "isLive"
    from meetings where tenant_id = ${tenantId} and id = ${id} and org_id is not null`

/** The first entry in the transcript's order that was written after a write. Null: none was. */
export async function findFirstChange(
  scope: TenantScope,
  { meetingId, after }: { meetingId: string; after: number },
): Promise<number | null> {
  const found = await maybeOne(
    scope,
    sql<{ seq: number | null }>`select min(seq)::float8 as seq from transcript_entries
      where tenant_id = ${scope.tenantId} and meeting_id = ${meetingId} and changed_seq > ${after}`,
  )
  return found?.seq ?? null
}

export type EndedMeeting = { tenantId: string; id: string; contentRevision: number; title: string }

/** Meetings of all tenants that belong to an organization, are not live and have a transcript: the first ones after a key. */
export function listEnded(
  platform: PlatformScope,
  { after, limit }: { after: { tenantId: string; id: string } | null; limit: number },
): Promise<EndedMeeting[]> {
  const isAfter = after === null ? sql`true` : sql`(tenant_id, id) > (${after.tenantId}, ${after.id})`
  return many(
    platform,
    sql<EndedMeeting>`select tenant_id as "tenantId", id, content_revision as "contentRevision", title from meetings
      where ${isAfter} and org_id is not null and entry_count > 0 and status <> 'active'
      order by tenant_id, id limit ${limit}`,
  )
}

type Organization = { tenantId: string; orgId: string }

/**
 * Whose reading it is: a member's; what each of some members or all members may read; somebody's who took part and is known by an address, who reads what
 * is not private; or the public's, which reads no meeting.
 */
export type TranscriptReader =
  | { userId: string }
  | { userIds: readonly string[] }
  | 'ALL_MEMBERS'
  | { participant: string }
  | 'PUBLIC'

/** The ids of an organization's meetings that a reader may read, as a query for other capabilities. */
export function meetingIdsFor(reader: TranscriptReader, { tenantId, orgId }: Organization): Sql {
  const ofOrganization = sql`select m.id from meetings m where m.tenant_id = ${tenantId} and m.org_id = ${orgId}`
  if (typeof reader === 'string' || !('userId' in reader)) return sql`${ofOrganization} and ${isReadableFor(reader)}`
  const { userId } = reader
  // The rule of `mayRead`, with the membership asked for once and not for each meeting.
  return sql`${ofOrganization}
      and exists (select from organization_members o
        where o.tenant_id = ${tenantId} and o.org_id = ${orgId} and o.user_id = ${userId})
      and (m.user_id = ${userId} or m.visibility = 'org' or m.visibility = 'members' and exists (select from meeting_shares s
        where s.tenant_id = m.tenant_id and s.meeting_id = m.id and s.user_id = ${userId}))`
}

/** The condition that a reader may read the meeting `m`. */
function isReadableFor(reader: TranscriptReader): Sql {
  if (reader === 'ALL_MEMBERS') return sql`m.visibility = 'org'`
  if (reader === 'PUBLIC') return sql`false`
  if ('userId' in reader) return mayRead(reader.userId)
  if ('userIds' in reader)
    return reader.userIds.length === 0 ? sql`false` : sql.join(reader.userIds.map(mayRead), sql` and `)
  return sql`m.visibility <> 'private' and exists (select from jsonb_array_elements(m.participants::jsonb) as p
    where lower(p ->> 'email') = ${reader.participant})`
}

/** Whether a meeting of an organization that is not private names an address, in lower case, among its participants. */
export async function hasParticipant(
  scope: TenantScope,
  { orgId, address }: { orgId: string; address: string },
): Promise<boolean> {
  const reader = { participant: address }
  const found = await maybeOne(scope, sql`${meetingIdsFor(reader, { tenantId: scope.tenantId, orgId })} limit 1`)
  return found !== null
}

export type EntryKey = { meetingId: string; seq: number }

/** `changedSeq`: grows with every change of the entry. */
export type ReadableEntry = EntryKey & {
  title: string
  speaker: string
  text: string
  offsetSeconds: number
  changedSeq: number
}

/** Those of the entries that exist and that the reader may read now. */
export function listReadableEntries(
  scope: TenantScope,
  { orgId, reader }: { orgId: string; reader: TranscriptReader },
  keys: readonly EntryKey[],
): Promise<ReadableEntry[]> {
  return many(
    scope,
    sql<ReadableEntry>`select e.meeting_id as "meetingId", e.seq::float8 as seq, m.title, e.speaker, e.text,
        e.offset_seconds::float8 as "offsetSeconds", e.changed_seq::float8 as "changedSeq"
      from unnest(${keys.map(({ meetingId }) => meetingId)}::uuid[], ${keys.map(({ seq }) => seq)}::bigint[]) as wanted(id, seq)
        join meetings m on m.tenant_id = ${scope.tenantId} and m.id = wanted.id and m.org_id = ${orgId}
        join transcript_entries e on e.tenant_id = m.tenant_id and e.meeting_id = m.id and e.seq = wanted.seq
      where ${isReadableFor(reader)} order by e.meeting_id, e.seq`,
  )
}
