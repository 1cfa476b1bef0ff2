import type { JobKind, JobRun } from '../../jobs/jobs.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { DocumentChunk } from '../../retrieval/chunks/chunk.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { lockCollections } from '../collections/collection.store.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { endReindex, findCollectionId, findRenamed, lockDocument } from './document.store.ts'
import { listChunks } from './document-chunk.store.ts'

/** Puts the new title of a document into the index. Known by an id that the document has, as extractions are. */
export const reindexing: JobKind<{ reindexId: string }> = {
  name: 'knowledge.document.reindex',
  attemptsMax: 5,
  backoffSeconds: 10,
  timeoutSeconds: 180,
  concurrency: { node: 1, tenant: 4 },
}

const batchChunks = 200

export function reindexer({ members, searchIndex }: { members: OrganizationMembers; searchIndex: SearchIndex }) {
  return async ({ scope, data: { reindexId }, signal }: JobRun<{ reindexId: string }>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A document belongs to a tenant.')
    const document = await findRenamed(scope, reindexId)
    if (document === null) return
    const { id, orgId, version, title, language } = document
    const chunks = await allChunks(scope, { documentId: id, version }, signal)
    const staged = await searchIndex.stage(scope, { orgId, documentId: id, version, title, language, chunks })
    if (staged === null) return
    try {
      await transaction(scope, async (tx) => {
        const collectionId = (await members.hold(tx, orgId)) ? await findCollectionId(tx, id) : null
        if (collectionId === null) return
        await lockCollections(tx, [collectionId])
        if ((await lockDocument(tx, id)) === null) return
        if (await endReindex(tx, document, reindexId)) await searchIndex.publish(tx, { ...staged, collectionId })
      })
    } finally {
      await searchIndex.unstage(scope, staged)
    }
  }
}

async function allChunks(
  scope: TenantScope,
  key: { documentId: string; version: number },
  signal: AbortSignal,
): Promise<DocumentChunk[]> {
  const all: DocumentChunk[] = []
  for (;;) {
    signal.throwIfAborted()
    const batch = await listChunks(scope, key, { first: all.length, limit: batchChunks })
    all.push(...batch)
    if (batch.length < batchChunks) return all
  }
}
