import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export async function listTimeZones(platform: PlatformScope): Promise<string[]> {
  const rows = await many(
    platform,
    sql<{ timeZone: string }>`select distinct time_zone as "timeZone" from organizations`,
  )
  return rows.map(({ timeZone }) => timeZone)
}

/** Of which a member is reminded: due on the day or the next one, or overdue for one day, eight days, and so on. */
function isDueFor(day: Sql): Sql {
  return sql`t.status in ('open', 'in_progress') and t.assignee_id is not null and t.due <= ${day} + 1
    and (t.due >= ${day} or (${day} - t.due) % 7 = 1)`
}

export type ZonedDay = { timeZone: string; day: string }
export type WaitingOrganization = { tenantId: string; orgId: string; day: string }

function withoutReminders(zones: ZonedDay[]): Sql {
  return sql`from unnest(${zones.map(({ timeZone }) => timeZone)}::text[], ${zones.map(({ day }) => day)}::date[]) as z(time_zone, day)
    join organizations o on o.time_zone = z.time_zone and (o.reminded_on is null or o.reminded_on < z.day)`
}

/**
 * Ends the day of organizations that have nothing due, so that what is assigned later in the morning is not mailed at once.
 * Waits for no lock. Returns how many there were, at most `limit`.
 */
export function claimIdle(platform: PlatformScope, zones: ZonedDay[], limit: number): Promise<number> {
  return run(
    platform,
    sql`with idle as (
        select o.tenant_id, o.id, z.day ${withoutReminders(zones)}
        where not exists (select from tasks t where t.tenant_id = o.tenant_id and t.org_id = o.id and ${isDueFor(sql`z.day`)})
        limit ${limit} for no key update of o skip locked
      )
      update organizations o set reminded_on = idle.day from idle where o.tenant_id = idle.tenant_id and o.id = idle.id`,
  )
}

/** Organizations that got no reminders on their day, in the order of their ids, behind `after`. */
export function listWaiting(
  platform: PlatformScope,
  zones: ZonedDay[],
  { after, limit }: { after: WaitingOrganization | null; limit: number },
): Promise<WaitingOrganization[]> {
  return many(
    platform,
    sql<WaitingOrganization>`select o.tenant_id as "tenantId", o.id as "orgId", z.day::text as day ${withoutReminders(zones)}
      where ${after === null}::boolean or (o.tenant_id, o.id) > (${after?.tenantId ?? null}::uuid, ${after?.orgId ?? null}::uuid)
      order by o.tenant_id, o.id limit ${limit}`,
  )
}

/** Takes the reminders of a day; null where they were taken. One statement: of several nodes one sends them. */
export function claimDay(
  tx: TenantScope,
  { orgId, day }: { orgId: string; day: string },
): Promise<{ name: string } | null> {
  return maybeOne(
    tx,
    sql<{ name: string }>`update organizations set reminded_on = ${day}::date
      where tenant_id = ${tx.tenantId} and id = ${orgId} and (reminded_on is null or reminded_on < ${day}::date)
      returning name`,
  )
}

/** `titles` and `days`: of the first tasks; `count`: of all. */
export type DueTasks = { userId: string; email: string; count: number; titles: string[]; days: string[] }

/** For members who want reminders and whose address is verified. The earliest tasks come first. */
export function listDueByMember(
  tx: TenantScope,
  { orgId, day, titlesMax }: { orgId: string; day: string; titlesMax: number },
): Promise<DueTasks[]> {
  return many(
    tx,
    sql<DueTasks>`select u.id as "userId", u.email, count(*)::int as count,
        (array_agg(t.title order by t.due, t.number))[1:${titlesMax}] as titles,
        (array_agg(t.due::text order by t.due, t.number))[1:${titlesMax}] as days
      from tasks t
      join organization_members m on m.tenant_id = t.tenant_id and m.org_id = t.org_id and m.user_id = t.assignee_id
        and m.notify_tasks_due
      join users u on u.tenant_id = t.tenant_id and u.id = t.assignee_id and u.email_verified and u.status = 'ACTIVE'
      join tenants n on n.id = t.tenant_id and n.status = 'ACTIVE' and n.deleted_at is null
      where t.tenant_id = ${tx.tenantId} and t.org_id = ${orgId} and ${isDueFor(sql`${day}::date`)}
      group by u.id, u.email order by u.id`,
  )
}

export type Reminder = { orgId: string; userId: string; day: string; tokenHash: Buffer }

/** Fails for a second one of the same day. */
export async function insertReminder(tx: TenantScope, { orgId, userId, day, tokenHash }: Reminder): Promise<void> {
  await run(
    tx,
    sql`insert into task_reminders (tenant_id, org_id, user_id, day, token_hash)
      values (${tx.tenantId}, ${orgId}, ${userId}, ${day}::date, ${tokenHash})`,
  )
}

export type Reminded = { tenantId: string; orgId: string; userId: string }

/** Null for an unknown token, and once the member has left. */
export function findReminded(platform: PlatformScope, tokenHash: Buffer): Promise<Reminded | null> {
  return maybeOne(
    platform,
    sql<Reminded>`select tenant_id as "tenantId", org_id as "orgId", user_id as "userId" from task_reminders
      where token_hash = ${tokenHash}`,
  )
}

/** Whether a mail with this token may be sent: to a member who wants it, with a verified address and an active account. */
export async function isReminderWanted(scope: TenantScope, tokenHash: Buffer): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql`select from task_reminders r
      join organization_members m on m.tenant_id = r.tenant_id and m.org_id = r.org_id and m.user_id = r.user_id
        and m.notify_tasks_due
      join users u on u.tenant_id = r.tenant_id and u.id = r.user_id and u.email_verified and u.status = 'ACTIVE'
      where r.tenant_id = ${scope.tenantId} and r.token_hash = ${tokenHash}`,
  )
  return found !== null
}

export async function deleteRemindersBefore(platform: PlatformScope, day: string): Promise<void> {
  await run(platform, sql`delete from task_reminders where day < ${day}::date`)
}
