import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ErasedCounts } from '../collections/collection.service.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { addToCollection } from './document.store.ts'
import { deleteDocuments, type ErasedDocument, insertErased, lockDocumentsOf } from './document-erasure.store.ts'
import { giveRoomBack } from './stored-documents.store.ts'

export type ErasureDeps = { clock: Clock; events: EventBus; searchIndex: SearchIndex }

/** How many at once: each may have 20 versions of thousands of chunks. */
const batchDocuments = 10

export type Erased = ErasedCounts & { blobs: string[] }

export type DocumentErasure = ReturnType<typeof documentErasure>

/** Erases documents with everything that holds their words. The caller removes their blobs after the transaction. */
export function documentErasure({ clock, events, searchIndex }: ErasureDeps) {
  /** Documents that are locked, as their collections are. */
  async function erase(
    tx: TenantScope,
    { orgId, documents }: { orgId: string; documents: ErasedDocument[] },
  ): Promise<Erased> {
    const documentIds = documents.map(({ id }) => id)
    const { count, chunks, bytes, blobs } = await deleteDocuments(tx, documentIds)
    await searchIndex.remove(tx, documentIds)
    await eraseStoredAnswers(tx, documentIds)
    for (const [collectionId, of] of Map.groupBy(documents, (document) => document.collectionId))
      await addToCollection(tx, { collectionId, count: -of.length })
    await noteErased(tx, documentIds)
    await events.emit(tx, 'org.documents.deleted', { tenantId: tx.tenantId, orgId, documentIds })
    const counted = documents.filter(({ status }) => status !== 'failed').length
    await giveRoomBack(tx, { bytes, documents: counted })
    return { documents: documentIds.length, versions: count, chunks, blobs }
  }

  /** All documents of locked collections. */
  async function eraseAll(
    tx: TenantScope,
    { orgId, collectionIds }: { orgId: string; collectionIds: string[] },
  ): Promise<Erased> {
    const erased: Erased = { documents: 0, versions: 0, chunks: 0, blobs: [] }
    for (;;) {
      const documents = await lockDocumentsOf(tx, { collectionIds, limit: batchDocuments })
      if (documents.length === 0) return erased
      const batch = await erase(tx, { orgId, documents })
      erased.documents += batch.documents
      erased.versions += batch.versions
      erased.chunks += batch.chunks
      erased.blobs.push(...batch.blobs)
    }
  }

  const noteErased = (tx: TenantScope, ids: string[]): Promise<void> => insertErased(tx, { ids, now: clock.now() })

  return { erase, eraseAll, noteErased }
}
