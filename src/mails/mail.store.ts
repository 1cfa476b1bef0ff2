import type { Page, PageRequest } from '../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, type Sql, sql } from '../storage/query.ts'
import type { PlatformScope, TenantScope } from '../storage/scope.ts'
import type { Sender } from './letter.rules.ts'
import type { Mail, MailKind, MailStatus } from './mail.rules.ts'

const columns = sql`m.id, m.tenant_id as "tenantId", m.user_id as "userId", m.recipient, m.kind, m.status, m.attempts,
  m.last_error as "lastError", m.created_at as "createdAt", m.expires_at as "expiresAt", m.sent_at as "sentAt"`

type MailRow = {
  id: string
  userId: string | null
  recipient: string
  kind: MailKind
  contentSealed: Buffer
  createdAt: Date
  expiresAt: Date
}

export async function addMail(tx: TenantScope, mail: MailRow): Promise<void> {
  const { id, userId, recipient, kind, contentSealed, createdAt, expiresAt } = mail
  await run(
    tx,
    sql`insert into mail_outbox (tenant_id, id, user_id, recipient, kind, content_sealed, status, created_at, expires_at)
      values (${tx.tenantId}, ${id}, ${userId}, ${recipient}, ${kind}, ${contentSealed}, 'PENDING', ${createdAt}, ${expiresAt})`,
  )
}

/** Counts the mails of a kind to a user since this time. Exact while the user is locked. */
export async function countMails(
  tx: TenantScope,
  { userId, kind, since }: { userId: string; kind: MailKind; since: Date },
): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from mail_outbox
      where tenant_id = ${tx.tenantId} and user_id = ${userId} and kind = ${kind} and created_at > ${since}`,
  )
  return total
}

/** Discards unsent mails to a user, because their tokens are no longer valid; null: of every kind. */
export function discardUnsentMails(
  tx: TenantScope,
  { userId, kind }: { userId: string; kind: MailKind | null },
): Promise<void> {
  return discardWhere(tx, sql`user_id = ${userId} and (${kind}::text is null or kind = ${kind})`)
}

/** Discards those of these mails that are not sent yet. */
export async function discardMails(tx: TenantScope, ids: string[]): Promise<void> {
  if (ids.length > 0) await discardWhere(tx, sql`id = any (${ids}::uuid[])`)
}

async function discardWhere(tx: TenantScope, condition: Sql): Promise<void> {
  await run(
    tx,
    sql`update mail_outbox set status = 'DISCARDED', content_sealed = null, last_error = 'its token is no longer valid'
      where tenant_id = ${tx.tenantId} and status in ('PENDING', 'FAILED') and content_sealed is not null and ${condition}`,
  )
}

/** A mail that is being sent, with the data for its text. */
export type ClaimedMail = Mail & Sender & { contentSealed: Buffer; isTenantActive: boolean }

type Claim = { id: string; now: Date; claimedUntil: Date }

/** Begins an attempt; null where the mail is no longer pending or another attempt runs. Of two concurrent calls one gets it. */
export function claimMail(scope: TenantScope, { id, now, claimedUntil }: Claim): Promise<ClaimedMail | null> {
  return maybeOne(
    scope,
    sql<ClaimedMail>`update mail_outbox m set attempts = m.attempts + 1, claimed_until = ${claimedUntil}
      from tenants t
      where m.tenant_id = ${scope.tenantId} and m.id = ${id} and m.status = 'PENDING' and t.id = m.tenant_id
        and (m.claimed_until is null or m.claimed_until <= ${now})
      returning ${columns}, m.content_sealed as "contentSealed", t.name,
        t.status = 'ACTIVE' and t.deleted_at is null as "isTenantActive",
        t.whitelabel_config ->> 'displayName' as "displayName", t.whitelabel_config ->> 'emailFromName' as "emailFromName",
        t.whitelabel_config ->> 'supportEmail' as "supportEmail", t.whitelabel_config ->> 'customDomain' as "customDomain"`,
  )
}

export function findMail(scope: TenantScope, id: string): Promise<Mail | null> {
  return maybeOne(
    scope,
    sql<Mail>`select ${columns} from mail_outbox m where m.tenant_id = ${scope.tenantId} and m.id = ${id}`,
  )
}

type Outcome = { id: string; status: MailStatus; error: string | null; sentAt: Date | null }

/** Ends an attempt. The content of a sent or discarded mail is erased; a failed one keeps it for another attempt. */
/** False if the mail is no longer pending. */
export async function recordAttempt(scope: TenantScope, { id, status, error, sentAt }: Outcome): Promise<boolean> {
  const recorded = await run(
    scope,
    sql`update mail_outbox set status = ${status}, last_error = ${error}, sent_at = ${sentAt}, claimed_until = null,
        content_sealed = case when ${status}::text in ('PENDING', 'FAILED') then content_sealed end
      where tenant_id = ${scope.tenantId} and id = ${id} and status = 'PENDING'`,
  )
  return recorded > 0
}

/**
 * Makes an unsent mail pending again; null where its token is no longer valid, or where an attempt runs: a second one
 * would send it twice.
 */
export function reopenMail(tx: PlatformScope, { id, now }: { id: string; now: Date }): Promise<Mail | null> {
  return maybeOne(
    tx,
    sql<Mail>`update mail_outbox m set status = 'PENDING', claimed_until = null
      where m.id = ${id} and m.status in ('PENDING', 'FAILED') and m.content_sealed is not null and m.expires_at > ${now}
        and (m.claimed_until is null or m.claimed_until <= ${now})
      returning ${columns}`,
  )
}

export function findMailAnywhere(platform: PlatformScope, id: string): Promise<Mail | null> {
  return maybeOne(platform, sql<Mail>`select ${columns} from mail_outbox m where m.id = ${id}`)
}

/** Pending mails whose tokens are still valid, oldest first. */
export function listPending(platform: PlatformScope, now: Date): Promise<{ id: string; tenantId: string }[]> {
  return many(
    platform,
    sql<{ id: string; tenantId: string }>`select id, tenant_id as "tenantId" from mail_outbox
      where status = 'PENDING' and content_sealed is not null and expires_at > ${now} order by created_at, id`,
  )
}

export type MailSearch = PageRequest & { tenantId: string | null; status: MailStatus | null }

export async function listMails(
  platform: PlatformScope,
  { tenantId, status, ...page }: MailSearch,
): Promise<Page<Mail>> {
  const wanted = sql`(${tenantId}::uuid is null or m.tenant_id = ${tenantId})
    and (${status}::text is null or m.status = ${status})`
  return listPage<Mail>(platform, page, {
    columns,
    from: sql`from mail_outbox m where ${wanted}`,
    orderBy: sql`m.created_at desc, m.id desc`,
  })
}

/** Erases the content of mails whose tokens have expired. Pending ones are discarded. */
export async function discardExpiredMails(platform: PlatformScope, now: Date): Promise<void> {
  await run(
    platform,
    sql`update mail_outbox set content_sealed = null,
        last_error = case when status = 'PENDING' then 'its token expired before it was sent' else last_error end,
        status = case when status = 'PENDING' then 'DISCARDED' else status end
      where content_sealed is not null and expires_at <= ${now} and (claimed_until is null or claimed_until <= ${now})`,
  )
}

export async function deleteMailsBefore(platform: PlatformScope, before: Date): Promise<void> {
  await run(platform, sql`delete from mail_outbox where created_at < ${before}`)
}
