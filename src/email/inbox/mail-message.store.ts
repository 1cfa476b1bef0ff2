import type { Mail } from '../../inbound/index.ts'
import { maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type NewMailMessage = Mail & {
  id: string
  connectionId: string
  effectKey: string
  messageId: string
  receivedAt: Date
}

/** Stores a mail once for each message id of a connection. Returns the stored one where it exists. */
export async function storeMessage(tx: TenantScope, mail: NewMailMessage): Promise<{ id: string; isNew: boolean }> {
  const stored = await maybeOne(
    tx,
    sql<{
      id: string
    }>`insert into mail_messages (tenant_id, id, connection_id, effect_key, message_id, in_reply_to, refs,
        from_address, envelope_from, to_addresses, subject, text, verdicts, raw, raw_type, status, received_at)
      values (${tx.tenantId}, ${mail.id}, ${mail.connectionId}, ${mail.effectKey}, ${mail.messageId}, ${mail.inReplyTo},
        ${mail.references}::text[], ${mail.from}, ${mail.envelopeFrom}, ${mail.to}::text[], ${mail.subject}, ${mail.text},
        ${JSON.stringify(mail.verdicts)}::jsonb, ${mail.raw?.bytes ?? null}, ${mail.raw?.type ?? null}, 'received', ${mail.receivedAt})
      on conflict do nothing returning id`,
  )
  if (stored !== null) return { id: stored.id, isNew: true }
  const { id } = await one(
    tx,
    sql<{ id: string }>`select id from mail_messages where tenant_id = ${tx.tenantId}
      and connection_id = ${mail.connectionId} and message_id = ${mail.messageId}`,
  )
  return { id, isNew: false }
}

/** Deletes at most `limit` mails, of all tenants. Returns how many. */
export function deleteMessagesBefore(platform: PlatformScope, before: Date, limit: number): Promise<number> {
  return run(
    platform,
    sql`delete from mail_messages where (tenant_id, id) in (
      select tenant_id, id from mail_messages where received_at < ${before} order by received_at limit ${limit})`,
  )
}
