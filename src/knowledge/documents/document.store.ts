import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { listPage, many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { isCollectionReadableBy } from '../collections/collection-access.store.ts'
import type { Document, DocumentStatus } from './document.rules.ts'

export type DocumentKey = { orgId: string; id: string }

/** Of a version's row with the alias `v`. */
export const versionColumns = sql`v.version, v.filename, v.mime_type as "mimeType", v.size, v.sha256, v.status, v.language, v.pages,
  v.characters, v.indexed_at as "indexedAt",
  case when v.failure_code is not null then json_build_object('code', v.failure_code, 'detail', v.failure_detail) end as failure,
  case when v.status = 'extracting' then
    json_build_object('pagesRead', coalesce(v.pages_read, 0), 'pages', v.page_total) end as progress`

/** Of a document's row with the alias `d`, beside its version `v`. */
const columns = sql`${versionColumns}, d.id, d.org_id as "orgId", d.collection_id as "collectionId", d.title, d.tags,
  d.created_by as "createdBy", d.created_at as "createdAt", d.updated_at as "updatedAt", d.revision`

const withVersion = sql`documents d join document_versions v
  on v.tenant_id = d.tenant_id and v.document_id = d.id and v.version = d.version`

const isReadable = (userId: string): Sql<boolean> =>
  isCollectionReadableBy(userId, { tenantId: sql`d.tenant_id`, id: sql`d.collection_id` })

/** Null for an unknown document, for one of another organization, and for one that the user may not read. */
export function findDocument(scope: TenantScope, { orgId, id }: DocumentKey, userId: string): Promise<Document | null> {
  return maybeOne(
    scope,
    sql<Document>`select ${columns} from ${withVersion}
      where d.tenant_id = ${scope.tenantId} and d.org_id = ${orgId} and d.id = ${id} and ${isReadable(userId)}`,
  )
}

/** A document of a collection whose current version has these bytes and has not failed. */
export function findSameBytes(
  scope: TenantScope,
  { collectionId, sha256 }: { collectionId: string; sha256: string },
): Promise<Document | null> {
  return maybeOne(
    scope,
    sql<Document>`select ${columns} from ${withVersion}
      where v.sha256 = ${sha256} and v.tenant_id = ${scope.tenantId} and d.collection_id = ${collectionId}
        and d.status <> 'failed'
      order by d.created_at, d.id limit 1`,
  )
}

export type DocumentFilter = {
  collectionId?: string | undefined
  status?: DocumentStatus | undefined
  tag?: string | undefined
  q?: string | undefined
}

/** Newest first. `q`: words in titles and names of files, as they are written. */
export function listDocuments(
  scope: TenantScope,
  { orgId, userId, filter, ...page }: PageRequest & { orgId: string; userId: string; filter: DocumentFilter },
): Promise<Page<Document>> {
  const { collectionId, status, tag, q } = filter
  const conditions = [
    sql`d.tenant_id = ${scope.tenantId} and d.org_id = ${orgId} and ${isReadable(userId)}`,
    ...(collectionId === undefined ? [] : [sql`d.collection_id = ${collectionId}`]),
    ...(status === undefined ? [] : [sql`d.status = ${status}`]),
    ...(tag === undefined ? [] : [sql`${tag} = any (d.tags)`]),
    ...(q === undefined ? [] : [sql`(d.title ilike ${containing(q)} or v.filename ilike ${containing(q)})`]),
  ]
  return listPage<Document>(scope, page, {
    columns,
    from: sql`from ${withVersion} where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`d.created_at desc, d.id desc`,
  })
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** What decides about a locked document. */
export type LockedDocument = {
  id: string
  orgId: string
  collectionId: string
  version: number
  lastVersion: number
  status: DocumentStatus
  createdBy: string | null
}

/** In which collection it is now: that one must be locked first. */
export async function findCollectionId(scope: TenantScope, id: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ id: string }>`select collection_id as id from documents where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return found?.id ?? null
}

/** Its collection must be locked. */
export function lockDocument(tx: TenantScope, id: string): Promise<LockedDocument | null> {
  return maybeOne(
    tx,
    sql<LockedDocument>`select id, org_id as "orgId", collection_id as "collectionId", version, last_version as "lastVersion",
        status, created_by as "createdBy"
      from documents where tenant_id = ${tx.tenantId} and id = ${id} for no key update`,
  )
}

export type NewDocumentRow = Pick<Document, 'id' | 'orgId' | 'collectionId' | 'title' | 'tags'> & {
  createdBy: string
  now: Date
}

/** Queued, with a first version that is added next. The collection must be locked: it counts one more. */
export async function insertDocument(
  tx: TenantScope,
  { id, orgId, collectionId, title, tags, createdBy, now }: NewDocumentRow,
): Promise<void> {
  await run(
    tx,
    sql`insert into documents (tenant_id, id, org_id, collection_id, title, tags, version, last_version, status, created_by,
        created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${orgId}, ${collectionId}, ${title}, ${tags}::text[], 1, 1, 'queued', ${createdBy},
        ${now}, ${now})`,
  )
  await addToCollection(tx, { collectionId, count: 1 })
}

/** How many documents a locked collection has more, or fewer. */
export async function addToCollection(
  tx: TenantScope,
  { collectionId, count }: { collectionId: string; count: number },
): Promise<void> {
  await run(
    tx,
    sql`update collections set document_count = document_count + ${count}::int
      where tenant_id = ${tx.tenantId} and id = ${collectionId}`,
  )
}

/** Which version is shown, and its status. The document must be locked. */
export async function saveState(
  tx: TenantScope,
  { id, version, lastVersion, status }: Pick<LockedDocument, 'id' | 'version' | 'lastVersion' | 'status'>,
  now: Date,
): Promise<void> {
  await run(
    tx,
    sql`update documents set version = ${version}, last_version = ${lastVersion}, status = ${status}, revision = revision + 1,
        updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** `reindexId`: the job that puts a new title into the index; null leaves what was asked for before. */
export async function saveTexts(
  tx: TenantScope,
  {
    id,
    title,
    tags,
    collectionId,
    reindexId,
    now,
  }: Pick<Document, 'id' | 'title' | 'tags' | 'collectionId'> & { reindexId: string | null; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update documents set title = ${title}, tags = ${tags}::text[], collection_id = ${collectionId},
        reindex_id = coalesce(${reindexId}::uuid, reindex_id), revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export type Renamed = { id: string; orgId: string; title: string; version: number; language: Language }

/** The document whose new title a job puts into the index. Null: it is gone, or a later job does it. */
export function findRenamed(scope: TenantScope, reindexId: string): Promise<Renamed | null> {
  return maybeOne(
    scope,
    sql<Renamed>`select d.id, d.org_id as "orgId", d.title, d.version, coalesce(v.language, 'und') as language
      from ${withVersion} where d.tenant_id = ${scope.tenantId} and d.reindex_id = ${reindexId} and d.status = 'ready'`,
  )
}

/** False: it has another title or version by now, which another job indexes. */
export async function endReindex(
  tx: TenantScope,
  { id, version }: Pick<Renamed, 'id' | 'version'>,
  reindexId: string,
): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update documents set reindex_id = null
      where tenant_id = ${tx.tenantId} and id = ${id} and reindex_id = ${reindexId} and version = ${version}`,
  )
  return ended > 0
}

/** Of all tenants: documents whose title a job was to put into the index, and that have not changed since a time. */
export function listReindexing(
  platform: PlatformScope,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<{ tenantId: string; reindexId: string }[]> {
  return many(
    platform,
    sql<{
      tenantId: string
      reindexId: string
    }>`select tenant_id as "tenantId", reindex_id as "reindexId" from documents
      where reindex_id is not null and status = 'ready' and updated_at < ${before}
        and (${after}::uuid is null or reindex_id > ${after}::uuid)
      order by reindex_id limit ${limit}`,
  )
}

/** Another job does it. False: it was done meanwhile, or a later job does it. */
export async function replaceReindex(
  tx: TenantScope,
  { reindexId, next }: { reindexId: string; next: string },
): Promise<boolean> {
  const replaced = sql`update documents set reindex_id = ${next}
    where tenant_id = ${tx.tenantId} and reindex_id = ${reindexId}`
  return (await run(tx, replaced)) > 0
}

export async function findTitle(scope: TenantScope, id: string): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ title: string }>`select title from documents where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return found?.title ?? null
}

export async function setReindex(tx: TenantScope, { id, reindexId }: { id: string; reindexId: string }): Promise<void> {
  await run(tx, sql`update documents set reindex_id = ${reindexId} where tenant_id = ${tx.tenantId} and id = ${id}`)
}
