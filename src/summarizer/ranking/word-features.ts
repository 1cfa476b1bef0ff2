// The record of a meeting in, what is known of each of its content words out: how often, by whom and where it was said.

import { meetingWords, notTopics } from '../language/common-words.ts'
import { stopWordTest } from '../language/stop-words.ts'
import { splitWords, stem } from '../language/words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import { importance } from './sentence-cues.ts'

export const wordFeatureNames = [
  'count',
  'shareOfMost',
  'speakers',
  'isNoTopic',
  'isMeetingWord',
  'capital',
  'pairs',
  'importance',
  'length',
  'firstPosition',
] as const
export type WordFeatures = Readonly<Record<(typeof wordFeatureNames)[number], number>>

type Count = { word: string; said: number; capitals: number; important: number; first: number; speakers: Set<string> }

const lengthMax = 12

/** The features of each stem that is no stop word and no part of a speaker's name. */
export function wordFeatures(record: MeetingRecord): Map<string, WordFeatures> {
  const isContent = contentWordTest(record)
  const counts = new Map<string, Count>()
  const pairs = new Map<string, number>()
  for (const sentence of record.sentences) countWords(sentence, { isContent, counts, pairs })
  const inPairs = mostFrequentPairs(pairs)
  const most = counts.values().reduce((max, { said }) => Math.max(max, said), 1)
  // German nouns are all written with a capital.
  const hasNameCapitals = !record.language.startsWith('de')
  return new Map(
    counts.entries().map(([term, it]) => [
      term,
      {
        count: Math.log(it.said),
        shareOfMost: it.said / most,
        speakers: Math.log(it.speakers.size),
        isNoTopic: Number(notTopics.has(it.word)),
        isMeetingWord: Number(meetingWords.has(it.word)),
        capital: hasNameCapitals ? it.capitals / it.said : 0,
        pairs: Math.log(inPairs.get(term) ?? 1),
        importance: it.important / it.said,
        length: Math.min(it.word.length, lengthMax) / lengthMax,
        firstPosition: it.first,
      },
    ]),
  )
}

/** Stop words, single letters and the speakers' names say nothing about the subject. */
export function contentWordTest(record: MeetingRecord): (word: string) => boolean {
  const isStop = stopWordTest(record.language)
  const names = new Set(record.speakers.flatMap(({ label }) => splitWords(label)))
  return (word) => !isStop(word) && !names.has(word) && !isTooShort(word)
}

/** A single Latin letter says nothing; a single Chinese character is a word. */
const isTooShort = (word: string) => word.length === 1 && /[\p{Script=Latin}\p{N}]/u.test(word)

type Counting = {
  isContent: (word: string) => boolean
  counts: Map<string, Count>
  pairs: Map<string, number>
}

function countWords({ text, words, speaker, position }: SpokenSentence, { isContent, counts, pairs }: Counting) {
  const isImportant = importance.test(text)
  const capitals = new Set(text.match(/(?<=[^\s] )\p{Lu}[\p{L}\p{N}'-]*/gu)?.map((it) => it.toLowerCase()))
  let before: string | null = null
  for (const word of words) {
    if (!isContent(word)) {
      before = null
      continue
    }
    const term = stem(word)
    const known = counts.get(term) ?? {
      word,
      said: 0,
      capitals: 0,
      important: 0,
      first: position,
      speakers: new Set<string>(),
    }
    counts.set(term, known)
    known.said += 1
    known.capitals += Number(capitals.has(word))
    known.important += Number(isImportant)
    known.speakers.add(speaker.label)
    if (before !== null) pairs.set(`${before} ${term}`, (pairs.get(`${before} ${term}`) ?? 0) + 1)
    before = term
  }
}

/** For each stem, how often the most frequent pair was said that it is part of. */
function mostFrequentPairs(pairs: ReadonlyMap<string, number>): Map<string, number> {
  const most = new Map<string, number>()
  for (const [pair, count] of pairs)
    for (const term of pair.split(' ')) most.set(term, Math.max(most.get(term) ?? 0, count))
  return most
}
