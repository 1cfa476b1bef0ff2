import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type Recipient = { id: string; eventTypes: string[]; status: 'ACTIVE' | 'DISABLED' }

/**
 * Locks the endpoints of the tenant against deletion until the transaction ends, and skips those that are just being
 * deleted. None if the tenant is deleted, unless the event says so. A change of a tenant without endpoints costs one
 * index lookup.
 */
export function lockRecipients(
  tx: TenantScope,
  { isFarewell: isTenantDeleted }: { isFarewell: boolean },
): Promise<Recipient[]> {
  const tenantExists = sql`exists (select from tenants where id = ${tx.tenantId} and deleted_at is null)`
  return many(
    tx,
    sql<Recipient>`select id, event_types as "eventTypes", status from webhook_endpoints where tenant_id = ${tx.tenantId}
      ${isTenantDeleted ? sql`` : sql`and ${tenantExists}`}
      order by id for key share skip locked`,
  )
}

export type NewMessage = {
  id: string
  type: string
  body: string
  coalescedBy: string | null
  sendAt: Date
  to: Recipient[]
}
export type PendingDelivery = { endpointId: string; messageId: string }

/**
 * Writes messages with a delivery for each endpoint. The delivery for a disabled endpoint is FAILED, so that it can be
 * recovered. Returns the pending ones. A message that was coalesced with an earlier one has none.
 */
export function insertMessages(tx: TenantScope, messages: NewMessage[], now: Date): Promise<PendingDelivery[]> {
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
    sql<PendingDelivery>`with told as (
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

// Some milliseconds of work: each message is deleted with its deliveries and attempts.
const batchSize = 500

/** Deletes messages from before a time, in batches. */
export async function deleteOldMessages(platform: PlatformScope, before: Date, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const dropped = await run(
      platform,
      sql`delete from webhook_messages where ctid = any (array(
        select ctid from webhook_messages where created_at < ${before} limit ${batchSize}))`,
    )
    if (dropped < batchSize) return
  }
}
