// The record of a meeting in, the phrases it is about out.

import { meetingWords, notTopics, timeWords } from '../language/common-words.ts'
import { foreignStopWordTest, stopWordTest } from '../language/stop-words.ts'
import { splitWords, stem } from '../language/words.ts'
import type { MeetingRecord, SpokenSentence } from '../sentences/meeting-record.ts'
import type { LikelyWords } from './likely-words.ts'

/**
 * A phrase and the entries that contain it, in their order. `thirds`: how often it was said in each third of the
 * meeting, with some entries of each.
 */
export type Topic = { phrase: string; entries: number[]; thirds: TopicThird[] }
export type TopicThird = { count: number; entries: number[] }
/**
 * `asNoun` and `asVerb` count the preceding words that show how the phrase is used, `asModifier` the following ones:
 * "younger people". `asSubject` and `inPlace` tell people from places, `capitals` tells names.
 */
type Candidate = {
  asNoun: number
  asVerb: number
  asModifier: number
  asSubject: number
  inPlace: number
  capitals: number
  thirds: TopicThird[]
  stems: string[]
  phrase: string
  forms: Map<string, number>
  count: number
  speakers: Set<string>
  entries: number[]
}

const phraseWordsMax = 3
const phraseCharsMax = 40
const entriesKept = 12
const entriesOfThird = 3

/**
 * The phrases that most people say most often, those with the most likely words first. At most `max`, and none that is
 * part of another.
 */
export function findTopics(record: MeetingRecord, max: number, likely: LikelyWords = new Map()): Topic[] {
  const found = new Map<string, Candidate>()
  const isTopical = topicWordTest(record)
  for (const sentence of record.sentences) collectPhrases(sentence, isTopical, found)
  const ranked = [...found.values()]
    .filter((it) => isPhrase(it, record))
    .map((it) => ({ ...it, score: topicScore(it, found) }))
    .sort((a, b) => b.score - a.score || (a.entries[0] ?? 0) - (b.entries[0] ?? 0))
  const chosen: Candidate[] = []
  for (const it of ranked) {
    if (chosen.length >= consideredMax) break
    // "remote control" and "remote" are one topic; so are "dark mode" and "mode".
    const topic = longerPhrase(it, ranked)
    const isPart = chosen.some((other) => topic.stems.some((term) => other.stems.includes(term)))
    if (!isPart) chosen.push(topic)
  }
  const likelihood = ({ stems }: Candidate) => stems.reduce((sum, it) => sum + (likely.get(it) ?? 0), 0) / stems.length
  return chosen
    .toSorted((a, b) => likelihood(b) - likelihood(a))
    .slice(0, max)
    .map(({ forms, entries, thirds }) => ({ phrase: mostCommonForm(forms), entries, thirds }))
}
/** So many of the most frequent phrases are compared by how likely their words are. */
const consideredMax = 60

/**
 * A phrase said once is a topic only of a short meeting, and only if it is short. German nouns begin with a capital.
 */
function isPhrase(it: Candidate, { sentences, language }: MeetingRecord): boolean {
  const { phrase, forms, count, stems } = it
  if (phrase.length > phraseCharsMax || (stems.length === 1 && (isAdjective(it) || isPerson(it)))) return false
  if (language.startsWith('de') && ![...forms.keys()].some((form) => /^\p{Lu}/u.test(form))) return false
  return count > 1 || (sentences.length < 60 && stems.length <= (language.startsWith('en') ? 2 : 1))
}

const adjectiveEnding = /(?:ical|ional|ary|able|ible|ful|ous|ive|less|ish|est|ier|nger)$/
/** Mostly stands before another content word: "younger people", "the Prime Minister". */
function isAdjective({ phrase, count, asModifier }: Candidate): boolean {
  return asModifier / count > (adjectiveEnding.test(phrase) ? 0.3 : 0.65)
}

/** A name that acts ("Hynek said") and in which nothing is: people are named in their contributions. */
function isPerson({ count, capitals, asSubject, inPlace }: Candidate): boolean {
  return capitals >= 0.7 * count && asSubject >= 0.2 * count && inPlace < 0.05 * count
}

/** "remote control" for "remote", where a quarter of the mentions are in the longer phrase. */
function longerPhrase(it: Candidate, ranked: readonly Candidate[]): Candidate {
  if (it.stems.length > 1) return it
  const [term = ''] = it.stems
  return (
    ranked.find(({ stems, count }) => stems.length > 1 && stems.includes(term) && count >= Math.max(2, it.count / 4)) ??
    it
  )
}

function mostCommonForm(forms: Map<string, number>): string {
  return [...forms].reduce((best, it) => (it[1] > best[1] ? it : best))[0]
}

/** Longer phrases score higher. A phrase that mostly occurs inside a longer one scores lower. */
function topicScore({ stems, count, speakers, asNoun, asVerb }: Candidate, found: Map<string, Candidate>): number {
  const parts = stems.length > 1 ? Math.min(...stems.map((term) => found.get(term)?.count ?? count)) : count
  const bond = stems.length > 1 ? 0.6 + 0.6 * (count / Math.max(count, parts)) : 1
  const repeated = stems.length > 1 && count < 2 ? 0.5 : 1
  const kind = stems.length === 1 && asVerb > asNoun ? 0.4 : 1
  return (
    kind *
    Math.log2(1 + count) *
    (1 + 0.3 * Math.log2(speakers.size)) *
    (1 + 0.35 * (stems.length - 1)) *
    bond *
    repeated
  )
}

