// The text of one transcript entry in, its cleaned sentences out.

import {
  breakMark,
  cleanWithMarks,
  normalizeSpaces,
  removedMark,
  removeFillers,
  withoutEndMarks,
} from '../text/clean-text.ts'
import { foreignOpenings, openings, setOffOpenings } from './openings.ts'
import { breakAtClauses, questionOrder, restoreApostrophes } from './unpunctuated.ts'

/** More words than a listener can follow. Longer speech is cut where a clause begins. */
const sentenceWordsMax = 38
/** Longer entries are cut before they are segmented, so that the cost grows only with the length of the text. */
const chunkSizeChars = 4000
const sentenceCharsMax = 260

const anyWord = (words: readonly string[]) => `(?:${words.toSorted((a, b) => b.length - a.length).join('|')})`
const endOfOpening = "(?![\\p{L}\\p{N}'])"
const newSubject =
  '(?=(?:i|we|you|they|he|she|it|that|this|there|let)(?![\\p{L}\\p{N}])|(?:so|then|and|but|okay|yes|yeah|thanks?)(?![\\p{L}\\p{N}]))'
const englishOpening = new RegExp(
  `^(?:(?:like|see|look)${endOfOpening} ?,[ ,]*|${anyWord(openings)}${endOfOpening}[ ,.:;-]*|${anyWord(setOffOpenings)}${endOfOpening}(?: ?[,.:;-][ ,.:;-]*| +${newSubject}))`,
  'iu',
)
const foreignOpening = new RegExp(`^${anyWord(foreignOpenings)}${endOfOpening} ?,[ ,]*`, 'iu')
const clauseStart = /^(?:and|but|so|because|then|which|or|while|und|aber|weil|et|mais|y|pero)$/i

/**
 * A spoken sentence. `text` has no end mark. `opening` is what stood before it, such as "okay so", in lower case.
 * `disfluency` is the share that was removed as fillers and false starts. `isWhole` is false where a link was removed,
 * `isCut` is true where a limit of length cut it, or where the speaker did not end it. `isBroken`: the speaker broke off
 * within it; `spans` are then what was said between the breaks.
 */
export type Sentence = {
  text: string
  isQuestion: boolean
  disfluency: number
  opening: string
  isWhole: boolean
  isCut: boolean
  isBroken: boolean
  spans: string[]
}

/**
 * `isPunctuated` is false for the text of a recognizer that writes neither end marks nor commas. `hasEndMarks`: whole
 * sentences end with a mark, so one without was not ended.
 */
export type Reading = { language: string; isPunctuated: boolean; hasEndMarks: boolean }

const segmenters = new Map<string, Intl.Segmenter>()
function sentenceSegmenter(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const made = new Intl.Segmenter(language === 'und' ? 'en' : language, { granularity: 'sentence' })
  segmenters.set(language, made)
  return made
}

/** The cleaned sentences of one entry in their order, without openings such as "So, well,". */
export function splitSentences(text: string, reading: Reading): Sentence[] {
  const found: Sentence[] = []
  for (const chunk of splitChunks(prepareText(text, reading))) {
    for (const { segment } of sentenceSegmenter(reading.language).segment(chunk)) {
      const isAsked = /[?\uff1f\u061f][\s'\u201d)\uff09]*$/u.test(segment)
      const parts = splitClauses(withoutEndMarks(segment))
      const isOpen = openEnd.test(segment) || (reading.hasEndMarks && !hasEndMark(segment) && !/,\s*$/.test(segment))
      for (const [i, part] of parts.entries()) {
        const isLast = i + 1 === parts.length
        const isCut = (i > 0 && !beginsClause(part)) || (isLast ? isOpen : !beginsClause(parts[i + 1] ?? ''))
        const sentence = { ...parseSentence(part, isAsked, reading), isCut }
        if (/[\p{L}\p{N}]/u.test(sentence.text)) found.push(sentence)
      }
    }
  }
  return found
}

const openEnd = new RegExp(`${breakMark}[\\s\\p{P}]*$`, 'u')
const endMark = /[.!?\u3002\uff01\uff1f\u061f\u0964]/
const mayFollowEndMark = /[\s\p{P}]/u

/** Whether it ends with an end mark, but for quotation marks, brackets and the like. One expression for both takes quadratic time. */
export function hasEndMark(text: string): boolean {
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? ''
    if (endMark.test(character)) return true
    if (!mayFollowEndMark.test(character)) return false
  }
  return false
}

