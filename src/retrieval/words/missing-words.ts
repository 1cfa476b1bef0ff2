import type { Language } from '../language/language.ts'
import { splitWords } from './split-words.ts'
import { termFor } from './term.ts'

const missingMax = 200

/**
 * The words of other texts that a text has not, compared by their terms: each once, in their order, at most 200. Linear in the
 * length of all texts.
 */
export function missingWords(others: readonly string[], text: string, language: Language): string[] {
  if (others.length === 0) return []
  const known = new Set(splitWords(text).map((word) => termFor(word.text, language)))
  const missing: string[] = []
  for (const other of others)
    for (const word of splitWords(other)) {
      const term = termFor(word.text, language)
      if (known.has(term)) continue
      known.add(term)
      if (missing.push(word.text) === missingMax) return missing
    }
  return missing
}
