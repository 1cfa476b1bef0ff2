import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'

export type NewOutgoing = Owner & {
  id: string
  threadId: string
  from: string
  to: string[]
  subject: string
  text: string
  inReplyTo: string | null
  references: string[]
  now: Date
}

/** A draft: it gets its token and Message-ID when it is released. */
export async function insertOutgoing(tx: TenantScope, mail: NewOutgoing): Promise<void> {
  await run(
    tx,
    sql`insert into mail_messages (tenant_id, id, effect_key, message_id, in_reply_to, refs, from_address, to_addresses, subject,
        text, verdicts, status, direction, received_at, owner_id, org_id, thread_id)
      values (${tx.tenantId}, ${mail.id}, ${mail.id}, ${mail.id}, ${mail.inReplyTo}, ${mail.references}::text[], ${mail.from},
        ${mail.to}::text[], ${mail.subject}, ${mail.text}, '{}', 'draft', 'out', ${mail.now}, ${mail.ownerId}, ${mail.orgId},
        ${mail.threadId})`,
  )
}

type Release = { id: string; token: Buffer; messageId: string; automatic: string | null }

/** Makes a draft a mail that waits to be sent. False where it is no draft: of two calls at once one gets it. */
export async function releaseDraft(tx: TenantScope, { id, token, messageId, automatic }: Release): Promise<boolean> {
  const released = await run(
    tx,
    sql`update mail_messages set status = 'queued', token = ${token}, message_id = ${messageId}, automatic = ${automatic},
        revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'out' and status = 'draft'`,
  )
  return released > 0
}

/** Makes a failed mail wait again. False where it has not failed, or its words were erased. */
export async function requeueFailed(tx: TenantScope, id: string): Promise<boolean> {
  const requeued = await run(
    tx,
    sql`update mail_messages set status = 'queued', attempts = 0, claimed_until = null, revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'out' and status = 'failed' and text <> ''`,
  )
  return requeued > 0
}

export type ClaimedMessage = Owner & {
  id: string
  to: string[]
  subject: string
  text: string
  messageId: string
  inReplyTo: string | null
  references: string[]
  token: Buffer
  automatic: string | null
  createdAt: Date
}

/** Begins an attempt. Null where the mail does not wait, another attempt runs, or its words were erased. */
export function claimMessage(
  scope: TenantScope,
  { id, now, claimedUntil }: { id: string; now: Date; claimedUntil: Date },
): Promise<ClaimedMessage | null> {
  return maybeOne(
    scope,
    sql<ClaimedMessage>`update mail_messages m set status = 'sending', attempts = attempts + 1, claimed_until = ${claimedUntil}
      where tenant_id = ${scope.tenantId} and id = ${id} and direction = 'out' and token is not null and text <> ''
        and (status in ('queued', 'deferred') or (status = 'sending' and claimed_until <= ${now}))
      returning m.id, m.owner_id as "ownerId", m.org_id as "orgId", m.to_addresses as "to", m.subject, m.text,
        m.message_id as "messageId", m.in_reply_to as "inReplyTo", m.refs as "references", m.token, m.automatic,
        m.received_at as "createdAt"`,
  )
}

/** Whether an attempt runs, or was cut off and its claim has not ended. */
export async function isClaimed(scope: TenantScope, id: string): Promise<boolean> {
  const found = sql`select from mail_messages
    where tenant_id = ${scope.tenantId} and id = ${id} and direction = 'out' and status = 'sending'`
  return (await maybeOne(scope, found)) !== null
}

/** There are no more attempts to send it. */
export async function giveUp(scope: TenantScope, { id, error }: { id: string; error: string }): Promise<void> {
  await run(
    scope,
    sql`update mail_messages set status = ${unlessErased('failed')}, last_error = ${error}, claimed_until = null,
        revision = revision + 1
      where tenant_id = ${scope.tenantId} and id = ${id} and direction = 'out' and status in ('queued', 'sending', 'deferred')`,
  )
}

/** A mail whose words were erased while it was being sent is not tried again. */
const unlessErased = (status: string) => sql`case when text = '' then 'discarded' else ${status} end`

type Attempt = {
  id: string
  status: 'sent' | 'deferred' | 'failed' | 'bounced' | 'suppressed'
  error: string | null
  cause: string | null
  sentAt: Date | null
}

/** False where another attempt has ended it. */
export async function recordAttempt(scope: TenantScope, attempt: Attempt): Promise<boolean> {
  const { id, status, error, cause, sentAt } = attempt
  const isOver = status !== 'deferred' && status !== 'failed'
  const recorded = await run(
    scope,
    sql`update mail_messages set status = ${isOver ? sql`${status}` : unlessErased(status)}, last_error = ${error}, cause = coalesce(${cause}, cause),
        sent_at = ${sentAt}, claimed_until = null, revision = revision + 1
      where tenant_id = ${scope.tenantId} and id = ${id} and status = 'sending'`,
  )
  return recorded > 0
}

/** A mail whose sender may not be used yet: it waits, and no attempt was made. */
export async function waitForSender(scope: TenantScope, id: string): Promise<void> {
  await run(
    scope,
    sql`update mail_messages set status = 'queued', cause = 'SENDER_NOT_VERIFIED', attempts = attempts - 1,
        claimed_until = null, revision = revision + 1
      where tenant_id = ${scope.tenantId} and id = ${id} and status = 'sending'`,
  )
}

/** Some of those that wait for their sender, which then wait no more. */
export async function endWaiting(tx: TenantScope, limit: number): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`update mail_messages set cause = null where tenant_id = ${tx.tenantId} and id in (
        select id from mail_messages where tenant_id = ${tx.tenantId} and status = 'queued'
          and cause = 'SENDER_NOT_VERIFIED' order by id limit ${limit} for update skip locked)
      returning id`,
  )
  return rows.map(({ id }) => id)
}

/** A report says that a sent mail did not arrive. Returns to whom it was sent; null where the mail was not sent. */
export async function recordBounced(tx: TenantScope, id: string): Promise<string[] | null> {
  const row = await maybeOne(
    tx,
    sql<{ to: string[] }>`update mail_messages set status = 'bounced', revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'out' and status in ('sent', 'sending')
      returning to_addresses as "to"`,
  )
  return row?.to ?? null
}

/** Which mail a token was sent with, of all owners of the tenant. */
export function findOutgoingByToken(scope: TenantScope, token: Buffer): Promise<(Owner & { id: string }) | null> {
  return maybeOne(
    scope,
    sql<Owner & { id: string }>`select id, owner_id as "ownerId", org_id as "orgId" from mail_messages
      where tenant_id = ${scope.tenantId} and token = ${token} and direction = 'out'`,
  )
}

export function findRecipients(scope: TenantScope, id: string): Promise<{ to: string[] } | null> {
  return maybeOne(
    scope,
    sql<{ to: string[] }>`select to_addresses as "to" from mail_messages
      where tenant_id = ${scope.tenantId} and id = ${id} and direction = 'out'`,
  )
}
