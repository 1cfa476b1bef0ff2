import type { Mail } from '../../inbound/index.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, one, run, sql } from '../../storage/query.ts'
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

export type MailMessage = Omit<Mail, 'text' | 'raw'> & {
  id: string
  connectionId: string
  messageId: string
  /** Null where the provider keeps the mail. */
  rawBytes: number | null
  receivedAt: Date
}
export type MailMessageWithText = MailMessage & { text: string }

/** Without the text, which may be long. */
const columns = sql`id, connection_id as "connectionId", message_id as "messageId", in_reply_to as "inReplyTo",
  refs as "references", from_address as "from", envelope_from as "envelopeFrom", to_addresses as "to", subject, verdicts,
  octet_length(raw) as "rawBytes", received_at as "receivedAt"`

export type MessageSearch = {
  connectionId?: string | undefined
  sender?: string | undefined
  /** Received at or after. */
  from?: Date | undefined
  /** Received before. */
  to?: Date | undefined
}

/** Newest first: ids grow with the time at which they were made, and their index needs no sort. */
export function listMessages(
  scope: TenantScope,
  { connectionId, sender, from, to }: MessageSearch,
  page: PageRequest,
): Promise<Page<MailMessage>> {
  const conditions = [
    sql`tenant_id = ${scope.tenantId}`,
    ...(connectionId === undefined ? [] : [sql`connection_id = ${connectionId}`]),
    ...(sender === undefined ? [] : [sql`lower(from_address) = lower(${sender})`]),
    ...(from === undefined ? [] : [sql`received_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`received_at < ${to}`]),
  ]
  return listPage<MailMessage>(scope, page, {
    columns,
    from: sql`from mail_messages where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`id desc`,
  })
}

/** Refuses with NOT_FOUND. */
export function getMessage(scope: TenantScope, id: string): Promise<MailMessageWithText> {
  return one(
    scope,
    sql<MailMessageWithText>`select ${columns}, text from mail_messages where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Deletes at most `limit` mails, of all tenants. Returns how many. */
export function deleteMessagesBefore(platform: PlatformScope, before: Date, limit: number): Promise<number> {
  return run(
    platform,
    sql`delete from mail_messages where (tenant_id, id) in (
      select tenant_id, id from mail_messages where received_at < ${before} order by received_at limit ${limit})`,
  )
}
