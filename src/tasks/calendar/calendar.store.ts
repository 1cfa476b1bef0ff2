import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { CalendarEvent } from './icalendar.rules.ts'

type CalendarKey = { orgId: string; userId: string }

/** An earlier address of the member is dead from then on. */
export async function saveCalendar(
  tx: TenantScope,
  { orgId, userId, tokenHash, now }: CalendarKey & { tokenHash: Buffer; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into task_calendars (tenant_id, org_id, user_id, token_hash, created_at)
      values (${tx.tenantId}, ${orgId}, ${userId}, ${tokenHash}, ${now})
      on conflict (tenant_id, org_id, user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
  )
}

/** False: the member has none. */
export async function deleteCalendar(tx: TenantScope, { orgId, userId }: CalendarKey): Promise<boolean> {
  const deleted = await run(
    tx,
    sql`delete from task_calendars where tenant_id = ${tx.tenantId} and org_id = ${orgId} and user_id = ${userId}`,
  )
  return deleted === 1
}

export type Calendar = CalendarKey & { tenantId: string; orgName: string }

/** Null for an unknown token, and while the tenant or the user is suspended. */
export function findCalendar(platform: PlatformScope, tokenHash: Buffer): Promise<Calendar | null> {
  return maybeOne(
    platform,
    sql<Calendar>`select c.tenant_id as "tenantId", c.org_id as "orgId", c.user_id as "userId", o.name as "orgName"
      from task_calendars c
      join tenants t on t.id = c.tenant_id and t.status = 'ACTIVE' and t.deleted_at is null
      join users u on u.tenant_id = c.tenant_id and u.id = c.user_id and u.status = 'ACTIVE'
      join organizations o on o.tenant_id = c.tenant_id and o.id = c.org_id
      where c.token_hash = ${tokenHash}`,
  )
}

/** More would not fit into most calendars. */
const eventsMax = 5_000

/** The member's open tasks with a due day, the latest ones if there are very many. */
export function listDueTasks(scope: TenantScope, { orgId, userId }: CalendarKey): Promise<CalendarEvent[]> {
  return many(
    scope,
    sql<CalendarEvent>`select id, title, due::text as day, revision, updated_at as "updatedAt" from tasks
      where tenant_id = ${scope.tenantId} and org_id = ${orgId} and assignee_id = ${userId} and due is not null
        and status in ('open', 'in_progress')
      order by due desc, id limit ${eventsMax}`,
  )
}
