import type { Language } from '../../retrieval/language/language.ts'
import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { DocumentFailure, DocumentStatus, DocumentVersion, VersionFile } from './document.rules.ts'
import { versionColumns } from './document.store.ts'

export type VersionKey = { documentId: string; version: number }

/** Newest first. */
export function listVersions(scope: TenantScope, documentId: string): Promise<DocumentVersion[]> {
  return many(
    scope,
    sql<DocumentVersion>`select ${versionColumns}, v.created_by as "createdBy", v.created_at as "createdAt"
      from document_versions v where v.tenant_id = ${scope.tenantId} and v.document_id = ${documentId}
      order by v.version desc`,
  )
}

/** A stored file, and the text that was read from it. */
export type StoredVersion = VersionFile & VersionKey & { status: DocumentStatus; textBytes: number }

export function findVersion(scope: TenantScope, { documentId, version }: VersionKey): Promise<StoredVersion | null> {
  return maybeOne(
    scope,
    sql<StoredVersion>`select document_id as "documentId", version, filename, type, mime_type as "mimeType", size, sha256,
        status, text_bytes as "textBytes"
      from document_versions where tenant_id = ${scope.tenantId} and document_id = ${documentId} and version = ${version}`,
  )
}

export type NewVersionRow = VersionFile &
  VersionKey & { extractionId: string; restoredFrom: number | null; createdBy: string; now: Date }

export async function insertVersion(tx: TenantScope, row: NewVersionRow): Promise<void> {
  const { documentId, version, filename, type, mimeType, size, sha256, extractionId, restoredFrom, createdBy, now } =
    row
  await run(
    tx,
    sql`insert into document_versions (tenant_id, document_id, version, filename, type, mime_type, size, sha256, status,
        restored_from, extraction_id, created_by, created_at)
      values (${tx.tenantId}, ${documentId}, ${version}, ${filename}, ${type}, ${mimeType}, ${size}, ${sha256}, 'queued',
        ${restoredFrom}, ${extractionId}, ${createdBy}, ${now})`,
  )
}

/** Lets a version be read again, by another job. Its document must be locked. */
export async function requeueVersion(
  tx: TenantScope,
  { documentId, version }: VersionKey,
  { extractionId, lostJobs }: { extractionId: string; lostJobs: number },
): Promise<void> {
  await run(
    tx,
    sql`update documents set status = 'queued'
      where tenant_id = ${tx.tenantId} and id = ${documentId} and version = ${version} and status = 'extracting'`,
  )
  await run(
    tx,
    sql`update document_versions set status = 'queued', failure_code = null, failure_detail = null, pages_read = null,
        page_total = null, extraction_id = ${extractionId}, lost_jobs = ${lostJobs}
      where tenant_id = ${tx.tenantId} and document_id = ${documentId} and version = ${version}`,
  )
}

export type ReadText = { language: Language; pages: number | null; characters: number; textBytes: number }