const beginsClause = (part: string) => clauseStart.test(part.split(' ', 1)[0] ?? '')

function prepareText(text: string, { language, isPunctuated }: Reading): string {
  const plain = normalizeSpaces(cleanWithMarks(text)).replace(endBeforeSmall, '$1\n')
  if (!language.startsWith('en')) return plain
  return isPunctuated ? restoreApostrophes(plain) : breakAtClauses(restoreApostrophes(plain))
}

function parseSentence(part: string, isAsked: boolean, { language, isPunctuated }: Reading): Omit<Sentence, 'isCut'> {
  const isEnglish = language.startsWith('en')
  const unbroken = withoutBreaks(part)
  const whole = unbroken.replaceAll(removedMark, '')
  const { text, opening } = removeOpening(removeFillers(whole, language), isEnglish)
  const read = (span: string) => removeOpening(removeFillers(withoutEndMarks(span), language), isEnglish).text
  const said = part.includes(breakMark) ? part.replaceAll(removedMark, '').split(breakMark).map(read) : []
  const spans = said.filter((span) => span !== '')
  const asksAloud = isAsked && (!isEnglish || questionWords.test(text) || text.length < 40)
  return {
    text,
    isQuestion: asksAloud || (!isPunctuated && isEnglish && questionOrder.test(text)),
    disfluency: 1 - text.length / Math.max(1, whole.length),
    opening,
    isWhole: whole === unbroken,
    isBroken: spans.length > 1,
    spans: spans.length > 1 ? spans : [],
  }
}

const withoutBreaks = (text: string) =>
  text.includes(breakMark) ? withoutEndMarks(text.replaceAll(breakMark, ' ')) : text

/**
 * The dots of abbreviations are already removed. A lower-case letter after an end mark comes from a recognizer that
 * writes no capitals.
 */
const endBeforeSmall = /([.!?]) +(?=\p{Ll})/gu
/** Matches the words or the word order of a question. */
export const questionWords =
  /(?:^|, |\b(?:and|so|but) )(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|don't|doesn't|isn't|aren't|can|could|should|shall|will|would|may|have|has|had|am|any)\b/i

function splitChunks(text: string): string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = from + chunkSizeChars
    const space = end < text.length ? text.lastIndexOf(' ', end) : -1
    const to = space > from ? space : end
    chunks.push(text.slice(from, to))
    from = to
  }
  return chunks
}

/**
 * Without punctuation a speech of minutes is one sentence. It is cut before a conjunction, or else where it gets too
 * long.
 */
function splitClauses(sentence: string): string[] {
  const words = sentence.split(' ')
  if (words.length <= sentenceWordsMax)
    return sentence.length <= sentenceCharsMax ? [sentence] : splitByLength(sentence)
  const clauses: string[] = []
  let clause: string[] = []
  for (const word of words) {
    const isBreak =
      clause.length >= sentenceWordsMax ||
      (clause.length >= 14 && (clauseStart.test(word) || clause.at(-1)?.endsWith(',')))
    if (isBreak) {
      clauses.push(clause.join(' '))
      clause = []
    }
    clause.push(word)
  }
  clauses.push(clause.join(' '))
  return clauses.flatMap((it) => (it.length <= sentenceCharsMax ? [withoutEndMarks(it)] : splitByLength(it)))
}

/** Cuts at a space where there is one. Scripts without spaces and long strings are cut anywhere. */
function splitByLength(text: string): string[] {
  const parts: string[] = []
  let rest = Array.from(text)
  while (rest.length > partChars) {
    const space = rest.lastIndexOf(' ', partChars)
    const to = space > 0 ? space : partChars
    parts.push(withoutEndMarks(rest.slice(0, to).join('')))
    rest = rest.slice(to)
  }
  return [...parts, withoutEndMarks(rest.join(''))]
}
const partChars = 80

function removeOpening(sentence: string, isEnglish: boolean): { text: string; opening: string } {
  const pattern = isEnglish ? englishOpening : foreignOpening
  let rest = sentence
  for (let i = 0; i < 4; i += 1) {
    const next = rest.replace(pattern, '')
    if (next === rest || next === '') break
    rest = next
  }
  const opening = sentence.slice(0, sentence.length - rest.length).toLowerCase()
  return { text: withoutEndMarks(rest), opening: opening.replace(/[ ,.:;-]+/g, ' ').trim() }
}
