import type { CountedTerm } from '../query/query.ts'
import { type CollectionStatistics, termWeight } from '../ranking/bm25.ts'
import { type SpokenLine, spokenLines } from '../ranking/named-speakers.ts'
import { type MatchedWord, termMatcher } from '../ranking/term-matches.ts'
import type { Passage, Quote } from './passage.ts'
import { passageSentences } from './passage-sentences.ts'
import { answersType, emphasizedWords, type QuestionType, questionType } from './question-type.ts'

/** `passages`: the best chunks, about 20, by falling score. */
export type Asked = {
  question: string
  terms: readonly CountedTerm[]
  statistics: CollectionStatistics
  passages: readonly Passage[]
}

/** `score` orders sentences. `borne`: 0 to 1, the share of the question's weight that the sentence and its passage have. */
export type RatedSentence = Quote & { score: number; borne: number }

/**
 * What counts towards the score beside the sentence's own share, which counts 1. Chosen on XQuAD, English and German.
 * `namedSpeaker`: the sentence's own share again, where the question names who said it; chosen on half of the training meetings
 * of QMSum: of 186 such questions, 51 % get a first quote from the answer (46 % without) and 80 % one of that speaker (47 %).
 */
const worth = { sentenceBefore: 0.5, passage: 0.5, rank: 0.4, type: 0.15, namedSpeaker: 2 }

/** How much a term counts: `ranking` for the order of sentences, `deciding` for whether there is an answer. */
type Weights = { ranking: number[]; deciding: number[] }

/** How well each sentence of the passages answers the question, the best first. */
export function rateSentences({ question, terms, statistics, passages }: Asked): RatedSentence[] {
  const match = termMatcher(terms)
  const weights = termWeights(question, terms, statistics)
  const weightsFor = speakerWeights(terms, weights)
  const type = questionType(question)
  const best = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE)
  const rated = passages.flatMap((passage, index) =>
    ratePassage(passage, { terms, match, weights, weightsFor, type, question }).map((it) => ({
      ...it,
      passage: index,
      score: it.score + (worth.rank * passage.score) / best,
    })),
  )
  return rated.sort((a, b) => b.score - a.score)
}

function termWeights(question: string, terms: readonly CountedTerm[], { chunkTotal }: CollectionStatistics): Weights {
  const emphasized = emphasizedWords(question)
  const ranking = terms.map((term) => termWeight(term, chunkTotal))
  const isAboutSomething = hasSubject(terms)
  const deciding = terms.map(({ word, chunkCount, isCommon, isFraming, forms }, i) => {
    const weight = ranking[i] ?? 0
    // "What did Anna say about the budget?" is answered by words about the budget, whether or not "say" is among them.
    if (isFraming && isAboutSomething) return 0
    // Pairs of letters that occur nowhere are mostly no words, but the end of one and the beginning of another.
    if (chunkCount === 0 && forms.every((form) => unspacedPair.test(form))) return weight * 0.5
    return emphasized.has(word) && !isCommon ? weight * 1.5 : weight
  })
  return { ranking: toShares(ranking), deciding: toShares(deciding) }
}

const unspacedPair = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}]+$/u

function toShares(weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => (total === 0 ? 0 : weight / total))
}

type Rating = {
  terms: readonly CountedTerm[]
  match: ReturnType<typeof termMatcher>
  weights: Weights
  weightsFor: ReturnType<typeof speakerWeights>
  type: QuestionType
  question: string
}

function ratePassage(
  passage: Passage,
  { terms, match, weights, weightsFor, type, question }: Rating,
): Omit<RatedSentence, 'passage'>[] {
  const size = weights.ranking.length
  const words = match(passage.text, passage.language)
  const about = [passage.title, ...passage.headings].flatMap((it) => match(it, passage.language))
  const whole = degrees([...words, ...about], size)
  const inPassage = { ranking: share(whole, weights.ranking), deciding: share(whole, weights.deciding) }
  const lines = spokenLines(words, passage.spans ?? [], terms)
  let line = 0
  let before = new Array<number>(size).fill(0)
  return wordsBySentence(passage, words).map(({ start, end, words: own }) => {
    while (line < lines.length - 1 && (lines[line] as SpokenLine).end <= start) line += 1
    const { isNamed, ranking, deciding } = weightsFor(lines[line]?.nameTerms ?? [])
    const held = degrees(own, size)
    const alone = share(held, ranking)
    const withBefore = share(
      held.map((degree, i) => Math.max(degree, before[i] ?? 0)),
      ranking,
    )
    before = held
    const fits = alone === 0 ? 0 : answersType(type, passage.text.slice(start, end), question)
    const score =
      alone * (isNamed ? 1 + worth.namedSpeaker : 1) +
      worth.sentenceBefore * (withBefore - alone) +
      worth.passage * inPassage.ranking +
      worth.type * fits
    return {
      start,
      end,
      score: alone === 0 ? 0 : score,
      borne: (share(held, deciding) + inPassage.deciding) / 2,
    }
  })
}

/** Whether there is more than words such as "who", "is" and "say". */
const hasSubject = (terms: readonly CountedTerm[]): boolean =>
  terms.some(({ isCommon, isFraming }) => !isCommon && !isFraming)

/**
 * The weights for what somebody said, by the terms in their name. Speakers need not say their own name: what one says whom the
 * question names has to answer the rest of it. Remembered, because a few people speak in many lines.
 */
function speakerWeights(terms: readonly CountedTerm[], weights: Weights) {
  const known = new Map<string, Weights & { isNamed: boolean }>()
  return (nameTerms: readonly number[]) => {
    const key = nameTerms.join(' ')
    let found = known.get(key)
    if (found === undefined) {
      const isNamed = nameTerms.length > 0 && hasSubject(terms.filter((_, term) => !nameTerms.includes(term)))
      found = { isNamed, ...(isNamed ? weightsWithout(weights, nameTerms) : weights) }
      known.set(key, found)
    }
    return found
  }
}

function weightsWithout({ ranking, deciding }: Weights, terms: readonly number[]): Weights {
  const without = (weights: number[]) => toShares(weights.map((weight, term) => (terms.includes(term) ? 0 : weight)))
  return { ranking: without(ranking), deciding: without(deciding) }
}

/** Both lists are in the order of the text, so one walk deals the words out. */
function wordsBySentence(passage: Passage, words: readonly MatchedWord[]) {
  let at = 0
  return passageSentences(passage).map(({ start, end }) => {
    while (at < words.length && (words[at] as MatchedWord).start < start) at += 1
    const from = at
    while (at < words.length && (words[at] as MatchedWord).end <= end) at += 1
    return { start, end, words: words.slice(from, at) }
  })
}

/** Of each term, the best match among the words. */
function degrees(words: readonly MatchedWord[], size: number): number[] {
  const best = new Array<number>(size).fill(0)
  for (const { matches } of words)
    for (const { term, degree } of matches) if (degree > (best[term] ?? 0)) best[term] = degree
  return best
}

const share = (held: readonly number[], weights: readonly number[]) =>
  held.reduce((sum, degree, i) => sum + degree * (weights[i] ?? 0), 0)
