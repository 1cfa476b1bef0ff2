import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type Hearer = { id: string; eventTypes: string[]; status: 'ACTIVE' | 'DISABLED' }

/**
 * The endpoints of a tenant that is not deleted, unless this is said of it, kept from going until the transaction ends; one that is just being
 * deleted is passed over. One look into an index: what every change pays whose tenant has none.
 */
export function holdEndpoints(tx: TenantScope, { isFarewell }: { isFarewell: boolean }): Promise<Hearer[]> {
  const isThere = sql`exists (select from tenants where id = ${tx.tenantId} and deleted_at is null)`
  return many(
    tx,
    sql<Hearer>`select id, event_types as "eventTypes", status from webhook_endpoints where tenant_id = ${tx.tenantId}
      ${isFarewell ? sql`` : sql`and ${isThere}`}
      order by id for key share skip locked`,
  )
}

export type NewMessage = {
  id: string
  type: string
  body: string
  coalescedBy: string | null
  sendAt: Date
  to: Hearer[]
}
export type Planned = { endpointId: string; messageId: string }

/**
 * Writes messages with a delivery for each endpoint. An endpoint that is disabled gets one that has failed: it can be
 * recovered. Gives those that are to be tried; a message that was coalesced with one before is not among them.
 */
export function insertMessages(tx: TenantScope, messages: NewMessage[], now: Date): Promise<Planned[]> {
  const told = messages.map(({ id, type, body, coalescedBy }) => ({ id, type, body, coalescedBy }))
  const sends = messages.flatMap(({ id, sendAt, to }) =>
    to.map((endpoint) => ({
      messageId: id,
      endpointId: endpoint.id,
      sendAt: endpoint.status === 'ACTIVE' ? sendAt : null,
    })),
  )
  return many(
    tx,
    sql<Planned>`with told as (
        insert into webhook_messages (tenant_id, id, type, body, coalesced_by, created_at)
        select ${tx.tenantId}, id, type, body, "coalescedBy", ${now}
        from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as m (id uuid, type text, body text, "coalescedBy" text)
        on conflict (tenant_id, coalesced_by) do nothing returning id
      ), planned as (
        insert into webhook_sends (tenant_id, endpoint_id, message_id, status, next_attempt_at, created_at)
        select ${tx.tenantId}, s."endpointId", s."messageId", case when s."sendAt" is null then 'FAILED' else 'PENDING' end, s."sendAt", ${now}
        from jsonb_to_recordset(${JSON.stringify(sends)}::jsonb) as s ("messageId" uuid, "endpointId" uuid, "sendAt" timestamptz)
        join told on told.id = s."messageId"
        returning endpoint_id, message_id, status
      )
      select endpoint_id as "endpointId", message_id as "messageId" from planned where status = 'PENDING'`,
  )
}

// Some milliseconds; each takes its deliveries and their tries along.
const droppedAtOnce = 500

/** Forgets messages from before a moment; may be cut short. */
export async function dropMessages(platform: PlatformScope, before: Date, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const dropped = await run(
      platform,
      sql`delete from webhook_messages where ctid = any (array(
        select ctid from webhook_messages where created_at < ${before} limit ${droppedAtOnce}))`,
    )
    if (dropped < droppedAtOnce) return
  }
}
