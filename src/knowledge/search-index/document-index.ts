import type { ItemIndex } from './item-index.service.ts'
import type { SearchIndex } from './search-index.ts'

/** The index of documents, in their own words. */
export function documentIndex(items: ItemIndex): SearchIndex {
  return {
    stage: async (scope, { orgId, documentId, chunks, ...document }) => {
      const indexedId = await items.stage(scope, {
        ...document,
        orgId,
        // Until it is published nobody looks for it in a collection.
        sourceId: documentId,
        itemId: documentId,
        kind: 'document',
        chunks: chunks.map(({ text, headings }) => ({ text, headings, entries: null })),
      })
      return indexedId === null ? null : { indexedId, orgId, documentId }
    },
    unstage: (scope, { indexedId }) => items.unstage(scope, indexedId),
    publish: (tx, { indexedId, collectionId }) => items.publish(tx, { id: indexedId, sourceId: collectionId }),
    remove: (tx, documentIds) => items.remove(tx, documentIds),
    move: (tx, { documentId, toCollectionId }) => items.move(tx, { itemId: documentId, toSourceId: toCollectionId }),
  }
}
