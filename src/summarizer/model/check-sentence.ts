// A sentence of a model in, the same sentence out if the entries it cites support it, else null.

import { once } from '../../kernel/once.ts'
import { findQuotations } from '../../kernel/quotations.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { stopWordTest } from '../language/stop-words.ts'
import { splitWords, stem } from '../language/words.ts'
import type { TranscriptEntry } from '../summary.ts'
import { cleanText, withoutEndMarks } from '../text/clean-text.ts'
import { countSentences } from '../text/sentence-counts.ts'
import { countWords } from '../text/word-counts.ts'
import type { DraftItem } from './draft-item.ts'
import { contentStems, findFigures, isVerbatim } from './evidence.ts'
import { isPromptInjection } from './prompt.ts'

/** A sentence that its cited entries support. `citations` are indexes; `text` ends with its end mark. */
export type CheckedSentence = { text: string; citations: number[] }

export type SentenceChecker = {
  /** The item as a sentence, or null where the cited entries do not support it. */
  check(item: DraftItem): CheckedSentence | null
  /** Whether each content word and figure occurs anywhere in the meeting. */
  isSaid(text: string): boolean
}

const wordsMin = 4
const wordsMax = 42
/** The share of a sentence's content words that its entries must contain. A paraphrase keeps about half of them. */
const relatedMin = 0.25

/** The check that each sentence of a model must pass before anybody reads it. */
export function sentenceChecker({ transcript, title, language }: Checked): SentenceChecker {
  const known = language ?? detectLanguage(transcript.map(({ text }) => text))
  const isCommon = stopWordTest(known)
  const vocabulary = once(() => buildVocabulary(transcript, title))
  const isNamed = (text: string) => {
    const names = [...capitalWords(text), ...(known.startsWith('en') ? findNames(text) : [])]
    return names.every((name) => vocabulary().has(name))
  }
  const citedText = (citations: readonly number[]) =>
    citations.map((i) => `${transcript[i]?.speaker}: ${transcript[i]?.text}`).join('\n')

  const check = (item: DraftItem): CheckedSentence | null => {
    const citations = validCitations(item, transcript)
    if (citations === null) return null
    const cited = citedText(citations)
    const isBorneOut =
      isSubset(findFigures(item.text), findFigures(cited)) &&
      findQuotations(item.text).every((quote) => isVerbatim(quote, cited)) &&
      isRelated(contentStems(item.text, isCommon), contentStems(cited, isCommon)) &&
      isNamed(item.text)
    const text = isBorneOut ? toSentence(item.text) : null
    return text === null ? null : { text, citations }
  }
  const isSaid = (text: string) =>
    isSubset(contentStems(text, isCommon), vocabulary()) && isSubset(findFigures(text), vocabulary())
  return { check, isSaid }
}

/** `title` and `language` as in a summary request. */
type Checked = { transcript: readonly TranscriptEntry[]; title: string; language?: string }

/** Null where a cited entry does not exist, or where all of them are attempts at prompt injection. */
function validCitations({ entries }: DraftItem, transcript: readonly TranscriptEntry[]): number[] | null {
  const indexes = entries.map((n) => n - 1)
  if (!indexes.every((i) => transcript[i] !== undefined)) return null
  return indexes.every((i) => isPromptInjection(transcript[i]?.text ?? '')) ? null : indexes.toSorted((a, b) => a - b)
}

/** The stems, words and figures of the whole meeting. */
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

/** Words in capitals: abbreviations and emphasis. */
const capitalWords = (text: string) =>
  (text.match(/(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu) ?? []).flatMap(splitWords)

/** Names in an English sentence: words with a capital inside it, and its first word before a verb such as "said". */
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

function isRelated(words: ReadonlySet<string>, cited: ReadonlySet<string>): boolean {
  const found = [...words].filter((word) => cited.has(word)).length
  return found > 0 && found >= words.size * relatedMin
}

export const lettersOnly = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')

/** One clean sentence, or null. A sentence with markup or a link is dropped, not cleaned. */
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
