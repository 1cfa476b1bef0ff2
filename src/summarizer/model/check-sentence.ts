import { once } from '../../kernel/once.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { stopWordTest } from '../language/stop-words.ts'
import { splitWords, stem } from '../language/words.ts'
import type { TranscriptEntry } from '../summary.ts'
import { cleanText, withoutEndMarks } from '../text/clean-text.ts'
import { countSentences } from '../text/sentence-counts.ts'
import { countWords } from '../text/word-counts.ts'
import type { DraftItem } from './draft-item.ts'
import { contentStems, findFigures, findQuotes, isVerbatim } from './evidence.ts'
import { isPromptInjection } from './prompt.ts'

/** A sentence that stands on the entries it cites (indexes); it ends with its mark. */
export type CheckedSentence = { text: string; citations: number[] }

export type SentenceChecker = {
  /** The item as a sentence, or null where the entries it cites do not bear it out. */
  check(item: DraftItem): CheckedSentence | null
  /** Whether each telling word and figure stands anywhere in the meeting. */
  isSaid(text: string): boolean
}

const wordsMin = 4
const wordsMax = 42
/** The part of a sentence's telling words that its entries must hold; a paraphrase keeps about half of them. */
const relatedMin = 0.25

/** What is asked of every sentence of a model before anybody reads it. */
export function sentenceChecker({ transcript, title, language }: Checked): SentenceChecker {
  const known = language ?? detectLanguage(transcript.map(({ text }) => text))
  const isCommon = stopWordTest(known)
  const vocabulary = once(() => buildVocabulary(transcript, title))
  const isNamed = (text: string) => {
    const names = [...capitalWords(text), ...(known.startsWith('en') ? findNames(text) : [])]
    return names.every((name) => vocabulary().has(name))
  }
  const saidIn = (citations: readonly number[]) =>
    citations.map((i) => `${transcript[i]?.speaker}: ${transcript[i]?.text}`).join('\n')

  const check = (item: DraftItem): CheckedSentence | null => {
    const citations = validCitations(item, transcript)
    if (citations === null) return null
    const said = saidIn(citations)
    const isBorneOut =
      isSubset(findFigures(item.text), findFigures(said)) &&
      findQuotes(item.text).every((quote) => isVerbatim(quote, said)) &&
      isRelated(contentStems(item.text, isCommon), contentStems(said, isCommon)) &&
      isNamed(item.text)
    const text = isBorneOut ? toSentence(item.text) : null
    return text === null ? null : { text, citations }
  }
  const isSaid = (text: string) =>
    isSubset(contentStems(text, isCommon), vocabulary()) && isSubset(findFigures(text), vocabulary())
  return { check, isSaid }
}

/** `title` and `language` as in a request for a summary. */
type Checked = { transcript: readonly TranscriptEntry[]; title: string; language?: string }

/** Null where one does not exist, and where all of them speak to the machine. */
function validCitations({ entries }: DraftItem, transcript: readonly TranscriptEntry[]): number[] | null {
  const indexes = entries.map((n) => n - 1)
  if (!indexes.every((i) => transcript[i] !== undefined)) return null
  return indexes.every((i) => isPromptInjection(transcript[i]?.text ?? '')) ? null : indexes.toSorted((a, b) => a - b)
}

/** Stems, words and figures of the whole meeting. */
function buildVocabulary(transcript: readonly TranscriptEntry[], title: string): Set<string> {
  const found = new Set<string>(splitWords(title))
  for (const { speaker, text } of transcript) {
    for (const word of [...splitWords(text), ...splitWords(speaker)]) {
      found.add(word)
      found.add(stem(word))
    }
    for (const figure of findFigures(text)) found.add(figure)
  }
  return found
}

/** Words in capitals: abbreviations, and what somebody wants to be seen. */
const capitalWords = (text: string) =>
  (text.match(/(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu) ?? []).flatMap(splitWords)

/** Words with a capital inside a sentence, and before a verb of speaking also the first one: in English, names. */
function findNames(text: string): string[] {
  const inside = [...text.matchAll(/(?<=\p{L}[\p{L}'\u2019-]*,? )\p{Lu}[\p{L}\p{M}'\u2019-]+/gu)].map(([name]) => name)
  const [, first] =
    /^(\p{Lu}[\p{L}'\u2019-]+)(?: \p{Lu}[\p{L}'\u2019-]+)* (?:said|says|asked|suggest|propos|explain|not|argu|agree|will|want|think|thought|report|confirm|present|offer|stress|point|add|warn|rais|ask|took|takes)/u.exec(
      text,
    ) ?? []
  return [
    ...inside,
    ...(first &&
    !/^(?:They|He|She|It|We|This|That|Everyone|Everybody|Nobody|People|Someone|Both|All|One|Who|Participants|Attendees|Speakers|Team|Management)$/.test(
      first,
    )
      ? [first]
      : []),
  ].flatMap((name) => splitWords(name).map((word) => word.replace(/['\u2019]s$/, '')))
}

const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>) => [...some].every((it) => all.has(it))

function isRelated(words: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  const held = [...words].filter((word) => said.has(word)).length
  return held > 0 && held >= words.size * relatedMin
}

export const lettersOnly = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')

/** One sentence without anything that is no speech, or null: what has markup or a link in it is dropped, not cleaned. */
function toSentence(written: string): string | null {
  const clean = cleanText(written)
  if (
    lettersOnly(clean) !== lettersOnly(written) ||
    isPromptInjection(written) ||
    /[<>`|{}[\]\\]|\*\*|__/.test(written)
  )
    return null
  const isQuestion = /[?\uff1f\u061f]\s*$/.test(clean)
  if (Math.min(...countSentences(clean)) > 1) return null
  const inside = withoutEndMarks(clean)
  const words = Math.max(...countWords(inside))
  if (words < wordsMin || words > wordsMax) return null
  const text = inside.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /^['(]?[\p{Lu}\p{Lo}]/u.test(text) ? `${text}${isQuestion ? '?' : '.'}` : null
}
