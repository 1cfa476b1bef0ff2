import { maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** Originals and texts of versions, and documents. Failed ones do not count. */
export type Amounts = { bytes: number; documents: number }

/**
 * Takes room in the tenant's storage. One statement counts and compares, so two who race for the last place cannot both get
 * it. Comes last: other mails and documents of the tenant wait for this row. Returns the limit that leaves no room, if any.
 */
export async function takeRoom(
  tx: TenantScope,
  { bytes, documents }: Amounts,
  { bytesMax, documentsMax }: { bytesMax: number | null; documentsMax: number | null },
): Promise<'bytes' | 'documents' | null> {
  const taken = await run(
    tx,
    sql`insert into tenant_storage as s (tenant_id, document_bytes, document_count)
      select ${tx.tenantId}, ${bytes}::bigint, ${documents}::int
      where (${bytesMax}::bigint is null or ${bytes}::bigint <= ${bytesMax}::bigint
          or exists (select from tenant_storage where tenant_id = ${tx.tenantId}))
        and (${documentsMax}::bigint is null or ${documents}::int <= ${documentsMax}::bigint or ${documents}::int <= 0)
      on conflict (tenant_id) do update set document_bytes = s.document_bytes + excluded.document_bytes,
        document_count = s.document_count + excluded.document_count
        where (${bytesMax}::bigint is null or s.mail_bytes + s.document_bytes + excluded.document_bytes <= ${bytesMax}::bigint)
          and (${documentsMax}::bigint is null or excluded.document_count <= 0
            or s.document_count + excluded.document_count <= ${documentsMax}::bigint)`,
  )
  if (taken > 0) return null
  if (documentsMax !== null && documents > 0 && (await countStoredDocuments(tx)) + documents > documentsMax)
    return 'documents'
  return 'bytes'
}

export async function giveRoomBack(tx: TenantScope, { bytes, documents }: Amounts): Promise<void> {
  await run(
    tx,
    sql`update tenant_storage set document_bytes = document_bytes - ${bytes}::bigint,
        document_count = document_count - ${documents}::int
      where tenant_id = ${tx.tenantId}`,
  )
}

export async function countStoredDocuments(scope: TenantScope): Promise<number> {
  const row = await maybeOne(
    scope,
    sql<{ count: number }>`select document_count as count from tenant_storage where tenant_id = ${scope.tenantId}`,
  )
  return row?.count ?? 0
}

type Recounted = { bytes: { counted: number; expected: number }; documents: { counted: number; expected: number } }

/** Adds up what all documents take, and puts right what was counted. Documents that are stored meanwhile wait. */
export async function recountDocuments(tx: TenantScope): Promise<Recounted> {
  const counted = await one(
    tx,
    sql<Amounts>`insert into tenant_storage as s (tenant_id) values (${tx.tenantId})
      on conflict (tenant_id) do update set document_bytes = s.document_bytes
      returning document_bytes as bytes, document_count as documents`,
  )
  // Another statement, which sees what was committed before the row was locked.
  const expected = await one(
    tx,
    sql<Amounts>`update tenant_storage set
        document_bytes = (select coalesce(sum(size + text_bytes), 0) from document_versions
          where tenant_id = ${tx.tenantId} and status <> 'failed'),
        document_count = (select count(*) from documents where tenant_id = ${tx.tenantId} and status <> 'failed')
      where tenant_id = ${tx.tenantId} returning document_bytes as bytes, document_count as documents`,
  )
  return {
    bytes: { counted: counted.bytes, expected: expected.bytes },
    documents: { counted: counted.documents, expected: expected.documents },
  }
}
