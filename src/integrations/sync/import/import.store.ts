import type { Page, PageRequest } from '../../../kernel/paging.ts'
import { listPage, maybeOne, run, type Sql, sql } from '../../../storage/query.ts'
import type { TenantScope } from '../../../storage/scope.ts'

export const fileStatuses = ['waiting', 'imported', 'failed', 'removed', 'stopped'] as const
export type FileStatus = (typeof fileStatuses)[number]

export type ImportedFile = {
  fileId: string
  title: string | null
  documentId: string | null
  isOwn: boolean
  version: string | null
  status: FileStatus
  cause: string | null
  importedAt: Date | null
  checkedAt: Date | null
}

const columns = sql`file_key as "fileId", title, document_id as "documentId", is_own as "isOwn", version, status, cause,
  imported_at as "importedAt", checked_at as "checkedAt"`

/** Chosen files wait for their import; those that are no longer chosen are not followed. */
export async function chooseFiles(
  scope: TenantScope,
  { integrationId, fileIds, now }: { integrationId: string; fileIds: string[]; now: Date },
): Promise<void> {
  await run(
    scope,
    sql`insert into integration_files (tenant_id, integration_id, file_key, status, created_at)
      select ${scope.tenantId}, ${integrationId}, chosen.id, 'waiting', ${now} from unnest(${fileIds}::text[]) as chosen (id)
      where exists (select 1 from integrations where tenant_id = ${scope.tenantId} and id = ${integrationId})
      on conflict (tenant_id, integration_id, file_key) do update set status = 'waiting', cause = null
        where integration_files.status = 'stopped'`,
  )
  await run(
    scope,
    sql`update integration_files set status = 'stopped', cause = null where tenant_id = ${scope.tenantId}
      and integration_id = ${integrationId} and file_key <> all(${fileIds}::text[]) and status <> 'stopped'`,
  )
}

/** One reader imports a file at a time. Null: somebody else does. */
export function leaseFile(
  scope: TenantScope,
  { integrationId, fileId, now, until }: { integrationId: string; fileId: string; now: Date; until: Date },
): Promise<ImportedFile | null> {
  return maybeOne(
    scope,
    sql<ImportedFile>`update integration_files set leased_until = ${until}
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and file_key = ${fileId}
        and (leased_until is null or leased_until < ${now})
      returning ${columns}`,
  )
}

/** The reader has failed: the file stays as it is stored. */
export async function releaseFile(
  scope: TenantScope,
  { integrationId, fileId }: { integrationId: string; fileId: string },
): Promise<void> {
  await run(
    scope,
    sql`update integration_files set leased_until = null
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and file_key = ${fileId}`,
  )
}

/** The document that was just made of a file. The lease stays. */
export async function keepDocument(
  tx: TenantScope,
  integrationId: string,
  file: Pick<ImportedFile, 'fileId' | 'title' | 'version' | 'documentId' | 'isOwn'>,
): Promise<void> {
  await run(
    tx,
    sql`update integration_files set title = ${file.title}, version = ${file.version}, document_id = ${file.documentId},
        is_own = ${file.isOwn}
      where tenant_id = ${tx.tenantId} and integration_id = ${integrationId} and file_key = ${file.fileId}`,
  )
}

/** Nothing stays of documents that were deleted here, and their files are not imported again. */
export async function forgetDocuments(tx: TenantScope, documentIds: readonly string[]): Promise<void> {
  await run(
    tx,
    sql`update integration_files set document_id = null, is_own = false, title = null,
        status = case status when 'stopped' then status else 'removed' end,
        cause = case status when 'stopped' then cause else 'DELETED_HERE' end
      where tenant_id = ${tx.tenantId} and document_id = any(${documentIds}::uuid[])`,
  )
}

/** Ends the lease, too. What was deleted since the file was read stays deleted: `keepDocument` alone names a document. */
export async function saveFile(scope: TenantScope, integrationId: string, file: ImportedFile): Promise<void> {
  const isDeleted = sql`${file.documentId}::uuid is not null and document_id is null`
  const unlessDeleted = (kept: Sql, saved: string | boolean | null) =>
    sql`case when ${isDeleted} then ${kept} else ${saved} end`
  await run(
    scope,
    sql`update integration_files set title = ${unlessDeleted(sql`title`, file.title)},
        document_id = case when document_id = ${file.documentId} then document_id end,
        is_own = ${unlessDeleted(sql`is_own`, file.isOwn)}, version = ${file.version},
        status = ${unlessDeleted(sql`status`, file.status)}, cause = ${unlessDeleted(sql`cause`, file.cause)},
        imported_at = ${file.importedAt}, checked_at = ${file.checkedAt}, leased_until = null
      where tenant_id = ${scope.tenantId} and integration_id = ${integrationId} and file_key = ${file.fileId}`,
  )
}

export function listFiles(scope: TenantScope, integrationId: string, page: PageRequest): Promise<Page<ImportedFile>> {
  return listPage<ImportedFile>(scope, page, {
    columns,
    from: sql`from integration_files where tenant_id = ${scope.tenantId} and integration_id = ${integrationId}`,
    orderBy: sql`created_at desc, file_key`,
  })
}
