import { readWithOtherParts } from '../storage/byte-parts.ts'
import { maybeOne, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { StoredMessageWithText } from './message.rules.ts'

/** The columns of a `StoredMessage`. */
export const messageColumns = sql`m.id, m.thread_id as "threadId", m.owner_id as "ownerId", m.org_id as "orgId",
  m.connection_id as "connectionId", m.direction, m.message_id as "messageId", m.in_reply_to as "inReplyTo",
  m.refs as "references", m.from_address as "from", m.envelope_from as "envelopeFrom", m.to_addresses as "to",
  m.cc_addresses as cc, m.subject, m.reply_text as "replyText", m.status, m.authenticity, m.is_stranger as "isStranger",
  m.automatic, m.attachments, m.citations, m.outcome, m.cause, m.verdicts, m.raw_bytes as "rawBytes",
  m.received_at as "receivedAt", m.sent_at as "sentAt", m.revision`

export function findMessage(scope: TenantScope, id: string): Promise<StoredMessageWithText | null> {
  return maybeOne(
    scope,
    sql<StoredMessageWithText>`select ${messageColumns}, m.text from mail_messages m
      where m.tenant_id = ${scope.tenantId} and m.id = ${id}`,
  )
}

/** The bytes of a mail as they came; null if there are none, or no longer any. */
export async function readRaw(scope: TenantScope, id: string): Promise<{ bytes: Buffer; type: string } | null> {
  const row = await maybeOne(
    scope,
    sql<{ raw: Buffer; rawBytes: number; rawType: string }>`select raw, raw_bytes as "rawBytes", raw_type as "rawType"
      from mail_messages where tenant_id = ${scope.tenantId} and id = ${id} and raw is not null`,
  )
  if (row === null) return null
  const bytes = await readWithOtherParts(scope, 'mail_message_parts', { id, first: row.raw, bytes: row.rawBytes })
  return bytes && { bytes, type: row.rawType }
}

type ReceivedRow = {
  id: string
  threadId: string
  ownerId: string
  orgId: string | null
  authenticity: 'pass' | 'none' | 'fail'
  isStranger: boolean
  senderUserId: string | null
  tag: string | null
  text: string
  envelopeFrom: string | null
  verdicts: Record<string, string>
  receivedAt: Date
}

/** What is known of a received mail beside its bytes; null for one that reached no address of ours. */
export function findReceived(scope: TenantScope, id: string): Promise<ReceivedRow | null> {
  return maybeOne(
    scope,
    sql<ReceivedRow>`select id, thread_id as "threadId", owner_id as "ownerId", org_id as "orgId",
        coalesce(authenticity, 'none') as authenticity, is_stranger as "isStranger", sender_user_id as "senderUserId", tag,
        text, envelope_from as "envelopeFrom", verdicts, received_at as "receivedAt"
      from mail_messages
      where tenant_id = ${scope.tenantId} and id = ${id} and thread_id is not null and direction = 'in'`,
  )
}
