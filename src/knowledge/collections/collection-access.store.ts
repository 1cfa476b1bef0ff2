import { type Sql, sql } from '../../storage/query.ts'

/**
 * Who reads: a user; some members of the organization or all of them together, who read what each of them may read; the public,
 * which reads some documents of what all members read; or somebody who only took part in meetings, and reads none.
 */
type Reader = { userId: string } | { userIds: readonly string[] } | 'ALL_MEMBERS' | { participant: string } | 'PUBLIC'

/** Who may read a collection, here alone: members, what is open or lists them. `rc` is the collection. */
function isReadable(reader: Reader): Sql {
  if (reader === 'ALL_MEMBERS' || reader === 'PUBLIC') return sql`rc.access = 'open'`
  if ('participant' in reader) return sql`false`
  if ('userIds' in reader) return everyOne(reader.userIds, (userId) => isReadable({ userId }))
  return sql`exists (select from organization_members rm
      where rm.tenant_id = rc.tenant_id and rm.org_id = rc.org_id and rm.user_id = ${reader.userId})
    and (rc.access = 'open' or exists (select from collection_members cm
      where cm.tenant_id = rc.tenant_id and cm.collection_id = rc.id and cm.user_id = ${reader.userId}))`
}

/** Nobody reads nothing. */
function everyOne(userIds: readonly string[], isReadableBy: (userId: string) => Sql): Sql {
  if (userIds.length === 0) return sql`false`
  return sql.join(
    userIds.map((userId) => sql`(${isReadableBy(userId)})`),
    sql` and `,
  )
}

/** Whether a user may read the collection that two columns name, at the moment of the statement. */
export function isCollectionReadableBy(userId: string, { tenantId, id }: { tenantId: Sql; id: Sql }): Sql<boolean> {
  return sql<boolean>`exists (select from collections rc
    where rc.tenant_id = ${tenantId} and rc.id = ${id} and ${isReadable({ userId })})`
}

/** The ids of an organization's collections that a reader may read, as a query. */
export function readableCollectionIds(reader: Reader, { tenantId, orgId }: { tenantId: string; orgId: string }): Sql {
  return sql`select rc.id from collections rc
    where rc.tenant_id = ${tenantId} and rc.org_id = ${orgId} and ${isReadable(reader)}`
}
