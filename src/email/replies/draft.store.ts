import { many, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { Draft, NewDraft } from './draft.rules.ts'

const columns = sql`m.id, m.org_id as "orgId", m.owner_id as "ownerId", m.thread_id as "threadId", m.status, m.revision,
  m.answers_id as "answersId", m.to_addresses as "to", coalesce(m.cited_places, '[]') as places`

/** Gets its Message-ID and its token when it is sent. */
export async function insertDraft(tx: TenantScope, draft: NewDraft): Promise<void> {
  const { id, ownerId, orgId, threadId, answersId, from, to, subject, text, inReplyTo, references } = draft
  await run(
    tx,
    sql`insert into mail_messages (tenant_id, id, effect_key, message_id, in_reply_to, refs, from_address, to_addresses,
        subject, text, verdicts, status, received_at, owner_id, org_id, thread_id, direction, citations, cited_places,
        cause, answers_id)
      values (${tx.tenantId}, ${id}, ${`draft:${id}`}, ${`draft:${id}`}, ${inReplyTo}, ${references}::text[], ${from},
        ${to}::text[], ${subject}, ${text}, '{}', 'draft', ${draft.now}, ${ownerId}, ${orgId}, ${threadId}, 'out',
        ${JSON.stringify(draft.citations)}::jsonb, ${JSON.stringify(draft.places)}::jsonb, ${draft.cause}, ${answersId})`,
  )
  const items = [...new Set(draft.citations.map((citation) => citation.id))]
  if (items.length > 0)
    await run(
      tx,
      sql`insert into email_citations (tenant_id, message_id, item_id)
        select ${tx.tenantId}, ${id}, unnest(${items}::uuid[])`,
    )
}

/** Refuses NOT_FOUND. Locked until the transaction ends. */
export function lockMessage(tx: TenantScope, id: string): Promise<Draft> {
  return one(
    tx,
    sql<Draft>`select ${columns} from mail_messages m
      where m.tenant_id = ${tx.tenantId} and m.id = ${id} for no key update`,
  )
}

export async function saveDraftText(tx: TenantScope, { id, text }: { id: string; text: string }): Promise<void> {
  await run(
    tx,
    sql`update mail_messages set text = ${text}, revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'draft'`,
  )
}

/** Ends a draft, or an answer that could not be sent. The first of two calls at once ends it; false for the other. */
export async function discardDraft(tx: TenantScope, { id, cause }: { id: string; cause: string }): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update mail_messages set status = 'discarded', cause = ${cause}, revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and status in ('draft', 'failed')`,
  )
  return ended > 0
}

/** Ends the drafts of a conversation: newer mail has come that is answered. */
export async function discardDraftsOfThread(tx: TenantScope, threadId: string): Promise<void> {
  await run(
    tx,
    sql`update mail_messages set status = 'discarded', cause = 'NEWER_MAIL', revision = revision + 1
      where tenant_id = ${tx.tenantId} and thread_id = ${threadId} and status = 'draft' and answers_id is not null`,
  )
}

export type Erased = { id: string; answersId: string | null; wasWaiting: boolean }

/**
 * Takes the words out of mails of ours that quote something that is erased, whatever became of them. Drafts, and what waits to be
 * sent, are discarded: they are made again.
 */
export async function eraseQuoting(tx: TenantScope, itemIds: readonly string[]): Promise<Erased[]> {
  const erased = await many(
    tx,
    sql<Erased>`with quoting as (
        select m.id, m.status in ('draft', 'queued', 'deferred') as was_waiting from mail_messages m
        where m.tenant_id = ${tx.tenantId} and m.id in (select c.message_id from email_citations c
          where c.tenant_id = ${tx.tenantId} and c.item_id = any (${itemIds}::uuid[]))
        order by m.id for no key update)
      update mail_messages m set text = '', citations = '[]', cited_places = '[]', revision = m.revision + 1,
        status = case when q.was_waiting then 'discarded' else m.status end,
        cause = case when q.was_waiting then 'QUOTE_ERASED' else m.cause end
      from quoting q where m.tenant_id = ${tx.tenantId} and m.id = q.id
      returning m.id, m.answers_id as "answersId", q.was_waiting as "wasWaiting"`,
  )
  await run(
    tx,
    sql`delete from email_citations where tenant_id = ${tx.tenantId} and message_id = any (${erased.map(({ id }) => id)}::uuid[])`,
  )
  return erased
}

/** Makes a received mail wait for an answer again. False where it has not this status. */
export async function reopen(
  tx: TenantScope,
  { id, from }: { id: string; from: 'processed' | 'dead' },
): Promise<boolean> {
  const reopened = await run(
    tx,
    sql`update mail_messages set status = 'received', revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id} and direction = 'in' and status = ${from}`,
  )
  return reopened > 0
}

const batchRows = 500

/** Ends drafts of all tenants that nobody sent in time. */
export async function discardOldDrafts(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`update mail_messages set status = 'discarded', cause = 'TOO_OLD', revision = revision + 1
      where ctid = any (array(select ctid from mail_messages where status = 'draft' and received_at < ${before}
        order by received_at limit ${batchRows} for update skip locked))`,
  )
}