function topicWordTest(record: MeetingRecord): (word: string) => boolean {
  const isStop = stopWordTest(record.language)
  // The names of the speakers are said often but are no topics.
  const names = new Set(record.speakers.flatMap(({ label }) => splitWords(label)))
  const isEnglish = record.language.startsWith('en')
  const isForeignStop = foreignStopWordTest(record)
  return (word) =>
    !isStop(word) &&
    !isForeignStop(word) &&
    !names.has(word) &&
    !notTopics.has(word) &&
    !meetingWords.has(word) &&
    !timeWords.has(word) &&
    !/\p{N}|'|^(?:mrs?|est-ce|\p{L}+-(?:ce|il|elle|on|vous|nous|je|tu))$|^mrs?(?:chair|speaker|minister)/u.test(word) &&
    isLongEnough(word) &&
    !(isEnglish && /(?:ly|ing|ed)$/.test(word) && word.length > 4)
}

/**
 * Japanese writes particles and endings in Hiragana and nouns in other scripts. A single character is seldom a topic.
 */
function isLongEnough(word: string): boolean {
  if (/\p{Script=Latin}/u.test(word)) return word.length > 2 || word === 'tv'
  return word.length > 1 && !/^\p{Script=Hiragana}+$/u.test(word)
}

function collectPhrases(
  { text, words, speaker, entry, position }: SpokenSentence,
  isTopical: (word: string) => boolean,
  found: Map<string, Candidate>,
) {
  const isSpaced = words.length === text.split(' ').length
  for (const [start, first] of words.entries()) {
    if (!isTopical(first)) continue
    for (let size = 1; size <= phraseWordsMax && start + size <= words.length; size += 1) {
      const last = words[start + size - 1] ?? ''
      if (!isTopical(last)) break
      const phraseWords = words.slice(start, start + size)
      // A comma between two words separates them. Scripts without spaces join their words.
      const phrase = phraseIn(text, phraseWords, isSpaced)
      if (phrase === null) break
      const around = { before: words[start - 1] ?? '', after: words[start + size] ?? '' }
      const modifies =
        size === 1 && isTopical(around.after) && phraseIn(text, words.slice(start, start + 2), isSpaced) !== null
      countPhrase(
        { stems: phraseWords.map(stem), phrase, speaker: speaker.label, entry, position, modifies, ...around },
        found,
      )
    }
  }
}

/** The phrase as it is written in the text, or null where other characters interrupt it. */
function phraseIn(text: string, words: readonly string[], isSpaced: boolean): string | null {
  const lower = text.toLowerCase()
  for (const joined of [words.join(' '), ...(isSpaced ? [] : [words.join('')])]) {
    const at = lower.indexOf(joined)
    if (at < 0) continue
    const asWritten = lower.length === text.length ? text.slice(at, at + joined.length) : joined
    // A capital at the beginning of a sentence means nothing; elsewhere it marks a name.
    return at === 0 && !/^\p{Lu}{2}/u.test(asWritten) ? joined : asWritten
  }
  return null
}

/** English only. A word after "to" or "we" is a verb; one after "the" or "our" is a noun. */
const beforeVerb =
  /^(?:to|i|we|you|they|he|she|it|who|i'll|we'll|you'll|they'll|it'll|will|would|can|could|should|must|may|might|don't|doesn't|didn't|can't|won't|let's|is|are|was|were|be|been|being|has|have|had|get|got|very|too|so|not)$/
const beforeNoun =
  /^(?:the|a|an|this|that|these|those|our|your|my|their|his|her|its|no|each|every|some|any|of|for|with|about|in|on|from|by|new|old|which|what)$/

const afterSubject =
  /^(?:said|says|say|has|is|was|will|would|wants|thinks|thought|did|does|did|and|told|asked|wrote|gave|might|can)$/
const beforePlace = /^(?:in|across|from|into|within|throughout|outside|around|for|of)$/

type PhraseUse = {
  stems: string[]
  phrase: string
  speaker: string
  entry: number
  position: number
  before: string
  after: string
  modifies: boolean
}
function countPhrase(it: PhraseUse, found: Map<string, Candidate>) {
  const key = it.stems.join(' ')
  const known: Candidate = found.get(key) ?? {
    asNoun: 0,
    asVerb: 0,
    asModifier: 0,
    asSubject: 0,
    inPlace: 0,
    capitals: 0,
    thirds: [0, 1, 2].map(() => ({ count: 0, entries: [] })),
    stems: it.stems,
    phrase: it.phrase,
    forms: new Map(),
    count: 0,
    speakers: new Set(),
    entries: [],
  }
  found.set(key, known)
  known.count += 1
  if (beforeNoun.test(it.before)) known.asNoun += 1
  if (beforeVerb.test(it.before)) known.asVerb += 1
  if (it.modifies) known.asModifier += 1
  if (afterSubject.test(it.after)) known.asSubject += 1
  if (beforePlace.test(it.before)) known.inPlace += 1
  if (/^\p{Lu}\p{Ll}/u.test(it.phrase)) known.capitals += 1
  const third = known.thirds[Math.min(2, Math.floor(it.position * 3))]
  if (third) {
    third.count += 1
    if (third.entries.length < entriesOfThird && third.entries.at(-1) !== it.entry) third.entries.push(it.entry)
  }
  known.forms.set(it.phrase, (known.forms.get(it.phrase) ?? 0) + 1)
  known.speakers.add(it.speaker)
  if (known.entries.length < entriesKept && known.entries.at(-1) !== it.entry) known.entries.push(it.entry)
}
