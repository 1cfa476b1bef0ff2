import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** Everything below needs the lock of the organization, and of the meetings it changes. */

type Member = { orgId: string; userId: string }

/** Locks a member's meetings of an organization and those shared with the member, in the order of their ids. */
export async function lockMeetingsOfMember(tx: TenantScope, { orgId, userId }: Member): Promise<void> {
  await run(
    tx,
    sql`select from meetings where tenant_id = ${tx.tenantId} and id in (
        select id from meetings where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId}
        union all
        select meeting_id from meeting_shares where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId})
      order by id for update`,
  )
}

export async function lockMeetingsOfOrganization(tx: TenantScope, orgId: string): Promise<void> {
  await run(tx, sql`select from meetings where tenant_id = ${tx.tenantId} and org_id = ${orgId} order by id for update`)
}

/** Gives a member's meetings that are open to the whole organization to another member. Returns how many. */
export async function handOver(
  tx: TenantScope,
  { orgId, userId, heirId, now }: Member & { heirId: string; now: Date },
): Promise<number> {
  const handed = await many(
    tx,
    sql<{ id: string }>`update meetings set user_id = ${heirId}, revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId} and visibility = 'org' returning id`,
  )
  const ids = handed.map(({ id }) => id)
  await moveCount(tx, { from: userId, to: heirId, count: ids.length })
  await run(
    tx,
    sql`delete from meeting_shares
      where tenant_id = ${tx.tenantId} and meeting_id = any (${ids}::uuid[]) and user_id = ${heirId}`,
  )
  return ids.length
}

/** Triggers count meetings that are created and deleted. */
async function moveCount(
  tx: TenantScope,
  { from, to, count }: { from: string; to: string; count: number },
): Promise<void> {
  if (count === 0) return
  await run(
    tx,
    sql`update meeting_counts set meeting_count = meeting_count - ${count} where tenant_id = ${tx.tenantId} and user_id = ${from}`,
  )
  await run(
    tx,
    sql`delete from meeting_counts where tenant_id = ${tx.tenantId} and user_id = ${from} and meeting_count = 0`,
  )
  await run(
    tx,
    sql`insert into meeting_counts as c (tenant_id, user_id, meeting_count) values (${tx.tenantId}, ${to}, ${count})
      on conflict (tenant_id, user_id) do update set meeting_count = c.meeting_count + excluded.meeting_count`,
  )
}

/** Ends everything that is shared with a member. That changes the meetings, as their owners see them. */
export async function deleteSharesOf(tx: TenantScope, { orgId, userId, now }: Member & { now: Date }): Promise<void> {
  await run(
    tx,
    sql`with ended as (delete from meeting_shares
        where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId} returning meeting_id)
      update meetings set revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id in (select meeting_id from ended)`,
  )
}

/** Takes the meetings of one member, or of all (null), out of an organization. Returns their ids. */
export async function makePrivate(
  tx: TenantScope,
  { orgId, userId, now }: { orgId: string; userId: string | null; now: Date },
): Promise<string[]> {
  const mine = sql`tenant_id = ${tx.tenantId} and org_id = ${orgId} and (${userId}::uuid is null or user_id = ${userId})`
  await run(
    tx,
    sql`delete from meeting_shares
      where tenant_id = ${tx.tenantId} and meeting_id in (select id from meetings where ${mine})`,
  )
  const taken = await many(
    tx,
    sql<{
      id: string
    }>`update meetings set visibility = 'private', org_id = null, revision = revision + 1, updated_at = ${now}
      where ${mine} returning id`,
  )
  return taken.map(({ id }) => id)
}
