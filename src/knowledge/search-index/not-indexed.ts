import type { SearchIndex } from './search-index.ts'

/** Of an installation without search: documents are read and kept, and nothing finds their words. */
export const notIndexed: SearchIndex = {
  stage: async (_, { orgId, documentId }) => ({ indexedId: documentId, orgId, documentId }),
  publish: async () => undefined,
  remove: async () => undefined,
  move: async () => undefined,
}