export async function makeVersionReady(
  tx: TenantScope,
  { documentId, version }: VersionKey,
  { language, pages, characters, textBytes, now }: ReadText & { now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update document_versions set status = 'ready', language = ${language}, pages = ${pages}, pages_read = null,
        page_total = null, characters = ${characters}, text_bytes = ${textBytes}, indexed_at = ${now}
      where tenant_id = ${tx.tenantId} and document_id = ${documentId} and version = ${version}`,
  )
}

export async function makeVersionFailed(
  tx: TenantScope,
  { documentId, version }: VersionKey,
  { code, detail }: DocumentFailure,
): Promise<void> {
  await run(
    tx,
    sql`update document_versions set status = 'failed', failure_code = ${code}, failure_detail = ${detail},
        pages_read = null, page_total = null
      where tenant_id = ${tx.tenantId} and document_id = ${documentId} and version = ${version}`,
  )
}

export type DroppedVersion = { version: number; sha256: string; status: DocumentStatus; bytes: number }

/** Deletes the oldest versions beyond `kept`, but neither the current one nor those under way. */
export function deleteOldVersions(
  tx: TenantScope,
  { documentId, current, kept }: { documentId: string; current: number; kept: number },
): Promise<DroppedVersion[]> {
  return many(
    tx,
    sql<DroppedVersion>`delete from document_versions where tenant_id = ${tx.tenantId} and document_id = ${documentId}
        and version in (select version from document_versions
          where tenant_id = ${tx.tenantId} and document_id = ${documentId} and version <> ${current}
            and status in ('ready', 'failed')
          order by version
          limit greatest(0, (select count(*) from document_versions
            where tenant_id = ${tx.tenantId} and document_id = ${documentId}) - ${kept}))
      returning version, sha256, status, size + text_bytes as bytes`,
  )
}

/** A version that a job reads. */
export type Extraction = VersionKey & {
  extractionId: string
  orgId: string
  title: string
  type: string
  size: number
  sha256: string
  restoredFrom: number | null
  lostJobs: number
  createdBy: string | null
}

const extractionColumns = sql`v.document_id as "documentId", v.version, v.extraction_id as "extractionId", d.org_id as "orgId",
  d.title, v.type, v.size, v.sha256, v.restored_from as "restoredFrom", v.lost_jobs as "lostJobs", v.created_by as "createdBy"`

const extractions = sql`document_versions v join documents d on d.tenant_id = v.tenant_id and d.id = v.document_id`

/** Null once the version is ready or failed, is read by another job, or is gone. */
export function findExtraction(scope: TenantScope, extractionId: string): Promise<Extraction | null> {
  return maybeOne(
    scope,
    sql<Extraction>`select ${extractionColumns} from ${extractions}
      where v.tenant_id = ${scope.tenantId} and v.extraction_id = ${extractionId} and v.status in ('queued', 'extracting')`,
  )
}

export async function beginExtraction(scope: TenantScope, { documentId, version }: VersionKey): Promise<void> {
  await run(
    scope,
    sql`update document_versions set status = 'extracting', pages_read = 0, page_total = null
      where tenant_id = ${scope.tenantId} and document_id = ${documentId} and version = ${version}
        and status in ('queued', 'extracting')`,
  )
  // Without another revision: this is nothing that somebody changed.
  await run(
    scope,
    sql`update documents set status = 'extracting'
      where tenant_id = ${scope.tenantId} and id = ${documentId} and version = ${version} and status = 'queued'`,
  )
}

export async function saveProgress(
  scope: TenantScope,
  { documentId, version }: VersionKey,
  { read, of }: { read: number; of: number | null },
): Promise<void> {
  await run(
    scope,
    sql`update document_versions set pages_read = ${read}, page_total = ${of}
      where tenant_id = ${scope.tenantId} and document_id = ${documentId} and version = ${version} and status = 'extracting'`,
  )
}

export type UnderWay = { tenantId: string; extractionId: string; createdAt: Date }

/** Versions of all tenants that are under way since before a time, oldest first, behind one of them. */
export function listUnderWay(
  platform: PlatformScope,
  { before, after, limit }: { before: Date; after: UnderWay | null; limit: number },
): Promise<UnderWay[]> {
  const isLater =
    after === null ? sql`true` : sql`(created_at, extraction_id) > (${after.createdAt}, ${after.extractionId}::uuid)`
  return many(
    platform,
    sql<UnderWay>`select tenant_id as "tenantId", extraction_id as "extractionId", created_at as "createdAt"
      from document_versions where status in ('queued', 'extracting') and created_at < ${before} and ${isLater}
      order by created_at, extraction_id limit ${limit}`,
  )
}

/** How many versions wait and are read, of all tenants. */
export function countUnderWay(platform: PlatformScope): Promise<{ status: string; count: number }[]> {
  return many(
    platform,
    sql<{ status: string; count: number }>`select s.status, count(v.version)::int as count
      from (values ('queued'), ('extracting')) as s(status)
      left join document_versions v on v.status = s.status and v.status in ('queued', 'extracting')
      group by s.status`,
  )
}

/** Locks a version, and the document before it. */
export async function lockVersion(tx: TenantScope, { documentId, version }: VersionKey): Promise<void> {
  await run(tx, sql`select from documents where tenant_id = ${tx.tenantId} and id = ${documentId} for no key update`)
  await run(
    tx,
    sql`select from document_versions
      where tenant_id = ${tx.tenantId} and document_id = ${documentId} and version = ${version} for no key update`,
  )
}
