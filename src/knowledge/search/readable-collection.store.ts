import { type Sql, sql } from '../../storage/query.ts'
import type { Reader } from './visible.store.ts'

/** The ids of an organization's collections that a reader may read, as a query. Who is no member reads none. */
export function readableCollectionIds(reader: Reader, { tenantId, orgId }: { tenantId: string; orgId: string }): Sql {
  const collections = sql`select c.id from collections c where c.tenant_id = ${tenantId} and c.org_id = ${orgId}`
  if (reader === 'ALL_MEMBERS') return sql`${collections} and c.access = 'open'`
  return sql`${collections}
    and exists (select from organization_members o
      where o.tenant_id = ${tenantId} and o.org_id = ${orgId} and o.user_id = ${reader.userId})
    and (c.access = 'open' or exists (select from collection_members r
      where r.tenant_id = c.tenant_id and r.collection_id = c.id and r.user_id = ${reader.userId}))`
}
