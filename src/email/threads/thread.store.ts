import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import type { StoredMessage } from '../message.rules.ts'
import { messageColumns } from '../message.store.ts'

export type Thread = Owner & {
  id: string
  subject: string
  messageCount: number
  correspondents: string[]
  lastMessageAt: Date
  createdAt: Date
}

const columns = sql`t.id, t.owner_id as "ownerId", t.org_id as "orgId", t.subject, t.message_count as "messageCount",
  array(select c.address from email_correspondents c where c.tenant_id = t.tenant_id and c.thread_id = t.id
    order by c.address limit 100) as correspondents,
  t.last_message_at as "lastMessageAt", t.created_at as "createdAt"`

/** `userId`: only threads in which this user corresponds; null: all of the owner. */
export function listThreads(
  scope: TenantScope,
  { ownerId, userId, ...page }: PageRequest & { ownerId: string; userId: string | null },
): Promise<Page<Thread>> {
  const own =
    userId === null
      ? sql`true`
      : sql`exists (select from email_correspondents c
          where c.tenant_id = t.tenant_id and c.thread_id = t.id and c.user_id = ${userId})`
  return listPage<Thread>(scope, page, {
    columns,
    from: sql`from email_threads t where t.tenant_id = ${scope.tenantId} and t.owner_id = ${ownerId} and ${own}`,
    orderBy: sql`t.last_message_at desc, t.id desc`,
  })
}

export function findThread(scope: TenantScope, id: string): Promise<Thread | null> {
  return maybeOne(
    scope,
    sql<Thread>`select ${columns} from email_threads t where t.tenant_id = ${scope.tenantId} and t.id = ${id}`,
  )
}

export async function isCorrespondent(
  scope: TenantScope,
  { threadId, userId }: { threadId: string; userId: string },
): Promise<boolean> {
  const found = sql`select from email_correspondents
    where tenant_id = ${scope.tenantId} and thread_id = ${threadId} and user_id = ${userId}`
  return (await maybeOne(scope, found)) !== null
}

const threadMessagesMax = 200

/** The newest mails of a thread, oldest first, without their texts. */
export async function listThreadMessages(scope: TenantScope, threadId: string): Promise<StoredMessage[]> {
  const newest = await many(
    scope,
    sql<StoredMessage>`select ${messageColumns} from mail_messages m
      where m.tenant_id = ${scope.tenantId} and m.thread_id = ${threadId} order by m.id desc limit ${threadMessagesMax}`,
  )
  return newest.reverse()
}

type NewThread = Owner & { id: string; subject: string; now: Date }

export async function insertThread(tx: TenantScope, { id, ownerId, orgId, subject, now }: NewThread): Promise<void> {
  await run(
    tx,
    sql`insert into email_threads (tenant_id, id, owner_id, org_id, subject, last_message_at, created_at)
      values (${tx.tenantId}, ${id}, ${ownerId}, ${orgId}, ${subject}, ${now}, ${now})`,
  )
}

export type Correspondent = { address: string; userId: string | null }

/** Counts another mail of a thread and adds its people. Addresses are in lower case. */
export async function extendThread(
  tx: TenantScope,
  { threadId, people, now }: { threadId: string; people: Correspondent[]; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update email_threads set message_count = message_count + 1, last_message_at = greatest(last_message_at, ${now})
      where tenant_id = ${tx.tenantId} and id = ${threadId}`,
  )
  for (const { address, userId } of people)
    await run(
      tx,
      sql`insert into email_correspondents as c (tenant_id, thread_id, address, user_id)
        values (${tx.tenantId}, ${threadId}, ${address}, ${userId})
        on conflict (tenant_id, thread_id, address) do update set user_id = coalesce(excluded.user_id, c.user_id)`,
    )
}

const batchRows = 1000

/** Threads whose mails have all been deleted. Returns how many it deleted. */
export function deleteEmptyThreads(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from email_threads where ctid = any (array(
      select t.ctid from email_threads t where t.last_message_at < ${before}
        and not exists (select from mail_messages m where m.tenant_id = t.tenant_id and m.thread_id = t.id)
      order by t.last_message_at limit ${batchRows}))`,
  )
}

export async function deleteThreadsOfOwner(tx: TenantScope, ownerId: string): Promise<void> {
  await run(tx, sql`delete from email_threads where tenant_id = ${tx.tenantId} and owner_id = ${ownerId}`)
}

/** The addresses under which a user corresponds. */
export async function listAddresses(scope: TenantScope, userId: string): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ address: string }>`select distinct address from email_correspondents
      where tenant_id = ${scope.tenantId} and user_id = ${userId}`,
  )
  return rows.map(({ address }) => address)
}

export async function forgetCorrespondent(tx: TenantScope, userId: string): Promise<void> {
  await run(tx, sql`delete from email_correspondents where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
}

/** The thread of a mail of ours, by the random bytes of its token. */
export function findThreadByToken(
  scope: TenantScope,
  { ownerId, token }: { ownerId: string; token: Buffer },
): Promise<{ threadId: string; messageId: string } | null> {
  return maybeOne(
    scope,
    sql<{ threadId: string; messageId: string }>`select thread_id as "threadId", id as "messageId" from mail_messages
      where tenant_id = ${scope.tenantId} and token = ${token} and owner_id = ${ownerId}`,
  )
}

export async function hasCorrespondent(
  scope: TenantScope,
  { threadId, address }: { threadId: string; address: string },
): Promise<boolean> {
  const found = sql`select from email_correspondents
    where tenant_id = ${scope.tenantId} and thread_id = ${threadId} and address = ${address}`
  return (await maybeOne(scope, found)) !== null
}

export async function deleteThread(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from email_threads where tenant_id = ${tx.tenantId} and id = ${id}`)
}
