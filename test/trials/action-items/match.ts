import { stopWords } from '../../../src/summarizer/language/stop-words.ts'
import { splitWords, stem } from '../../../src/summarizer/language/words.ts'

/** What somebody took on, in the reader's words; `entries`: the indices of those that say so, from 0. */
export type Label = { who: string; what: string; entries: number[] }
export type Found = { title: string; entries: number[] }

/** People say a thing again, or agree to it, a few entries later. */
const entriesApartMax = 3

/** Said within three entries of the label's, and at least one word of content in common. */
export function matches(found: Found, label: Label): boolean {
  const isNear = found.entries.some((it) => label.entries.some((other) => Math.abs(it - other) <= entriesApartMax))
  const words = contentWords(label.what)
  return isNear && [...contentWords(found.title)].some((word) => words.has(word))
}

const contentWords = (text: string): Set<string> =>
  new Set(
    splitWords(text)
      .filter((word) => !stopWords['en']?.has(word))
      .map(stem),
  )
