import { many, maybeOne, run, sql } from '../../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../../storage/scope.ts'
import type { KnownEvent } from './calendar.rules.ts'

/** Where the reading of one calendar stands. */
export type CalendarState = { syncToken: string; readWholeAt: Date }
export type CalendarKey = { integrationId: string; calendarId: string }

const ofCalendar = (scope: TenantScope, { integrationId, calendarId }: CalendarKey) =>
  sql`tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and calendar_id = ${calendarId}`

export function findCalendar(scope: TenantScope, calendar: CalendarKey): Promise<CalendarState | null> {
  return maybeOne(
    scope,
    sql<CalendarState>`select sync_token as "syncToken", read_whole_at as "readWholeAt" from integration_calendars
      where ${ofCalendar(scope, calendar)}`,
  )
}

export async function saveCalendar(
  scope: TenantScope,
  { integrationId, calendarId, syncToken, readWholeAt, now }: CalendarKey & CalendarState & { now: Date },
): Promise<void> {
  await run(
    scope,
    sql`insert into integration_calendars (tenant_id, integration_id, calendar_id, sync_token, read_whole_at, synced_at)
      select ${scope.tenantId}, ${integrationId}, ${calendarId}, ${syncToken}, ${readWholeAt}, ${now}
      where exists (select 1 from integrations where tenant_id = ${scope.tenantId} and id = ${integrationId})
      on conflict (tenant_id, integration_id, calendar_id)
      do update set sync_token = excluded.sync_token, read_whole_at = excluded.read_whole_at, synced_at = excluded.synced_at`,
  )
}

/** Locks the event until the transaction ends. It is created where it is new, so that two readers make one meeting of it. */
export async function lockEvent(
  tx: TenantScope,
  { integrationId, calendarId, key }: CalendarKey & { key: string },
): Promise<(KnownEvent & { meetingId: string | null }) | null> {
  await run(
    tx,
    sql`insert into integration_events (tenant_id, integration_id, calendar_id, event_key)
      select ${tx.tenantId}, ${integrationId}, ${calendarId}, ${key}
      where exists (select 1 from integrations where tenant_id = ${tx.tenantId} and id = ${integrationId})
      on conflict do nothing`,
  )
  return maybeOne(
    tx,
    sql<
      KnownEvent & { meetingId: string | null }
    >`select meeting_id as "meetingId", fingerprint, is_gone as "isGone", ends_at as "endsAt" from integration_events
      where ${ofCalendar(tx, { integrationId, calendarId })} and event_key = ${key} for update`,
  )
}

export async function saveEvent(tx: TenantScope, event: CalendarKey & KnownEvent & { key: string }): Promise<void> {
  await run(
    tx,
    sql`update integration_events set meeting_id = ${event.meetingId}, fingerprint = ${event.fingerprint}, is_gone = ${event.isGone},
        ends_at = coalesce(${event.endsAt}::timestamptz, ends_at)
      where ${ofCalendar(tx, event)} and event_key = ${event.key}`,
  )
}

export async function deleteEvent(tx: TenantScope, event: CalendarKey & { key: string }): Promise<void> {
  await run(tx, sql`delete from integration_events where ${ofCalendar(tx, event)} and event_key = ${event.key}`)
}

export async function listLiveKeys(scope: TenantScope, calendar: CalendarKey): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ key: string }>`select event_key as key from integration_events
      where ${ofCalendar(scope, calendar)} and not is_gone and meeting_id is not null order by event_key`,
  )
  return rows.map(({ key }) => key)
}

export type OverEvent = CalendarKey & { tenantId: string; key: string; userId: string | null; endsAt: Date }

/** Events that ended before then, and whose meetings are still expected. */
export function listOverEvents(
  scope: PlatformScope,
  { before, limit }: { before: Date; limit: number },
): Promise<OverEvent[]> {
  return many(
    scope,
    sql<OverEvent>`select e.tenant_id as "tenantId", e.integration_id as "integrationId", e.calendar_id as "calendarId",
        e.event_key as key, coalesce(i.user_id, i.connected_by) as "userId", e.ends_at as "endsAt"
      from integration_events e join integrations i on i.tenant_id = e.tenant_id and i.id = e.integration_id
      where not e.is_gone and e.meeting_id is not null and e.ends_at <= ${before} order by e.ends_at limit ${limit}`,
  )
}

/** Events that ended before then. Calendars no longer list them. */
export async function deleteEventsBefore(scope: PlatformScope, before: Date): Promise<void> {
  await run(scope, sql`delete from integration_events where ends_at < ${before}`)
}
