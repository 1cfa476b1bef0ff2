import type { CountedTerm } from '../query/query.ts'
import { type CollectionStatistics, termWeight } from '../ranking/bm25.ts'
import { splitWords } from '../words/split-words.ts'
import { termFor } from '../words/term.ts'
import type { Passage, Quote } from './passage.ts'
import { passageSentences } from './passage-sentences.ts'

/** `terms`: of `questionTerms`, counted. `passages`: the best chunks, about 20, by falling score. */
export type AskedPassages = {
  question: string
  terms: readonly CountedTerm[]
  statistics: CollectionStatistics
  passages: readonly Passage[]
}

/** `quotes`: one to three if `found`, the best first, else none. `closest`: up to three, if not `found`. */
export type LocalAnswer = { found: boolean; quotes: Quote[]; closest: Quote[] }

const quotesMax = 3
/** The share of the question's weight that the best sentence and its passage must have. */
const floor = 0.5

type Candidate = Quote & { score: number; share: number }

/** Answers with the sentences of the passages that hold most of the question, or says that nothing does. */
export function answerQuestion({ terms, statistics, passages }: AskedPassages): LocalAnswer {
  const weights = terms.map((term) => termWeight(term, statistics.chunkTotal))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const best = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE)
  const shareOf = (text: string, { language }: Passage) => {
    const found = new Set(splitWords(text).map((word) => termFor(word.text, language)))
    const held = terms.reduce(
      (sum, { forms }, i) => (forms.some((it) => found.has(it)) ? sum + (weights[i] ?? 0) : sum),
      0,
    )
    return total === 0 ? 0 : held / total
  }
  const candidates = passages.flatMap((passage, index): Candidate[] => {
    const ofPassage = shareOf([passage.title, ...passage.headings, passage.text].join('\n'), passage)
    return passageSentences(passage).map(({ start, end }) => {
      const share = shareOf(passage.text.slice(start, end), passage)
      return {
        passage: index,
        start,
        end,
        score: share + 0.5 * ofPassage + (0.5 * passage.score) / best,
        share: (share + ofPassage) / 2,
      }
    })
  })
  const chosen = candidates
    .filter(({ share }) => share > 0)
    .sort((x, y) => y.score - x.score)
    .slice(0, quotesMax)
  const found = (chosen[0]?.share ?? 0) >= floor
  const quotes = chosen.map(({ passage, start, end }) => ({ passage, start, end }))
  return found ? { found, quotes, closest: [] } : { found, quotes: [], closest: quotes }
}
