import type { Mail } from '../../inbound/index.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { AttachmentNote } from '../../mime/attachment-types.ts'
import { erasableRows, firstPart, insertOtherParts } from '../../storage/byte-parts.ts'
import { listPage, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { Authenticity, StoredMessage } from '../message.rules.ts'
import { messageColumns } from '../message.store.ts'

/** What is known of a mail to an address of ours. */
export type Addressed = Owner & {
  threadId: string
  cc: string[]
  authenticity: Authenticity
  isStranger: boolean
  senderUserId: string | null
  tag: string | null
  attachments: AttachmentNote[]
  status: 'received' | 'processed' | 'ignored' | 'quarantined'
  outcome: string | null
  cause: string | null
}

export type NewMailMessage = Mail & {
  id: string
  /** Null: it came another way than by a webhook. */
  connectionId: string | null
  /** Null: it reached no address of ours. */
  addressed: Addressed | null
  effectKey: string
  messageId: string
  receivedAt: Date
}

/** The size of a mail. */
const mailBytes = sql`octet_length(text) + coalesce(raw_bytes, 0)`

/** What a mail takes of the tenant's storage. Mails of ours take none: how many are sent is limited by day. */
const storedBytes = sql`case direction when 'in' then ${mailBytes} else 0 end`

/**
 * Stores a mail once for each message id of a connection. Returns the stored one where it exists, and null where the tenant
 * would have more than `bytesMax` bytes of mails and documents with their texts: undo the transaction then.
 */
export async function storeMessage(
  tx: TenantScope,
  mail: NewMailMessage,
  bytesMax: number | null,
): Promise<{ id: string; isNew: boolean } | null> {
  const raw = mail.raw?.bytes ?? null
  const to = mail.addressed
  // Asked for room twice: here, so that a tenant without any writes no parts, and after the parts, which decides races.
  const inserted = await maybeOne(
    tx,
    sql<{
      id: string
      bytes: number
    }>`insert into mail_messages (tenant_id, id, connection_id, effect_key, message_id, in_reply_to, refs,
        from_address, envelope_from, to_addresses, subject, text, verdicts, raw, raw_bytes, raw_type, status, received_at,
        owner_id, org_id, thread_id, cc_addresses, authenticity, is_stranger, sender_user_id, tag, attachments, outcome, cause)
      select ${tx.tenantId}, ${mail.id}, ${mail.connectionId}, ${mail.effectKey}, ${mail.messageId}, ${mail.inReplyTo},
        ${mail.references}::text[], ${mail.from}, ${mail.envelopeFrom}, ${mail.to}::text[], ${mail.subject}, text,
        ${JSON.stringify(mail.verdicts)}::jsonb, ${raw && firstPart(raw)}, raw_bytes,
        ${mail.raw?.type ?? null}, ${to?.status ?? 'received'}, ${mail.receivedAt},
        ${to?.ownerId ?? null}, ${to?.orgId ?? null}, ${to?.threadId ?? null}, ${to?.cc ?? []}::text[],
        ${to?.authenticity ?? null}, ${to?.isStranger ?? false}, ${to?.senderUserId ?? null}, ${to?.tag ?? null},
        ${JSON.stringify(to?.attachments ?? [])}::jsonb, ${to?.outcome ?? null}, ${to?.cause ?? null}
      from (select ${mail.text}::text as text, ${raw?.length ?? null}::int as raw_bytes) as mail
      where ${bytesMax}::bigint is null or ${bytesMax}::bigint >= ${mailBytes} + coalesce(
        (select mail_bytes + document_bytes from tenant_storage where tenant_id = ${tx.tenantId}), 0)
      on conflict do nothing returning id, ${mailBytes} as bytes`,
  )
  if (inserted !== null) {
    if (raw !== null) await insertOtherParts(tx, 'mail_message_parts', { id: inserted.id, bytes: raw })
    return (await takeStorage(tx, inserted.bytes, bytesMax)) ? { id: inserted.id, isNew: true } : null
  }
  const known = await maybeOne(
    tx,
    sql<{ id: string }>`select id from mail_messages where tenant_id = ${tx.tenantId}
      and (effect_key = ${mail.effectKey} or (thread_id is null and connection_id = ${mail.connectionId} and message_id = ${mail.messageId}))`,
  )
  return known && { id: known.id, isNew: false }
}

/** Comes last: other mails and documents of the tenant wait for this row until the transaction ends. */
async function takeStorage(tx: TenantScope, bytes: number, bytesMax: number | null): Promise<boolean> {
  const taken = await run(
    tx,
    sql`insert into tenant_storage as s (tenant_id, mail_bytes) values (${tx.tenantId}, ${bytes})
      on conflict (tenant_id) do update set mail_bytes = s.mail_bytes + excluded.mail_bytes
        where ${bytesMax}::bigint is null or s.mail_bytes + s.document_bytes + excluded.mail_bytes <= ${bytesMax}::bigint`,
  )
  return taken > 0
}

/** Adds up what the received mails take, and puts right what was counted. Mails that are stored meanwhile wait. */
export async function recountStorage(tx: TenantScope): Promise<{ counted: number; expected: number }> {
  const { counted } = await one(
    tx,
    sql<{ counted: number }>`insert into tenant_storage as s (tenant_id) values (${tx.tenantId})
      on conflict (tenant_id) do update set mail_bytes = s.mail_bytes returning mail_bytes as counted`,
  )
  // Another statement, which sees what was committed before the row was locked.
  const { expected } = await one(
    tx,
    sql<{ expected: number }>`update tenant_storage set mail_bytes = (
        select coalesce(sum(${storedBytes}), 0) from mail_messages where tenant_id = ${tx.tenantId})
      where tenant_id = ${tx.tenantId} returning mail_bytes as expected`,
  )
  return { counted, expected }
}

/** What the received mails and the documents take of the tenant's storage. */
export async function countStoredBytes(scope: TenantScope): Promise<number> {
  const row = await maybeOne(
    scope,
    sql<{
      bytes: number
    }>`select mail_bytes + document_bytes as bytes from tenant_storage where tenant_id = ${scope.tenantId}`,
  )
  return row?.bytes ?? 0
}

export type MessageSearch = {
  connectionId?: string | undefined
  sender?: string | undefined
  /** Received at or after. */
  from?: Date | undefined
  /** Received before. */
  to?: Date | undefined
}

/** Mails of no organization, newest first: ids grow with the time at which they were made, and their index needs no sort. */
export function listMessages(
  scope: TenantScope,
  { connectionId, sender, from, to }: MessageSearch,
  page: PageRequest,
): Promise<Page<StoredMessage>> {
  const conditions = [
    sql`m.tenant_id = ${scope.tenantId} and m.org_id is null and m.direction = 'in'`,
    ...(connectionId === undefined ? [] : [sql`m.connection_id = ${connectionId}`]),
    ...(sender === undefined ? [] : [sql`lower(m.from_address) = lower(${sender})`]),
    ...(from === undefined ? [] : [sql`m.received_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`m.received_at < ${to}`]),
  ]
  return listPage<StoredMessage>(scope, page, {
    columns: messageColumns,
    from: sql`from mail_messages m where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`m.id desc`,
  })
}

// More rows would make a statement take longer than seconds, even if the mails are small.
const batchRows = 1000

/** Deletes some mails, of all tenants. Returns how many. */
export function deleteMessagesBefore(platform: PlatformScope, before: Date): Promise<number> {
  return deleteSome(
    platform,
    sql`from mail_messages where received_at < ${before} order by received_at limit ${batchRows}`,
  )
}

/** Deletes all mails of an organization. */
export async function deleteMessagesOfOwner(tx: TenantScope, ownerId: string): Promise<void> {
  const rows = sql`from mail_messages where tenant_id = ${tx.tenantId} and owner_id = ${ownerId} order by id limit ${batchRows}`
  while ((await deleteSome(tx, rows)) > 0);
}

/** Deletes all mails that a user wrote or got alone. */
export async function deleteMessagesOfUser(
  tx: TenantScope,
  { userId, addresses }: { userId: string; addresses: string[] },
): Promise<void> {
  const rows = sql`from mail_messages where tenant_id = ${tx.tenantId}
    and (sender_user_id = ${userId} or (direction = 'out' and to_addresses <@ ${addresses}::text[])) order by id limit ${batchRows}`
  while ((await deleteSome(tx, rows)) > 0);
}

function deleteSome(scope: Scope, rows: Sql): Promise<number> {
  return run(
    scope,
    // Locked in order, so that two nodes do not wait for each other.
    sql`with deleted as (
        delete from mail_messages where ctid = any (${erasableRows({ bytes: mailBytes, rows })})
        returning tenant_id, ${storedBytes} as bytes),
      freed as (select tenant_id, sum(bytes) as bytes from deleted group by tenant_id),
      locked as (
        select s.tenant_id, f.bytes from tenant_storage s join freed f on f.tenant_id = s.tenant_id
        order by s.tenant_id for update of s),
      given_back as (
        update tenant_storage s set mail_bytes = s.mail_bytes - l.bytes from locked l where s.tenant_id = l.tenant_id)
      select from deleted`,
  )
}

/** Drops the bytes of some mails as they came. Returns of how many. */
export function dropRawBefore(platform: PlatformScope, before: Date): Promise<number> {
  const rows = sql`from mail_messages where received_at < ${before} and raw is not null order by received_at limit ${batchRows}`
  return run(
    platform,
    sql`with old as (
        select tenant_id, id, raw_bytes as bytes from mail_messages
        where ctid = any (${erasableRows({ bytes: mailBytes, rows })}) for update),
      dropped as (
        update mail_messages m set raw = null, raw_type = null, raw_bytes = null from old
        where m.tenant_id = old.tenant_id and m.id = old.id),
      parts as (
        delete from mail_message_parts p using old where p.tenant_id = old.tenant_id and p.owner_id = old.id),
      freed as (select tenant_id, sum(bytes) as bytes from old group by tenant_id),
      locked as (
        select s.tenant_id, f.bytes from tenant_storage s join freed f on f.tenant_id = s.tenant_id
        order by s.tenant_id for update of s),
      given_back as (
        update tenant_storage s set mail_bytes = s.mail_bytes - l.bytes from locked l where s.tenant_id = l.tenant_id)
      select from old`,
  )
}
