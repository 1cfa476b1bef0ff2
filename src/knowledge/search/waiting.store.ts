import { maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Asking, Visibility } from './visible.store.ts'

/**
 * How many documents and meetings that the reader may read and that pass the filter cannot be found yet as they are: documents that
 * have not been read, and meetings that are not live and whose transcript has changed since it was indexed.
 */
export async function countWaiting(
  visible: Visibility,
  scope: TenantScope,
  { filter, ...asking }: Asking,
): Promise<number> {
  const { kind, collectionId, documentId, meetingId } = filter
  const counts: Sql[] = []
  if (kind !== 'meeting' && meetingId === undefined) counts.push(waitingDocuments(scope, { filter, ...asking }))
  if (kind !== 'document' && collectionId === undefined && documentId === undefined)
    counts.push(waitingMeetings(scope, { filter, ...asking }))
  if (counts.length === 0) return 0
  const counted = await maybeOne(
    scope,
    sql<{ waiting: number }>`with ${visible.sources(scope, { ...asking, filter })}
      select (${sql.join(counts, sql` + `)})::int as waiting`,
  )
  return counted?.waiting ?? 0
}

function waitingDocuments({ tenantId }: TenantScope, { orgId, filter }: Asking): Sql {
  const { collectionId, documentId, from, to } = filter
  return sql`(select count(*) from documents d
    where d.tenant_id = ${tenantId} and d.org_id = ${orgId} and d.status in ('queued', 'extracting')
      and d.collection_id in (select id from visible_sources)
      and (${collectionId ?? null}::uuid is null or d.collection_id = ${collectionId ?? null})
      and (${documentId ?? null}::uuid is null or d.id = ${documentId ?? null})
      and (${from ?? null}::timestamptz is null or d.created_at >= ${from ?? null})
      and (${to ?? null}::timestamptz is null or d.created_at <= ${to ?? null}))`
}

function waitingMeetings({ tenantId }: TenantScope, { orgId, filter }: Asking): Sql {
  const { meetingId, from, to } = filter
  return sql`(select count(*) from meetings m
    where m.tenant_id = ${tenantId} and m.org_id = ${orgId} and m.status <> 'active' and m.entry_count > 0
      and m.id in (select id from visible_sources)
      and (${meetingId ?? null}::uuid is null or m.id = ${meetingId ?? null})
      and (${from ?? null}::timestamptz is null or m.started_at >= ${from ?? null})
      and (${to ?? null}::timestamptz is null or m.started_at <= ${to ?? null})
      and not exists (select from indexed_items i
        where i.tenant_id = m.tenant_id and i.item_id = m.id and i.is_live and i.version = m.content_revision))`
}
