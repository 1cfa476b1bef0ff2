import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Asking, Visibility } from './visible.store.ts'

/** How many documents that the reader may read cannot be found yet, because they have not been read. */
export async function countWaiting(
  visible: Visibility,
  scope: TenantScope,
  { filter, ...asking }: Asking,
): Promise<number> {
  const { kind, collectionId, documentId, meetingId, from, to } = filter
  if (kind === 'meeting' || meetingId !== undefined) return 0
  const counted = await maybeOne(
    scope,
    sql<{ waiting: number }>`with ${visible.sources(scope, { ...asking, filter })}
      select count(*)::int as waiting from documents d
      where d.tenant_id = ${scope.tenantId} and d.org_id = ${asking.orgId} and d.status in ('queued', 'extracting')
        and d.collection_id in (select id from visible_sources)
        and (${collectionId ?? null}::uuid is null or d.collection_id = ${collectionId ?? null})
        and (${documentId ?? null}::uuid is null or d.id = ${documentId ?? null})
        and (${from ?? null}::timestamptz is null or d.created_at >= ${from ?? null})
        and (${to ?? null}::timestamptz is null or d.created_at <= ${to ?? null})`,
  )
  return counted?.waiting ?? 0
}
