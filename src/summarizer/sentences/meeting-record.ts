// A transcript in, the record of the meeting out: its speakers with their counts, and all sentences with who said them
// and where.

import { once } from '../../kernel/once.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { splitWords } from '../language/words.ts'
import type { SummaryRequest, TranscriptEntry } from '../summary.ts'
import { cleanText, toLabel } from '../text/clean-text.ts'
import { promptInjection } from '../text/prompt-injection.ts'
import { hasEndMark, type Sentence, splitSentences } from './sentences.ts'

/**
 * A sentence with its place in the meeting. `entry` is an index into the transcript; `position` runs from 0 to 1 over
 * the meeting. `entries` has more than one index where two sentences were joined.
 */
export type SpokenSentence = Sentence & {
  id: number
  entry: number
  entries: number[]
  speaker: Speaker
  words: string[]
  position: number
}

/**
 * `name` is as in the transcript. `label` is safe in any sentence. `heading` is the name with its dots, where that is
 * safe.
 */
export type Speaker = {
  name: string
  label: string
  heading: string
  turns: number
  wordsSpoken: number
  questionsAsked: number
  entries: number[]
}

export type MeetingRecord = {
  title: string
  language: string
  entryCount: number
  wordCount: number
  speakers: Speaker[]
  sentences: SpokenSentence[]
  /** Whether a word is written in lower case inside sentences; null where it only begins sentences. */
  isLowercase: (word: string) => boolean | null
  /** Seconds into the meeting of the first and the last entry with a time. */
  firstSecond: number | null
  lastSecond: number | null
}

const labelCharsMax = 60
const titleCharsMax = 90
/** Anything beyond this in one entry is neither counted nor read. */
const entryCharsMax = 200_000

/** Reads the transcript once. Speakers come in the order in which they first spoke. */
export function readRecord({ title, transcript, language }: SummaryRequest): MeetingRecord {
  const known = language ?? detectLanguage(transcript.map(({ text }) => text))
  const reading = { language: known, isPunctuated: isPunctuated(transcript), hasEndMarks: hasEndMarks(transcript) }
  const speakers = new Map<string, Speaker>()
  const labels = new Map<string, number>()
  const sentences: SpokenSentence[] = []
  for (const [entry, { speaker: name, text }] of transcript.entries()) {
    const person = withoutOffice(name)
    const speaker = speakers.get(person) ?? newSpeaker(person, labels)
    speakers.set(person, speaker)
    const read = text.slice(0, entryCharsMax)
    speaker.turns += 1
    speaker.wordsSpoken += splitWords(cleanText(read)).length
    speaker.entries.push(entry)
    for (const sentence of splitSentences(read, reading)) {
      if (sentence.isQuestion) speaker.questionsAsked += 1
      const position = entry / Math.max(1, transcript.length - 1)
      sentences.push({
        ...sentence,
        id: sentences.length,
        entry,
        entries: [entry],
        speaker,
        words: splitWords(sentence.text),
        position,
      })
    }
  }
  const all = [...speakers.values()]
  return {
    title: toLabel(title, titleCharsMax),
    language: known,
    entryCount: transcript.length,
    wordCount: all.reduce((sum, { wordsSpoken }) => sum + wordsSpoken, 0),
    speakers: all,
    sentences,
    isLowercase: lowercaseTest(sentences),
    ...timeRange(transcript),
  }
}

function lowercaseTest(sentences: readonly SpokenSentence[]): MeetingRecord['isLowercase'] {
  // Computed at its first use: most summaries ask for few words.
  const within = once(() => new Set(sentences.flatMap(({ text }) => text.split(/[ ,;:]+/).slice(1))))
  return (word) => {
    if (within().has(word.toLowerCase())) return true
    return within().has(word) ? false : null
  }
}

/** Recognizers without punctuation write no marks at all. A few marks come from numbers and pasted text. */
function isPunctuated(transcript: readonly TranscriptEntry[]): boolean {
  const long = transcript.filter(({ text }) => text.length > 60).slice(0, 400)
  const marked = long.filter(({ text }) => /[.,;:!?\u3001\u3002\u060c\uff0c](?:\s|$)|[\u3001\u3002\uff0c]/u.test(text))
  return long.length === 0 || marked.length > long.length / 10
}

/** Most entries of some length end with a mark. Where few do, a missing one means nothing. */
function hasEndMarks(transcript: readonly TranscriptEntry[]): boolean {
  const long = transcript.filter(({ text }) => text.length > 60).slice(0, 400)
  return long.length >= 10 && long.filter(({ text }) => hasEndMark(text.slice(-40))).length > 0.6 * long.length
}

/**
 * "Ann Lee (Leader of the Opposition)" is Ann Lee. A single word may be several people: "Ann (Sales)", "Ann (Support)".
 */
export function withoutOffice(name: string): string {
  const [, person = name] = /^(\p{L}[\p{L}.'\u2019-]* \p{L}[\p{L} .'\u2019-]{1,50}) \([^()]{3,80}\)$/u.exec(name) ?? []
  return person
}

/** Two people whose names differ only in characters that cannot be shown get a number each. */
function newSpeaker(name: string, labels: Map<string, number>): Speaker {
  const base = toLabel(name, labelCharsMax) || 'Unnamed speaker'
  let count = (labels.get(base) ?? 0) + 1
  while (count > 1 && labels.has(`${base} ${count}`)) count += 1
  labels.set(base, count)
  const label = count > 1 ? `${base} ${count}` : base
  if (count > 1) labels.set(label, 1)
  return { name, label, heading: headingName(name) ?? label, turns: 0, wordsSpoken: 0, questionsAsked: 0, entries: [] }
}

/** A name of ordinary characters is shown as it is, with its dots. Any other name is shown only as its label. */
function headingName(name: string): string | null {
  const isPlain =
    /^[\p{L}\p{N}\p{Extended_Pictographic}][\p{L}\p{M}\p{N}\p{Extended_Pictographic} .,'\u2019_()&/+#@-]{0,59}$/u.test(
      name,
    )
  return isPlain && !/[_@/]{2}|\p{L}\.\p{L}{2}|\]\(|www/iu.test(name) && !promptInjection.test(name)
    ? name.trim()
    : null
}

/** Parses `HH:MM:SS` into seconds. Hours may exceed 23. Null for anything else. */
export function parseTimestamp(timestamp: string): number | null {
  const [, hours, minutes, seconds] = /^(\d{1,4}):([0-5]\d):([0-5]\d)(?:[.,]\d{1,6})?$/.exec(timestamp) ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

function timeRange(transcript: readonly TranscriptEntry[]): Pick<MeetingRecord, 'firstSecond' | 'lastSecond'> {
  let firstSecond: number | null = null
  let lastSecond: number | null = null
  for (const { timestamp } of transcript) {
    const second = parseTimestamp(timestamp)
    if (second === null) continue
    firstSecond = Math.min(firstSecond ?? second, second)
    lastSecond = Math.max(lastSecond ?? second, second)
  }
  return { firstSecond, lastSecond }
}
