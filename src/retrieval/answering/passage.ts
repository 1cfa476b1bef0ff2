import type { Language } from '../language/language.ts'
import type { Span } from '../sentences/split-sentences.ts'

/**
 * A chunk that may answer. `score`: of `scoreChunks`. `spans`: where in `text` quotes may stand, which for a transcript is each
 * speaker's words; without them anywhere.
 */
export type Passage = {
  text: string
  title: string
  headings: string[]
  language: Language
  score: number
  spans?: Span[]
}

/** UTF-16 offsets in the text of the passage with this index. */
export type Quote = { passage: number; start: number; end: number }
