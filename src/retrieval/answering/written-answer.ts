import { findQuotations } from '../../kernel/quotations.ts'
import { isCommonWord } from '../language/common-words.ts'
import type { Language } from '../language/language.ts'
import { areRelated } from '../ranking/term-matches.ts'
import type { Span } from '../sentences/split-sentences.ts'
import { splitSentences } from '../sentences/split-sentences.ts'
import { splitWords } from '../words/split-words.ts'
import { foldCase, termFor } from '../words/term.ts'
import { isInstruction } from './instruction.ts'
import { isNegated } from './negation.ts'
import { findNumbers, isNumberWord } from './numbers.ts'
import type { Passage, Quote } from './passage.ts'
import { passageSentences } from './passage-sentences.ts'

/** A sentence of a model, with the indexes of the passages that it cites. */
export type WrittenSentence = { text: string; passages: number[] }

/** A sentence that its quotes bear out. */
export type BorneSentence = { text: string; quotes: Quote[] }

const sentenceCharsMax = 600
const quotesPerPassage = 2
const quotesMax = 4
/** The share of a sentence's own words that its quotes must have. What is left is room for "said" and for other endings. */
const sharedMin = 0.6
/** A passage with less of them is no source of the sentence. */
const citedMin = 0.25

/**
 * The sentence with quotes of the passages it cites, or null where these do not bear it out. Each number and name in it must
 * stand in a quote, and most of its other words; it is negated if a quote is, and only then. What it has in quotation marks must
 * stand in a passage word by word. Null also for a citation that does not exist, and for what no answer may show: markup,
 * links, control characters, instructions to a model, more than one sentence.
 */
export function checkWrittenSentence(
  { text: written, passages: cited }: WrittenSentence,
  passages: readonly Passage[],
): BorneSentence | null {
  const text = written.trim()
  const sources = [...new Set(cited)].map((index) => ({ index, passage: passages[index] }))
  if (sources.length === 0 || sources.some(({ passage }) => passage === undefined) || !isShowable(text)) return null
  const isSaid = (quotation: string) => sources.some(({ passage }) => hasWords(passage?.text ?? '', quotation))
  if (!findQuotations(text).every(isSaid)) return null
  const found = sources
    .flatMap(({ index, passage }) => bearingQuotes(text, index, passage as Passage))
    .slice(0, quotesMax)
  const quoted = found.map(({ quote, speaker }) => ({ speaker, text: quotedText(quote, passages) }))
  const isTrusted = quoted.length > 0 && !quoted.some((it) => isInstruction(it.text))
  const language = passages[found[0]?.quote.passage ?? 0]?.language ?? 'und'
  return isTrusted && isBorne(text, quoted, language) ? { text, quotes: found.map(({ quote }) => quote) } : null
}

/** `speaker`: who said it, in a transcript, else empty. */
type Found = { quote: Quote; speaker: string }

const quotedText = ({ passage, start, end }: Quote, passages: readonly Passage[]) =>
  (passages[passage] as Passage).text.slice(start, end)

const markup = /[<>`|{}[\]\\]|\*\*|__|https?:|www\.|\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/iu

function isShowable(text: string): boolean {
  const isOne = text.length <= sentenceCharsMax && splitSentences(text, 'und').length === 1
  return isOne && text.isWellFormed() && !markup.test(text) && !isInstruction(text)
}

/** Whether a text has the words of a quotation one after another. Marks between them do not count. */
function hasWords(text: string, quotation: string): boolean {
  const inOrder = (it: string) =>
    ` ${splitWords(it)
      .map((word) => foldCase(word.text))
      .join(' ')} `
  return inOrder(text).includes(inOrder(quotation))
}

function isBorne(text: string, quoted: { speaker: string; text: string }[], language: Language): boolean {
  const all = quoted.map((it) => it.text).join('\n')
  const withSpeakers = `${all}\n${quoted.map(({ speaker }) => speaker).join('\n')}`
  const isHeld = holder(withSpeakers, language)
  const words = contentWords(text, language)
  const held = words.filter(isHeld)
  const numbers = findNumbers(withSpeakers)
  return (
    held.length > 0 &&
    held.length >= words.length * sharedMin &&
    nameWords(text, language).every(isHeld) &&
    [...findNumbers(text)].every((it) => numbers.has(it)) &&
    isNegated(text) === isNegated(all)
  )
}

/** The words that say something: no common words and no numbers, which are compared by their value. */
function contentWords(text: string, language: Language): string[] {
  return splitWords(text)
    .map((word) => word.text)
    .filter((word) => !isCommonWord(foldCase(word), language) && !/\p{N}/u.test(word) && !isNumberWord(word))
}

/** Words with a capital, also the first one unless it is a common word. In German each noun is one. */
function nameWords(text: string, language: Language): string[] {
  return contentWords(text, language).filter((word) => /^\p{Lu}/u.test(word))
}

/** Tells whether a text has a word, in another form or as a part of a compound too. */
function holder(text: string, language: Language): (word: string) => boolean {
  const terms = new Set(splitWords(text).map((word) => termFor(word.text, language)))
  const list = [...terms]
  return (word) => {
    const term = termFor(word, language)
    return terms.has(term) || list.some((it) => areRelated(it, term))
  }
}

/** The sentences of a passage that have most of the words, at most two. None if they have too few. */
function bearingQuotes(text: string, index: number, passage: Passage): Found[] {
  const words = contentWords(text, passage.language)
  const wanted = new Set([...words, ...findNumbers(text)])
  const sentences = passageSentences(passage).map((span) => ({ span, held: heldWords(wanted, passage, span) }))
  const found: Found[] = []
  const missing = new Set(wanted)
  let heldCount = 0
  while (found.length < quotesPerPassage) {
    const gain = (held: string[]) => held.filter((word) => missing.has(word)).length
    const best = sentences.reduce((a, b) => (gain(b.held) > gain(a.held) ? b : a), {
      span: { start: 0, end: 0 },
      held: [] as string[],
    })
    if (gain(best.held) === 0) break
    heldCount += gain(best.held)
    for (const word of best.held) missing.delete(word)
    found.push({ quote: { passage: index, ...best.span }, speaker: speakerOf(passage, best.span) })
  }
  return heldCount >= wanted.size * citedMin ? found : []
}

function heldWords(wanted: ReadonlySet<string>, passage: Passage, { start, end }: Span): string[] {
  const text = passage.text.slice(start, end)
  const isHeld = holder(text, passage.language)
  const numbers = findNumbers(text)
  return [...wanted].filter((word) => numbers.has(word) || isHeld(word))
}

/** In a transcript the label before the words of an entry. */
function speakerOf({ text, spans }: Passage, { start }: Span): string {
  const words = spans?.find((span) => span.start <= start && start < span.end)
  return words === undefined ? '' : text.slice(text.lastIndexOf('\n', words.start - 1) + 1, words.start)
}
