import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { DocumentStatus } from './document.rules.ts'

export type ErasedDocument = { id: string; collectionId: string; status: DocumentStatus }

/** Some documents of locked collections, locked in the order of their ids. */
export function lockDocumentsOf(
  tx: TenantScope,
  { collectionIds, limit }: { collectionIds: string[]; limit: number },
): Promise<ErasedDocument[]> {
  return many(
    tx,
    sql<ErasedDocument>`select id, collection_id as "collectionId", status from documents
      where tenant_id = ${tx.tenantId} and collection_id = any (${collectionIds}::uuid[])
      order by id limit ${limit} for update`,
  )
}

export type ErasedVersions = { count: number; chunks: number; bytes: number; blobs: string[] }

/** Deletes documents with all versions and texts. `bytes`: what they took of the tenant's storage. */
export async function deleteDocuments(tx: TenantScope, ids: string[]): Promise<ErasedVersions> {
  // Versions first: an extraction that writes chunks of one holds its row, and ends before.
  const versions = await many(
    tx,
    sql<{ sha256: string; bytes: number; chunks: number }>`select v.sha256,
        case when v.status = 'failed' then 0 else v.size + v.text_bytes end as bytes,
        (select count(*)::int from document_chunks c where c.tenant_id = v.tenant_id and c.document_id = v.document_id
          and c.version = v.version) as chunks
      from document_versions v where v.tenant_id = ${tx.tenantId} and v.document_id = any (${ids}::uuid[])
      order by v.document_id, v.version for update`,
  )
  await run(tx, sql`delete from documents where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`)
  return {
    count: versions.length,
    chunks: versions.reduce((sum, { chunks }) => sum + chunks, 0),
    bytes: versions.reduce((sum, { bytes }) => sum + bytes, 0),
    blobs: versions.map(({ sha256 }) => sha256),
  }
}

/** What all documents of a tenant claim in the blob store. */
export async function listBlobs(scope: TenantScope): Promise<string[]> {
  const found = await many(
    scope,
    sql<{ sha256: string }>`select distinct sha256 from document_versions where tenant_id = ${scope.tenantId}`,
  )
  return found.map(({ sha256 }) => sha256)
}

/** Remembers what was erased, for the nightly search. */
export async function insertErased(tx: TenantScope, { ids, now }: { ids: string[]; now: Date }): Promise<void> {
  await run(
    tx,
    sql`insert into erased_documents (tenant_id, id, erased_at)
      select ${tx.tenantId}, id, ${now} from unnest(${ids}::uuid[]) as id on conflict do nothing`,
  )
}

export function listErased(platform: PlatformScope, { before, limit }: { before: Date; limit: number }) {
  return many(
    platform,
    sql<{
      id: string
    }>`select id from erased_documents where erased_at < ${before} order by erased_at, id limit ${limit}`,
  )
}

export async function forgetErased(platform: PlatformScope, ids: string[]): Promise<void> {
  await run(platform, sql`delete from erased_documents where id = any (${ids}::uuid[])`)
}
