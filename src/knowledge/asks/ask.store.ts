import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { CitedPlace } from '../search/passage.rules.ts'
import type { Ask, AskFeedback, AskPart, KeptAsk } from './ask.rules.ts'

/** A handful of rows. */
export async function insertAsk(tx: TenantScope, ask: Ask): Promise<void> {
  const { id, orgId, userId, question, found, engine, model, fallbackReason } = ask
  await run(
    tx,
    sql`insert into asks (tenant_id, id, org_id, user_id, question, found, engine, model, fallback_reason, searched, created_at)
      values (${tx.tenantId}, ${id}, ${orgId}, ${userId}, ${question}, ${found}, ${engine}, ${model}, ${fallbackReason},
        ${JSON.stringify(ask.searched)}, ${ask.createdAt})`,
  )
  const places = [...ask.citations, ...ask.closest]
  for (const [index, { kind, itemId, version, place, start, end }] of places.entries())
    await run(
      tx,
      sql`insert into ask_citations (tenant_id, ask_id, number, kind, item_id, version, place, start_at, end_at, is_closest)
        values (${tx.tenantId}, ${id}, ${index}, ${kind}, ${itemId}, ${version}, ${place}, ${start}, ${end},
          ${index >= ask.citations.length})`,
    )
  for (const [index, { text, citations }] of ask.parts.entries())
    await run(
      tx,
      sql`insert into ask_parts (tenant_id, ask_id, place, text, citations)
        values (${tx.tenantId}, ${id}, ${index}, ${text}, ${citations}::integer[])`,
    )
}

const lineColumns = sql`id, question, found, engine, created_at as "createdAt"`
export type AskLine = Pick<Ask, 'id' | 'question' | 'found' | 'engine' | 'createdAt'>
type AskKey = { orgId: string; userId: string; id: string }

const isOwn = ({ tenantId }: TenantScope, { orgId, userId }: Pick<AskKey, 'orgId' | 'userId'>) =>
  sql`tenant_id = ${tenantId} and org_id = ${orgId} and user_id = ${userId}`

/** Those after `since`, newest first. */
export function listAsks(
  scope: TenantScope,
  { since, ...asker }: Pick<AskKey, 'orgId' | 'userId'> & { since: Date },
  page: PageRequest,
): Promise<Page<AskLine>> {
  return listPage<AskLine>(scope, page, {
    columns: lineColumns,
    from: sql`from asks where ${isOwn(scope, asker)} and created_at >= ${since}`,
    orderBy: sql`id desc`,
  })
}

type AskRow = Omit<KeptAsk, 'corrected' | 'parts' | 'citations' | 'closest' | 'feedback'> & {
  helpful: boolean | null
  comment: string | null
}

/** Null for an unknown answer, for one before `since`, and for one of somebody else. */
export async function findAsk(
  scope: TenantScope,
  { id, since, ...asker }: AskKey & { since: Date },
): Promise<KeptAsk | null> {
  const row = await maybeOne(
    scope,
    sql<AskRow>`select ${lineColumns}, org_id as "orgId", user_id as "userId", model, fallback_reason as "fallbackReason",
        searched, helpful, comment
      from asks where ${isOwn(scope, asker)} and id = ${id} and created_at >= ${since}`,
  )
  if (row === null) return null
  const places = await many(
    scope,
    sql<
      CitedPlace & { number: number; isClosest: boolean }
    >`select number, kind, item_id as "itemId", version::float8 as version,
        place::float8 as place, start_at as "start", end_at as "end", is_closest as "isClosest"
      from ask_citations where tenant_id = ${scope.tenantId} and ask_id = ${id} order by number`,
  )
  const parts = await many(
    scope,
    sql<AskPart>`select text, citations from ask_parts where tenant_id = ${scope.tenantId} and ask_id = ${id} order by place`,
  )
  const { helpful, comment, ...ask } = row
  const cited = places.filter(({ isClosest }) => !isClosest)
  // Those of erased documents are gone, and with them the parts that rested on them.
  const indexes = new Map(cited.map(({ number }, index) => [number, index]))
  const toPlace = ({ number: _, isClosest: __, ...place }: (typeof places)[number]): CitedPlace => place
  return {
    ...ask,
    // Not kept: it may be a word of what was erased since.
    corrected: {},
    feedback: helpful === null ? null : { helpful, comment },
    parts: parts.map(({ text, citations }) => ({ text, citations: citations.flatMap((n) => indexes.get(n) ?? []) })),
    citations: cited.map(toPlace),
    closest: places.filter(({ isClosest }) => isClosest).map(toPlace),
  }
}

/** Returns whether there was one. */
export async function deleteAsk(tx: TenantScope, { id, ...asker }: AskKey): Promise<boolean> {
  return (await run(tx, sql`delete from asks where ${isOwn(tx, asker)} and id = ${id}`)) > 0
}

/** Returns whether there is such an answer. */
export async function saveFeedback(tx: TenantScope, { id, ...asker }: AskKey, feedback: AskFeedback): Promise<boolean> {
  const saved = sql`update asks set helpful = ${feedback.helpful}, comment = ${feedback.comment}
    where ${isOwn(tx, asker)} and id = ${id}`
  return (await run(tx, saved)) > 0
}

/** Deletes what was quoted of these documents and meetings, and the sentences that a model wrote from it. */
export async function deleteQuotes(tx: TenantScope, itemIds: readonly string[]): Promise<void> {
  await run(
    tx,
    sql`with gone as (delete from ask_citations
        where tenant_id = ${tx.tenantId} and item_id = any (${itemIds}::uuid[]) returning ask_id, number)
      delete from ask_parts p using gone
      where p.tenant_id = ${tx.tenantId} and p.ask_id = gone.ask_id and gone.number = any (p.citations)`,
  )
}

/** All of one asker. */
export async function deleteAsksOf(tx: TenantScope, asker: Pick<AskKey, 'orgId' | 'userId'>): Promise<void> {
  await run(tx, sql`delete from asks where ${isOwn(tx, asker)}`)
}

/** Of all tenants, at most `limit`. Returns how many were deleted. */
export function deleteAsksBefore(platform: PlatformScope, before: Date, limit: number): Promise<number> {
  return run(
    platform,
    sql`delete from asks where (tenant_id, id) in (
      select tenant_id, id from asks where created_at < ${before} order by created_at limit ${limit})`,
  )
}
