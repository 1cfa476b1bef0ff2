// The record of a meeting and its likely words in, its quotable sentences and clauses out, ranked by importance.

import { meetingWords, notTopics } from '../language/common-words.ts'
import { splitWords, stem } from '../language/words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import { splitAtClauses } from './clauses.ts'
import type { LikelyWords } from './likely-words.ts'
import { isUsable, type Readability, readabilityOf } from './readability.ts'
import { usefulnessOf } from './usefulness.ts'
import { contentWordTest } from './word-features.ts'

/**
 * A sentence that may be quoted. `terms` are the stems of its content words. `score` compares sentences of one meeting
 * only.
 */
export type RankedSentence = SpokenSentence & {
  terms: string[]
  readability: Readability
  usefulness: number
  score: number
}

/** Choosing costs a pass over all candidates for each sentence chosen. */
const candidatesMax = 2000
const readabilityScores: Record<Readability, number> = { clear: 0.6, weak: 0, fragment: -0.6 }

/** The sentences worth quoting, best first: those with many likely words for their length that can be read alone. */
export function rankSentences(record: MeetingRecord, likely: LikelyWords): RankedSentence[] {
  const seen = new Set<string>()
  const isContent = contentWordTest(record)
  return record.sentences
    .filter((it) => isUsable(it, record.language) && isFirstTime(it, seen))
    .flatMap((it) => {
      const whole = toRanked(it, { isContent, likely, record })
      const parts = partsOf(it, record.language).map((part) => toRanked(part, { isContent, likely, record }))
      return [whole, ...parts.filter(({ readability }) => readability === 'clear')]
    })
    .sort((a, b) => b.score - a.score || a.id - b.id || a.text.length - b.text.length)
    .slice(0, candidatesMax)
}

/**
 * The clauses of a long sentence, and of each span of a broken one. What a span ends with was not said to its end, unless
 * it is the last.
 */
function partsOf(it: SpokenSentence, language: string): SpokenSentence[] {
  const spans = it.isBroken ? it.spans : [it.text]
  const texts = spans.flatMap((span, i) => {
    const isOpen = i + 1 < spans.length || it.isCut
    const clauses = splitAtClauses({ text: span, isQuestion: it.isQuestion, isOpen }, language)
    return it.isBroken && !isOpen ? [span, ...clauses] : clauses
  })
  return texts.map((text) => ({ ...it, text, words: splitWords(text), isCut: false, isBroken: false, spans: [] }))
}

/** Only the first time a person says a sentence counts, so repeating it does not raise its weight. */
function isFirstTime({ text, speaker }: SpokenSentence, seen: Set<string>): boolean {
  const key = `${speaker.label}\n${text.toLowerCase()}`
  return !seen.has(key) && seen.add(key) !== undefined
}

type Ranking = { isContent: (word: string) => boolean; likely: LikelyWords; record: MeetingRecord }

function toRanked(sentence: SpokenSentence, { isContent, likely, record }: Ranking): RankedSentence {
  const content = sentence.words.filter(isContent)
  const terms = content.map(stem)
  const topical = new Set(content.filter((word) => !notTopics.has(word) && !meetingWords.has(word)).map(stem)).size
  const readability = readabilityOf(sentence, { topical, language: record.language })
  const weight = weightOf(new Set(terms), likely)
  const usefulness = usefulnessOf({ ...sentence, terms, readability, likely: weight }, record.language)
  const score = (3 * weight) / Math.sqrt(sentence.words.length + 6) + readabilityScores[readability]
  return { ...sentence, terms, readability, usefulness, score }
}

/** How many words of a person's summary these are, as far as is expected. */
export const weightOf = (terms: ReadonlySet<string>, likely: LikelyWords) => {
  let sum = 0
  for (const term of terms) sum += likely.get(term) ?? 0
  return sum
}

/** How much of the content of two sentences is shared, from 0 to 1. */
export function similarity(a: RankedSentence, b: RankedSentence): number {
  const [own, others] = [new Set(a.terms), new Set(b.terms)]
  const shared = own.intersection(others).size
  return shared / Math.max(1, Math.sqrt(own.size * others.size))
}
