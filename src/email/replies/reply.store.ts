import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ReplyOutcome, Trace } from './trace.rules.ts'

/** Locks a mail that is not processed yet. False: another attempt has done it, or it is gone. */
export async function lockUnprocessed(tx: TenantScope, id: string): Promise<boolean> {
  const locked = sql`select from mail_messages
    where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'in' and status = 'received' for no key update`
  return (await maybeOne(tx, locked)) !== null
}

type Processed = {
  id: string
  outcome: ReplyOutcome
  cause: string | null
  trace: Trace
  replyText: string
  automatic: string | null
}

export async function saveProcessed(
  tx: TenantScope,
  { id, outcome, cause, trace, replyText, automatic }: Processed,
): Promise<void> {
  await run(
    tx,
    sql`update mail_messages set status = ${outcome === 'ignored' ? 'ignored' : 'processed'}, outcome = ${outcome},
        cause = ${cause}, trace = ${JSON.stringify(trace)}::jsonb, reply_text = ${replyText}, automatic = ${automatic},
        revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** All attempts to look at a mail failed. */
export async function saveDead(tx: TenantScope, { id, trace }: { id: string; trace: Trace }): Promise<void> {
  await run(
    tx,
    sql`update mail_messages set status = 'dead', outcome = 'ignored', cause = 'UNAVAILABLE',
        trace = ${JSON.stringify(trace)}::jsonb, revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'in' and status = 'received'`,
  )
}

export async function findTrace(scope: TenantScope, id: string): Promise<Trace | null> {
  const row = await maybeOne(
    scope,
    sql<{ trace: Trace | null }>`select trace from mail_messages where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return row?.trace ?? null
}

/** Members of the organization in a conversation. */
export async function listMembersOfThread(
  scope: TenantScope,
  { threadId, orgId }: { threadId: string; orgId: string },
): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ userId: string }>`select distinct c.user_id as "userId" from email_correspondents c
      join organization_members m on m.tenant_id = c.tenant_id and m.org_id = ${orgId} and m.user_id = c.user_id
      where c.tenant_id = ${scope.tenantId} and c.thread_id = ${threadId} order by 1`,
  )
  return rows.map(({ userId }) => userId)
}

/** Whether the same words came before in a conversation. */
export async function isRepeated(
  scope: TenantScope,
  { id, threadId, replyText }: { id: string; threadId: string; replyText: string },
): Promise<boolean> {
  const found = sql`select from mail_messages
    where tenant_id = ${scope.tenantId} and thread_id = ${threadId} and id < ${id} and direction = 'in'
      and reply_text = ${replyText} limit 1`
  return (await maybeOne(scope, found)) !== null
}

/** Adds somebody to a conversation that holds no other mail yet, beside drafts and what was discarded. */
export async function joinThread(
  tx: TenantScope,
  {
    threadId,
    messageId,
    address,
    userId,
  }: { threadId: string; messageId: string; address: string; userId: string | null },
): Promise<void> {
  await run(
    tx,
    sql`insert into email_correspondents (tenant_id, thread_id, address, user_id)
      select ${tx.tenantId}, ${threadId}, ${address}, ${userId} where not exists (select from mail_messages m
        where m.tenant_id = ${tx.tenantId} and m.thread_id = ${threadId} and m.id <> ${messageId}
          and m.status not in ('draft', 'discarded'))
      on conflict do nothing`,
  )
}

export type KnownUser = { userId: string; isMember: boolean }

/** The active user with a verified address, and whether they are a member; null if there is none. */
export function findUserByAddress(
  scope: TenantScope,
  { address, orgId }: { address: string; orgId: string | null },
): Promise<KnownUser | null> {
  return maybeOne(
    scope,
    sql<KnownUser>`select u.id as "userId", exists (select from organization_members m
        where m.tenant_id = u.tenant_id and m.org_id = ${orgId}::uuid and m.user_id = u.id) as "isMember"
      from users u where u.tenant_id = ${scope.tenantId} and u.email = ${address} and u.email_verified and u.status = 'ACTIVE'`,
  )
}
