import { type Sql, sql } from '../../storage/query.ts'

/** Whether a user may read the collection that two columns name, at the moment of the statement. */
export function isCollectionReadableBy(userId: string, { tenantId, id }: { tenantId: Sql; id: Sql }): Sql<boolean> {
  return sql<boolean>`exists (select from collections rc
      join organization_members rm on rm.tenant_id = rc.tenant_id and rm.org_id = rc.org_id and rm.user_id = ${userId}
    where rc.tenant_id = ${tenantId} and rc.id = ${id}
      and (rc.access = 'open' or exists (select from collection_members cm
        where cm.tenant_id = rc.tenant_id and cm.collection_id = rc.id and cm.user_id = ${userId})))`
}
