import { type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Somebody who searches: a member; some members or all of them together, who find what each of them may read; somebody who took
 * part in meetings, by their address, who finds these; or the public, which finds open documents with the tag `public`.
 */
export type Reader =
  | { userId: string }
  | { userIds: readonly string[] }
  | 'ALL_MEMBERS'
  | { participant: string }
  | 'PUBLIC'

/** The ids of what a reader may read in an organization, as queries. A user who is no member reads nothing. */
export type ReadableSources = (
  reader: Reader,
  organization: { tenantId: string; orgId: string },
) => {
  collections: Sql
  meetings: Sql
}

/** The tag of a document that anybody may read. */
export const publicTag = 'public'

export type SearchFilter = {
  kind?: 'document' | 'meeting' | undefined
  collectionId?: string | undefined
  documentId?: string | undefined
  meetingId?: string | undefined
  /** When the document was created or the meeting started. Both are inclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

/** Who searches in which organization. */
export type Asking = { orgId: string; reader: Reader; filter: SearchFilter }

export type Visibility = ReturnType<typeof visibility>

/** What a reader finds, decided in each statement at the moment in which it runs. */
export function visibility(readableSources: ReadableSources) {
  /** `visible_sources (id)`: the collections and meetings that the reader may read, whatever the filter. */
  function sources({ tenantId }: TenantScope, { orgId, reader }: Asking): Sql {
    const { collections, meetings } = readableSources(reader, { tenantId, orgId })
    return sql`visible_sources as materialized (${collections} union all ${meetings})`
  }

  /** `visible_items (id, item_id, kind, version, language)`: what is found in them and passes the filter. */
  function items(scope: TenantScope, asking: Asking): Sql {
    return sql`${sources(scope, asking)}, visible_items as materialized (
      select i.id, i.item_id, i.kind, i.version, i.language from indexed_items i
      where i.tenant_id = ${scope.tenantId} and i.org_id = ${asking.orgId} and i.is_live
        and i.source_id in (select id from visible_sources) and ${passes(scope, asking.filter)} and ${isFor(scope, asking.reader)})`
  }

  return { sources, items }
}

function isFor({ tenantId }: TenantScope, reader: Reader): Sql {
  if (reader !== 'PUBLIC') return sql`true`
  return sql`exists (select from documents d
    where d.tenant_id = ${tenantId} and d.id = i.item_id and i.kind = 'document' and ${publicTag} = any (d.tags))`
}

function passes({ tenantId }: TenantScope, filter: SearchFilter): Sql {
  const { kind, collectionId, documentId, meetingId, from, to } = filter
  const conditions = [
    sql`true`,
    ...(kind === undefined ? [] : [sql`i.kind = ${kind}`]),
    ...(collectionId === undefined ? [] : [sql`i.source_id = ${collectionId} and i.kind = 'document'`]),
    ...(documentId === undefined ? [] : [sql`i.item_id = ${documentId} and i.kind = 'document'`]),
    ...(meetingId === undefined ? [] : [sql`i.item_id = ${meetingId} and i.kind = 'meeting'`]),
    ...(from === undefined && to === undefined ? [] : [isOfTime(tenantId, { from, to })]),
  ]
  return sql.join(conditions, sql` and `)
}

function isOfTime(tenantId: string, { from, to }: Pick<SearchFilter, 'from' | 'to'>): Sql {
  const lies = (time: Sql) => sql`${time} >= coalesce(${from ?? null}::timestamptz, '-infinity')
    and ${time} <= coalesce(${to ?? null}::timestamptz, 'infinity')`
  return sql`case i.kind
    when 'document' then exists (select from documents d
      where d.tenant_id = ${tenantId} and d.id = i.item_id and ${lies(sql`d.created_at`)})
    else exists (select from meetings m
      where m.tenant_id = ${tenantId} and m.id = i.item_id and ${lies(sql`m.started_at`)}) end`
}
