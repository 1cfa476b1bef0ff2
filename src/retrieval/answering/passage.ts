import type { ReadChunk } from '../ranking/rerank.ts'

/** A chunk that may answer. `score`: of `scoreChunks`. With `spans`, quotes may stand only in these; without, anywhere. */
export type Passage = ReadChunk & { score: number }

/** UTF-16 offsets in the text of the passage with this index. */
export type Quote = { passage: number; start: number; end: number }
