// The record of a meeting in, its quotable sentences out, ranked by importance.

import { meetingWords, notTopics } from '../language/common-words.ts'
import { stopWordTest } from '../language/stop-words.ts'
import { stem } from '../language/words.ts'
import { acceptanceCues, resultAlone } from '../outcomes/decision-cues.ts'
import { promiseAlone } from '../outcomes/task-cues.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import { promptInjection } from '../text/prompt-injection.ts'
import { importance, logistics } from './sentence-cues.ts'

/** A sentence that may be quoted. `vector` has length one. `score` compares sentences of one meeting only. */
export type RankedSentence = SpokenSentence & { vector: Map<string, number>; quality: number; score: number }

/** Comparing costs the square of the number of sentences, so only those with the most topical words are compared. */
const candidatesMax = 500
/** Two sentences with a lower cosine are about different matters (Erkan and Radev 2004 use 0.1; speech is shorter). */
const similarityMin = 0.05
const dampening = 0.85
const rounds = 25

/**
 * The sentences worth quoting, best first. The score adds LexRank centrality, the weight of topical words, and
 * readability.
 */
export function rankSentences(record: MeetingRecord): RankedSentence[] {
  const weights = termWeights(record)
  const seen = new Set<string>()
  const usable = record.sentences
    .filter((it) => isUsable(it, record.language) && isFirstTime(it, seen))
    .map((it) => withVector(it, weights, record))
  const candidates = usable
    .toSorted((a, b) => topicWeight(b) + b.quality - topicWeight(a) - a.quality || a.id - b.id)
    .slice(0, candidatesMax)
  const central = standardized(centrality(candidates))
  const mass = standardized(candidates.map(topicWeight))
  return candidates
    .map((it, i) => ({ ...it, score: (central[i] ?? 0) + 0.5 * (mass[i] ?? 0) + 0.6 * it.quality }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ mass: _, ...it }) => it)
}

/** Only the first time a person says a sentence counts, so repeating it does not raise its weight. */
function isFirstTime({ text, speaker }: SpokenSentence, seen: Set<string>): boolean {
  const key = `${speaker.label}\n${text.toLowerCase()}`
  return !seen.has(key) && seen.add(key) !== undefined
}

type Weighed = RankedSentence & { mass: number }
const topicWeight = (it: Weighed) => it.mass

/**
 * The weight of each stem in this meeting: higher if said often, lower if common in any conversation, none for stop
 * words.
 */
function termWeights(record: MeetingRecord): Map<string, number> {
  const isStop = stopWordTest(record.language)
  const counts = new Map<string, number>()
  const rarity = new Map<string, number>()
  for (const { words } of record.sentences) {
    for (const word of words) {
      if (isStop(word) || isTooShort(word)) continue
      const term = stem(word)
      counts.set(term, (counts.get(term) ?? 0) + 1)
      rarity.set(term, notTopics.has(word) || meetingWords.has(word) ? 0.3 : 1)
    }
  }
  return new Map([...counts].map(([term, count]) => [term, (rarity.get(term) ?? 1) * Math.log2(1 + count)]))
}

/** A single Latin letter says nothing; a single Chinese character is a word. */
const isTooShort = (word: string) => word.length === 1 && /[\p{Script=Latin}\p{N}]/u.test(word)

function withVector(sentence: SpokenSentence, weights: Map<string, number>, record: MeetingRecord): Weighed {
  const vector = new Map<string, number>()
  const inverse = Math.log(1 + record.sentences.length)
  for (const word of sentence.words) {
    const term = stem(word)
    const weight = weights.get(term)
    if (weight) vector.set(term, weight)
  }
  const total = [...vector.values()].reduce((sum, weight) => sum + weight, 0)
  const length = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0)) || 1
  for (const [term, weight] of vector) vector.set(term, weight / length)
  // A long sentence says more than a short one, but not in proportion to its length: hence the square root.
  const mass = total / Math.sqrt(sentence.words.length + 6) / inverse
  return { ...sentence, vector, quality: readability(sentence, record.language), mass, score: 0 }
}

const danglingStart =
  /^(?:it|it's|that|that's|this|these|those|they|they're|which|if|when|to|of|for|with|than|as|he|she|there|there's|what|who|where)\b/i
