import type { DocumentChunk } from '../../retrieval/chunks/chunk.ts'
import type { Language } from '../../retrieval/language/language.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** A version of a document, as it is to be found. `chunks` are in the order of the text. */
export type DocumentForIndex = {
  orgId: string
  documentId: string
  version: number
  title: string
  language: Language
  chunks: readonly DocumentChunk[]
}

/** A version that is stored in the index, but that nothing finds yet. */
export type StagedDocument = { indexedId: string; orgId: string; documentId: string }

/** What search and ask find of documents. `documents` tells it what changes. */
export type SearchIndex = {
  /**
   * Stores a version where nothing finds it, in small transactions of its own: a long document must not keep the others
   * waiting. Null: the document is gone. Who stages ends with `unstage`; after a crash it is deleted within two days.
   */
  stage(scope: TenantScope, document: DocumentForIndex): Promise<StagedDocument | null>
  /** Deletes what was staged, unless it was published. */
  unstage(scope: TenantScope, staged: StagedDocument): Promise<void>
  /**
   * In the transaction that makes the version current, or that changes the title: from its commit on the staged version is
   * found, and no other one. The collection must be locked.
   */
  publish(tx: TenantScope, staged: StagedDocument & { collectionId: string }): Promise<void>
  /** In the transaction that deletes the documents. Their collections must be locked. */
  remove(tx: TenantScope, documentIds: readonly string[]): Promise<void>
  /** In the transaction that moves the document. Both collections must be locked. */
  move(tx: TenantScope, moved: { documentId: string; toCollectionId: string }): Promise<void>
}
