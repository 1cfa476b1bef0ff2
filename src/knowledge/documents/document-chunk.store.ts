import type { DocumentChunk } from '../../retrieval/chunks/chunk.ts'
import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { VersionKey } from './document-version.store.ts'

/** Between two headings of a path, in the list that a statement is given. No heading has it. */
const separator = '\u001f'

/** `first`: the number of the first chunk. Rejects once the version is gone. */
export async function insertChunks(
  scope: TenantScope,
  { documentId, version }: VersionKey,
  { first, chunks }: { first: number; chunks: readonly DocumentChunk[] },
): Promise<void> {
  const headings = chunks.map((chunk) =>
    chunk.headings.map((heading) => heading.replaceAll(separator, ' ')).join(separator),
  )
  await run(
    scope,
    sql`insert into document_chunks (tenant_id, document_id, version, ordinal, start_at, page, headings, text)
      select ${scope.tenantId}, ${documentId}, ${version}::int, ${first}::int + place - 1, start_at, page,
        string_to_array(headings, ${separator}), text
      from unnest(${chunks.map(({ start }) => start)}::int[], ${chunks.map(({ page }) => page)}::int[],
        ${headings}::text[], ${chunks.map(({ text }) => text)}::text[])
        with ordinality as c(start_at, page, headings, text, place)`,
  )
}

/** What an earlier try has written, or a version that is not kept. */
export async function deleteChunks(scope: TenantScope, { documentId, version }: VersionKey): Promise<void> {
  await run(
    scope,
    sql`delete from document_chunks
      where tenant_id = ${scope.tenantId} and document_id = ${documentId} and version = ${version}`,
  )
}

/** In their order, from number `first` on. */
export function listChunks(
  scope: TenantScope,
  { documentId, version }: VersionKey,
  { first, limit }: { first: number; limit: number },
): Promise<DocumentChunk[]> {
  return many(
    scope,
    sql<DocumentChunk>`select text, start_at as start, page, headings from document_chunks
      where tenant_id = ${scope.tenantId} and document_id = ${documentId} and version = ${version} and ordinal >= ${first}
      order by ordinal limit ${limit}`,
  )
}
