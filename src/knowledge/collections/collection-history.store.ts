import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CollectionChange } from './collection.rules.ts'

export async function insertChange(tx: TenantScope, collectionId: string, change: CollectionChange): Promise<void> {
  const { revision, action, fields, actorId, userId, at } = change
  await run(
    tx,
    sql`insert into collection_changes (tenant_id, collection_id, revision, action, fields, actor_id, user_id, at)
      values (${tx.tenantId}, ${collectionId}, ${revision}, ${action}, ${fields}::text[], ${actorId}, ${userId}, ${at})`,
  )
}

export type ReadChange = CollectionChange & { actorName: string | null }

/** Newest first. */
export function listChanges(scope: TenantScope, collectionId: string, page: PageRequest): Promise<Page<ReadChange>> {
  return listPage<ReadChange>(scope, page, {
    columns: sql`h.revision, h.action, h.fields, h.actor_id as "actorId", u.name as "actorName", h.user_id as "userId", h.at`,
    from: sql`from collection_changes h left join users u on u.tenant_id = h.tenant_id and u.id = h.actor_id
      where h.tenant_id = ${scope.tenantId} and h.collection_id = ${collectionId}`,
    orderBy: sql`h.revision desc`,
  })
}