const brokenEnd =
  /\b(?:the|a|an|and|or|but|of|to|in|on|for|with|that|which|is|are|was|be|being|i|we|you|they|it's|that's|so|if|because|this|my|your|our|their|his|her|like|would|could|should|will|can|have|has|at|by|from|not|no|really|very|quite|just|also|maybe|than|then|what|how|when|where|who|why|into|about|these|those|don't|didn't|i'm|we're|they're)$/i
const figures = /\b\d{2,}|\d[.,]\d|\b(?:percent|million|thousand|hundred|twenty|thirty|forty|fifty|ninety)\b/i
const finiteVerb =
  /\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|can't|could|should|must|may|might|need|needs|want|wants|think|[a-z]{3,}ed|[a-z]+n't|[a-z]+'(?:s|re|ll|ve|m|d)|make|makes|made|went|got|get|gets|let|goes|go|found|said|came|took|use|work|works)\b/i

/** How well a sentence reads alone, from about -2 to 1.5. */
function readability({ text, words, isQuestion, disfluency }: SpokenSentence, language: string): number {
  const count = words.length
  let quality = count < 5 ? -1.2 : count < 8 ? -0.4 : count <= 26 ? 0.5 : count <= 32 ? 0.1 : -0.3
  if (isQuestion) quality -= 0.5
  // An opening such as "So, well," is not held against the sentence.
  quality -= 2 * Math.max(0, disfluency - 0.1)
  if (!language.startsWith('en')) return quality
  if (!finiteVerb.test(text)) quality -= 0.7
  if (danglingStart.test(text)) quality -= 0.6
  if (/^that (?:if|it|you|we|the|they|when|i)\b/i.test(text)) quality -= 0.8
  if (/^[a-z]+ing\b/i.test(text)) quality -= 0.4
  if ((text.match(/\blike\b/gi)?.length ?? 0) > 1) quality -= 0.6
  if (brokenEnd.test(text)) quality -= 0.8
  if (/\b[b-hj-z]\b(?!')/i.test(text)) quality -= 0.3
  if (importance.test(text)) quality += 0.5
  if (figures.test(text)) quality += 0.3
  if (logistics.test(text)) quality -= 0.9
  if (acceptanceCues.test(text)) quality -= 0.6
  return quality
}

/** "The motion is carried", "sounds good, let's do that": says nothing without the sentence before it. */
const isBareAnswer = (text: string, words: readonly string[]) =>
  resultAlone.test(text) ||
  promiseAlone.test(text) ||
  (words.length <= 6 && (acceptanceCues.test(text) || /\bworks for me$/i.test(text)))

/** Only leads to the next point. */
const agendaMove =
  /^(?:next(?: (?:one|up|item|point|topic|thing))?[,:]|(?:next|first|second|third|last) (?:item|point|topic|thing|question)\b|item \w+\b|(?:erster|zweiter|dritter|nächster|letzter) punkt|punkt \w+,|(?:primer|segundo|último|próximo) punto|(?:premier|deuxième|dernier) (?:sujet|point)|pasamos a|empezamos con)/i

/** Says nothing about the subject of the meeting. */
const smallTalk =
  /^(?:(?:sorry|please|no|yes|okay|ok|oh|perfect|great),? )*(?:(?:you )?go ahead|let(?:'s| us) (?:start|begin|get started|go|move on)|(?:that )?sounds (?:good|great|fine|right)(?: to me)?|i(?: am|'m) (?:back|here)|i (?:think i )?(?:was|am) (?:still )?on mute|i dropped off.{0,20}|(?:could|can) you (?:please )?mute.{0,30}|(?:many )?thank(?:s| you).{0,30}|(?:talk to|see) you.{0,20})$/i

const greeting =
  /^(?:guten (?:morgen|tag|abend)|hallo|moin|herzlich willkommen|good (?:morning|afternoon|evening)|welcome)\b|^(?:dann )?(?:war(?:'s| es) das|das war(?:'s| es))\b|\b(?:guten start in die|schönes wochenende|schönen (?:tag|abend|feierabend))\b/i

function isUsable({ text, words, isQuestion, isWhole }: SpokenSentence, language: string): boolean {
  if (!isWhole) return false
  if (words.length < (isQuestion ? 4 : 3) || promptInjection.test(text) || isBareAnswer(text, words)) return false
  if (words.length <= 9 && (smallTalk.test(text) || agendaMove.test(text))) return false
  if (words.length <= 16 && greeting.test(text) && !figures.test(text)) return false
  return !language.startsWith('en') || !/^[^a-z]*$/i.test(text)
}

/** LexRank: the stationary distribution of a random walk between similar sentences. */
function centrality(candidates: readonly Weighed[]): number[] {
  const steps = transitionMatrix(candidates)
  const size = candidates.length
  let ranks = new Float64Array(size).fill(1 / Math.max(1, size))
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(size).fill((1 - dampening) / Math.max(1, size))
    // Plain loops, because a long meeting spends most of its time here.
    for (let from = 0; from < size; from += 1) {
      const rank = dampening * (ranks[from] ?? 0)
      for (let to = 0; to < size; to += 1) next[to] = (next[to] ?? 0) + rank * (steps[from * size + to] ?? 0)
    }
    ranks = next
  }
  return [...ranks]
}

/** Row by row, the probability of a step from one sentence to each other one, in proportion to their similarity. */
function transitionMatrix(candidates: readonly Weighed[]): Float32Array {
  const size = candidates.length
  const steps = new Float32Array(size * size)
  const containing = new Map<string, { index: number; weight: number }[]>()
  for (const [index, { vector }] of candidates.entries()) {
    for (const [term, weight] of vector) {
      const occurrences = containing.get(term)
      if (occurrences) occurrences.push({ index, weight })
      else containing.set(term, [{ index, weight }])
    }
  }
  for (const [from, { vector }] of candidates.entries()) {
    const row = steps.subarray(from * size, (from + 1) * size)
    for (const [term, weight] of vector) {
      for (const it of containing.get(term) ?? []) row[it.index] = (row[it.index] ?? 0) + weight * it.weight
    }
    let total = 0
    for (let to = 0; to < size; to += 1) {
      if (to === from || (row[to] ?? 0) < similarityMin) row[to] = 0
      total += row[to] ?? 0
    }
    if (total > 0) for (let to = 0; to < size; to += 1) row[to] = (row[to] ?? 0) / total
  }
  return steps
}

function standardized(values: readonly number[]): number[] {
  const mean = values.reduce((sum, it) => sum + it, 0) / Math.max(1, values.length)
  const spread = Math.sqrt(values.reduce((sum, it) => sum + (it - mean) ** 2, 0) / Math.max(1, values.length)) || 1
  return values.map((it) => (it - mean) / spread)
}

/** The cosine of two sentences, from 0 to 1. */
export function similarity(a: RankedSentence, b: RankedSentence): number {
  let sum = 0
  for (const [term, weight] of a.vector) sum += weight * (b.vector.get(term) ?? 0)
  return sum
}
