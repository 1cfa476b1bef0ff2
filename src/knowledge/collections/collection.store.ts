import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Collection, MemberAccess } from './collection.rules.ts'
import { isCollectionReadableBy } from './collection-access.store.ts'

export type CollectionKey = { orgId: string; id: string }

/** The columns of a `Collection`; the table's alias must be `c`. */
function columns(userId: string) {
  return sql`c.id, c.org_id as "orgId", c.name, c.access, c.document_count as "documentCount", c.revision,
    c.created_at as "createdAt", c.updated_at as "updatedAt",
    (select m.access from collection_members m
      where m.tenant_id = c.tenant_id and m.collection_id = c.id and m.user_id = ${userId}) as "ownAccess",
    (select coalesce(json_agg(json_build_object('userId', m.user_id, 'access', m.access) order by m.user_id), '[]')
      from collection_members m where m.tenant_id = c.tenant_id and m.collection_id = c.id) as members`
}

const isReadable = (userId: string) => isCollectionReadableBy(userId, { tenantId: sql`c.tenant_id`, id: sql`c.id` })

/** Null for an unknown collection, for one of another organization, and for one that the user may not read. */
export function findCollection(
  scope: TenantScope,
  { orgId, id }: CollectionKey,
  userId: string,
): Promise<Collection | null> {
  return maybeOne(
    scope,
    sql<Collection>`select ${columns(userId)} from collections c
      where c.tenant_id = ${scope.tenantId} and c.org_id = ${orgId} and c.id = ${id} and ${isReadable(userId)}`,
  )
}

/** The same, also for one that the user may not read. */
export function findAnyCollection(
  scope: TenantScope,
  { orgId, id }: CollectionKey,
  userId: string,
): Promise<Collection | null> {
  return maybeOne(
    scope,
    sql<Collection>`select ${columns(userId)} from collections c
      where c.tenant_id = ${scope.tenantId} and c.org_id = ${orgId} and c.id = ${id}`,
  )
}

/** Locks these collections in the order of their ids. What is read of them afterwards stays as it is. */
export async function lockCollections(tx: TenantScope, ids: readonly string[]): Promise<void> {
  await many(
    tx,
    sql`select id from collections where tenant_id = ${tx.tenantId} and id = any (${[...ids]}::uuid[])
      order by id for no key update`,
  )
}

export async function findDefaultId(scope: TenantScope, orgId: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select id from collections
      where tenant_id = ${scope.tenantId} and org_id = ${orgId} and is_default`,
  )
  return found?.id ?? null
}

/** By name. With `all` also those that the user may not read. */
export function listCollections(
  scope: TenantScope,
  { orgId, userId, all, ...page }: PageRequest & { orgId: string; userId: string; all: boolean },
): Promise<Page<Collection>> {
  return listPage<Collection>(scope, page, {
    columns: columns(userId),
    from: sql`from collections c where c.tenant_id = ${scope.tenantId} and c.org_id = ${orgId}
      and ${all ? sql`true` : isReadable(userId)}`,
    orderBy: sql`c.name, c.id`,
  })
}

export async function countCollections(scope: TenantScope, orgId: string): Promise<number> {
  const { count } = await one(
    scope,
    sql<{ count: number }>`select count(*)::int as count from collections
      where tenant_id = ${scope.tenantId} and org_id = ${orgId}`,
  )
  return count
}

export type NewCollectionRow = Pick<Collection, 'id' | 'orgId' | 'name' | 'access'> & { isDefault: boolean; now: Date }

export async function insertCollection(
  tx: TenantScope,
  { id, orgId, name, access, isDefault, now }: NewCollectionRow,
): Promise<void> {
  await run(
    tx,
    sql`insert into collections (tenant_id, id, org_id, name, access, is_default, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${orgId}, ${name}, ${access}, ${isDefault}, ${now}, ${now})`,
  )
}

/** Changes a locked collection; its revision grows. Returns the new one. */
export async function saveCollection(
  tx: TenantScope,
  { id, name, access, now }: Pick<Collection, 'id' | 'name' | 'access'> & { now: Date },
): Promise<number> {
  const { revision } = await one(
    tx,
    sql<{ revision: number }>`update collections set name = ${name}, access = ${access}, revision = revision + 1,
        updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} returning revision`,
  )
  return revision
}

export async function putMember(
  tx: TenantScope,
  { orgId, id, userId, access }: CollectionKey & { userId: string; access: MemberAccess },
): Promise<void> {
  await run(
    tx,
    sql`insert into collection_members (tenant_id, collection_id, org_id, user_id, access)
      values (${tx.tenantId}, ${id}, ${orgId}, ${userId}, ${access})
      on conflict (tenant_id, collection_id, user_id) do update set access = excluded.access`,
  )
}

export async function deleteMember(tx: TenantScope, { id, userId }: { id: string; userId: string }): Promise<void> {
  await run(
    tx,
    sql`delete from collection_members
      where tenant_id = ${tx.tenantId} and collection_id = ${id} and user_id = ${userId}`,
  )
}

/** The collections that list a member, locked in the order of their ids. */
export function lockCollectionsOfMember(
  tx: TenantScope,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<Pick<Collection, 'id' | 'name' | 'access'>[]> {
  return many(
    tx,
    sql<Pick<Collection, 'id' | 'name' | 'access'>>`select c.id, c.name, c.access from collections c
      where c.tenant_id = ${tx.tenantId} and c.org_id = ${orgId} and exists (select from collection_members m
        where m.tenant_id = c.tenant_id and m.collection_id = c.id and m.user_id = ${userId})
      order by c.id for no key update`,
  )
}

/** With members and history. Its documents must be gone. */
export async function deleteCollection(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from collections where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export async function listCollectionIds(scope: TenantScope, orgId: string): Promise<string[]> {
  const found = await many(
    scope,
    sql<{
      id: string
    }>`select id from collections where tenant_id = ${scope.tenantId} and org_id = ${orgId} order by id`,
  )
  return found.map(({ id }) => id)
}
