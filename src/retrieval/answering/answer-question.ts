import type { Quote } from './passage.ts'
import { type Asked, type RatedSentence, rateSentences } from './rate-sentences.ts'

/**
 * `quotes`: one to three if `found`, the best first, else none. `closest`: up to three, if not `found`. `borne`: 0 to 1, the
 * share of the question's weight that the best sentence and its passage have.
 */
export type LocalAnswer = { found: boolean; quotes: Quote[]; closest: Quote[]; borne: number }

const quotesMax = 3
/**
 * What `borne` must reach. With 0.45, 95 % of XQuAD's English and 89 % of its German questions are answered, and 90 % and 92 %
 * of those that have no answer are refused (`npm run bench -- knowledge`).
 */
export const floor = 0.45

/** Answers with the sentences of the passages that hold most of the question, or says that none does. */
export function answerQuestion(asked: Asked): LocalAnswer {
  const best = rateSentences(asked)
    .filter(({ score }) => score > 0)
    .slice(0, quotesMax)
  const borne = Math.max(0, ...best.map((it) => it.borne))
  const quotes = best.map(toQuote)
  return borne >= floor
    ? { found: true, quotes, closest: [], borne }
    : { found: false, quotes: [], closest: quotes, borne }
}

const toQuote = ({ passage, start, end }: RatedSentence): Quote => ({ passage, start, end })
