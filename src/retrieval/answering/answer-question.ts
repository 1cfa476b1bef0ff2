import type { Language } from '../language/language.ts'
import type { Quote } from './passage.ts'
import { type Asked, type RatedSentence, rateSentences } from './rate-sentences.ts'

/**
 * `quotes`: one to three if `found`, the best first, else none. `closest`: up to three, if not `found`. `borne`: 0 to 1, the
 * share of the question's weight that the best sentence and its passage have.
 */
export type LocalAnswer = { found: boolean; quotes: Quote[]; closest: Quote[]; borne: number }

const quotesMax = 3
/** What a further quote is worth at least beside the first. Others would tell little: of XQuAD's answers one in 800 is lost. */
const furtherShare = 0.6
/**
 * What `borne` must reach. English inflects little, so that more of a question recurs as it is. With these about nine of ten of
 * XQuAD's questions are answered, and nine of ten that have no answer are refused, in English and in German
 * (`npm run bench -- knowledge`).
 */
export const answerFloor = (language: Language): number => (language === 'en' ? 0.47 : 0.41)

/** Answers with the sentences of the passages that hold most of the question, or says that none does. */
export function answerQuestion(asked: Asked): LocalAnswer {
  const best = rateSentences(asked)
    .filter(({ score }) => score > 0)
    .slice(0, quotesMax)
  const borne = Math.max(0, ...best.map((it) => it.borne))
  const floor = answerFloor(asked.passages[best[0]?.passage ?? 0]?.language ?? 'und')
  if (borne < floor) return { found: false, quotes: [], closest: best.map(toQuote), borne }
  const least = furtherShare * (best[0]?.score ?? 0)
  return { found: true, quotes: best.filter(({ score }) => score >= least).map(toQuote), closest: [], borne }
}

const toQuote = ({ passage, start, end }: RatedSentence): Quote => ({ passage, start, end })
