import { commonWords } from '../../src/retrieval/language/common-words.ts'
import type { Language } from '../../src/retrieval/language/language.ts'
import type { Indexed, Ranking } from './collection.ts'

/**
 * What PostgreSQL offers by itself. `ts_rank_cd` of a query that joins the words by "or": each occurrence is a cover of its own,
 * so that rare words count no more than frequent ones. Stop words are left out, as PostgreSQL does.
 */
export function coverDensity({ terms, ranked }: Ranking): Indexed[] {
  const words = terms.filter(({ isCommon }) => !isCommon)
  const occurrences = ({ index }: Indexed) =>
    words.reduce((sum, { forms }) => sum + forms.reduce((n, form) => n + (index.terms.get(form)?.length ?? 0), 0), 0)
  return ranked
    .map(({ chunk }) => ({ chunk, rank: occurrences(chunk) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ chunk }) => chunk)
}

/** `plainto_tsquery`: a chunk is only found with all words of the question but the stop words. */
export function allWords({ terms, ranked }: Ranking): Indexed[] {
  const words = terms.filter(({ isCommon }) => !isCommon)
  return ranked
    .map(({ chunk }) => chunk)
    .filter(({ index }) => words.every(({ forms }) => forms.some((form) => index.terms.has(form))))
}

/** The sentence with most words of the question, all of the same weight. */
export function wordOverlap(question: string, sentences: string[], language: Language): string {
  const common = commonWords(language)
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const asked = new Set(wordsOf(question).filter((word) => !common.has(word)))
  const count = (sentence: string) => wordsOf(sentence).filter((word) => asked.has(word)).length
  return sentences.reduce((best, it) => (count(it) > count(best) ? it : best), '')
}
