import type { Language } from '../../retrieval/language/language.ts'
import type { IndexedChunk, ItemKind } from './indexed-item.store.ts'

/** A chunk that is to be found. */
export type ChunkToIndex = { text: string; headings: string[]; entries: IndexedChunk['entries'] }

export type ItemToIndex = {
  orgId: string
  sourceId: string
  itemId: string
  kind: ItemKind
  version: number
  title: string
  language: Language
  /** Of a transcript that may be extended: the number of the last write that it has. */
  lastChange?: number | null
  chunks: readonly ChunkToIndex[]
}
