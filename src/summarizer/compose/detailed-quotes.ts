// The analysis of a meeting in, the quotations of a detailed summary out.

import { type Analysis, byWordsSpoken, withoutOutcomes } from '../analysis.ts'
import { stem } from '../language/words.ts'
import { type Coverage, coverage } from '../ranking/coverage.ts'
import type { RankedSentence } from '../ranking/rank-sentences.ts'
import { isUseful, longSentencesMin, selectNext, tolerableTest } from '../ranking/select-sentences.ts'
import type { Speaker } from '../sentences/meeting-record.ts'
import { countWords } from '../text/word-counts.ts'

/** The content words that people's summaries of a meeting and of its parts have, about twice. */
const referenceWords = 900
/** With more people, a quotation of each would leave no words for the main points. */
export const peopleQuotedMax = 30
/** Quotation marks, a name and what joins them. */
const frameWords = 3
const pointsMax = 16
const wordsOfQuoteMax = 32

/** The best sentence of each person, chosen so that together they cover the likely words. Most words first. */
export function firstQuotes(analysis: Analysis): Map<Speaker, RankedSentence[]> {
  const { record } = analysis
  if (record.speakers.length > peopleQuotedMax) return new Map()
  const cover = topicsCovered(analysis)
  const bySpeaker = Map.groupBy(candidatesOf(analysis), ({ speaker }) => speaker)
  const all = Map.groupBy(analysis.ranked, ({ speaker }) => speaker)
  const chosen: RankedSentence[] = []
  // Of a long meeting a person's topics say more than a piece of a sentence.
  const isLong = record.sentences.length >= longSentencesMin
  return new Map(
    byWordsSpoken(record.speakers).map((speaker) => {
      const own = bySpeaker.get(speaker) ?? all.get(speaker) ?? []
      const it = selectNext(own, { chosen, cover }, (it) => !isLong || isUseful(it))
      if (it) {
        chosen.push(it)
        cover.add(it)
      }
      return [speaker, it ? [it] : []]
    }),
  )
}

const candidatesOf = (analysis: Analysis) =>
  withoutOutcomes(analysis).filter(({ words }) => words.length <= wordsOfQuoteMax)

function topicsCovered({ likely, topics }: Analysis): Coverage {
  const cover = coverage(likely, referenceWords)
  cover.add({ terms: topics.flatMap(({ phrase }) => phrase.toLowerCase().split(/[ -]/).map(stem)) })
  return cover
}

/** `further`: what stands in a person's part after the first quotation. */
export type Quotes = { points: RankedSentence[]; further: Map<Speaker, RankedSentence[]> }

/**
 * As many quotations as fit into `words`, beside `quoted`, those that the parts of the speakers have already. What is only
 * tolerable is quoted up to `wordsNeeded`.
 */
export function chooseQuotes(
  analysis: Analysis,
  { quoted, words, wordsNeeded }: { quoted: readonly RankedSentence[]; words: number; wordsNeeded: number },
): Quotes {
  const cover = topicsCovered(analysis)
  const chosen = [...quoted]
  for (const it of chosen) cover.add(it)
  const ranked = candidatesOf(analysis)
  const isTolerable = tolerableTest(analysis.record)
  const points: RankedSentence[] = []
  const further = new Map<Speaker, RankedSentence[]>()
  for (let left = words; ; ) {
    const fits = (it: RankedSentence) => !it.isQuestion && it.words.length + frameWords <= left
    const select = (isWanted: (it: RankedSentence) => boolean) =>
      selectNext(ranked, { chosen, cover }, (it) => isWanted(it) && fits(it))
    const it = select(isUseful) ?? (words - left < wordsNeeded ? select(isTolerable) : undefined)
    if (!it) return { points, further }
    chosen.push(it)
    cover.add(it)
    left -= Math.max(...countWords(it.text)) + frameWords
    if (points.length < pointsMax || quoted.length === 0) points.push(it)
    else further.set(it.speaker, [...(further.get(it.speaker) ?? []), it])
  }
}
