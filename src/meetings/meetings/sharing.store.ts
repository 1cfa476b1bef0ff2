import { maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { MeetingScope, Share, Sharing } from './sharing.rules.ts'

/**
 * What a user may do with the meeting `m`: `owner`, `write`, `read`, or null for nothing. Every question about one
 * meeting asks this rule; `readableMeetings` states it again for lists. A viewer of the organization never writes, also not
 * in a meeting shared for writing. See docs/decisions/0016-shared-meetings.md.
 */
function accessTo(user: unknown): Sql {
  return sql`case when m.user_id = ${user}::uuid then 'owner' when m.visibility <> 'private' then (
    select case when s.access = 'write' and o.role <> 'viewer' then 'write'
      when m.visibility = 'org' or s.access is not null then 'read' end
    from organization_members o
      left join meeting_shares s on s.tenant_id = o.tenant_id and s.meeting_id = m.id and s.user_id = o.user_id
    where o.tenant_id = m.tenant_id and o.org_id = m.org_id and o.user_id = ${user}::uuid) end`
}

/** The condition that a user may read the meeting `m`. `user` is an id or an expression. */
export function mayRead(user: unknown): Sql {
  return sql`${accessTo(user)} is not null`
}

/** The condition that a user may change the meeting `m`. */
export function mayWrite(user: unknown): Sql {
  return sql`${accessTo(user)} in ('owner', 'write')`
}

/**
 * Whether the user may read the meeting that two columns of a query name, as a condition for other capabilities. `offset 0`
 * makes PostgreSQL look up one meeting for each row that needs it. Without it, one such row made it read all meetings of all
 * tenants: it plans for every row of the other table.
 */
export function isMeetingReadableBy(userId: string, meeting: { tenantId: Sql; id: Sql }): Sql<boolean> {
  return sql<boolean>`exists (select from meetings m
    where m.tenant_id = ${meeting.tenantId} and m.id = ${meeting.id} and ${mayRead(userId)} offset 0)`
}

/** Whether the meeting exists and the user may not read it. */
export async function isClosedTo(scope: TenantScope, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const closed = await maybeOne(
    scope,
    sql`select from meetings m where m.tenant_id = ${scope.tenantId} and m.id = ${id} and ${accessTo(userId)} is null`,
  )
  return closed !== null
}

/** The columns of a `MeetingForUser` that a `Meeting` lacks, of the meeting `m`. */
export function accessColumns(userId: string): Sql {
  return sql`${accessTo(userId)} as access, case when m.user_id = ${userId} then (
    select coalesce(json_agg(json_build_object('userId', s.user_id, 'access', s.access) order by s.user_id), '[]')
    from meeting_shares s where s.tenant_id = m.tenant_id and s.meeting_id = m.id) end as "sharedWith"`
}

export type ReadableMeetings = {
  userId: string
  which: MeetingScope
  /** Of the meeting `m`; null: no other condition. */
  condition: Sql | null
}

/**
 * The meetings that a user may read: those for which `mayRead` is true, found by indexes. No meeting is in two parts,
 * for each asks for one visibility. `newest`: only so many of each part, which an index has in this order.
 */
export function readableMeetings(scope: TenantScope, readable: ReadableMeetings, newest: number): Sql {
  const { isOwn, membership, isOpen, share, isListed } = partsOfReadable(scope, readable)
  const own = sql`(select m.* from meetings m where ${isOwn} order by m.created_at desc, m.id desc limit ${newest})`
  const shared = [
    sql`(select m.* from organization_members o cross join lateral (
        select m.* from meetings m where ${isOpen} order by m.created_at desc, m.id desc limit ${newest}) as m
      where ${membership})`,
    // `offset 0`: in the order of the shares, one meeting after another. PostgreSQL would rather read all meetings.
    sql`(select m.* from meeting_shares s cross join lateral (select m.* from meetings m where ${isListed} offset 0) as m
      where ${share} order by s.meeting_created_at desc, s.meeting_id desc limit ${newest})`,
  ]
  const parts = { own: [own], shared, all: [own, ...shared] }[readable.which]
  return sql`from (${sql.join(parts, sql` union all `)}) as m`
}

/** How many there are, as an expression. Without a condition no meeting of the user is counted one by one. */
export function countOfReadable(scope: TenantScope, readable: ReadableMeetings): Sql {
  const { isOwn, membership, isOpen, share, isListed } = partsOfReadable(scope, readable)
  const { userId, which, condition } = readable
  const own =
    condition === null
      ? sql`coalesce((select meeting_count from meeting_counts
          where tenant_id = ${scope.tenantId} and user_id = ${userId}), 0)`
      : sql`(select count(*) from meetings m where ${isOwn})`
  const meetingOfShare = condition === null ? sql`` : sql`join meetings m on ${isListed}`
  const shared = [
    sql`(select count(*) from organization_members o join meetings m on ${isOpen} where ${membership})`,
    sql`(select count(*) from meeting_shares s ${meetingOfShare} where ${share})`,
  ]
  return sql.join({ own: [own], shared, all: [own, ...shared] }[which], sql` + `)
}

function partsOfReadable({ tenantId }: TenantScope, { userId, condition }: ReadableMeetings) {
  const and = condition === null ? sql`` : sql`and ${condition}`
  return {
    isOwn: sql`m.tenant_id = ${tenantId} and m.user_id = ${userId} ${and}`,
    membership: sql`o.tenant_id = ${tenantId} and o.user_id = ${userId}`,
    isOpen: sql`m.tenant_id = o.tenant_id and m.org_id = o.org_id and m.visibility = 'org' and m.user_id <> ${userId} ${and}`,
    // Of members alone, as the foreign key has it, and never of the owner.
    share: sql`s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.is_listed`,
    isListed: sql`m.tenant_id = s.tenant_id and m.id = s.meeting_id and m.visibility = 'members' and m.user_id <> ${userId} ${and}`,
  }
}

/** Replaces all shares of a locked meeting. The members must be locked with their organization. */
export async function replaceShares(
  tx: TenantScope,
  meetingId: string,
  { orgId, visibility, sharedWith }: Sharing,
): Promise<void> {
  await run(tx, sql`delete from meeting_shares where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}`)
  if (sharedWith.length === 0) return
  await run(
    tx,
    sql`insert into meeting_shares (tenant_id, meeting_id, org_id, is_listed, meeting_created_at, user_id, access)
      select m.tenant_id, m.id, ${orgId}::uuid, ${visibility} = 'members', m.created_at, shared.* from meetings m,
        unnest(${sharedWith.map((share: Share) => share.userId)}::uuid[], ${sharedWith.map(({ access }) => access)}::text[]) as shared
      where m.tenant_id = ${tx.tenantId} and m.id = ${meetingId}`,
  )
}
