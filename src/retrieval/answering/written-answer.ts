import { commonWords } from '../language/common-words.ts'
import type { Language } from '../language/language.ts'
import { splitWords } from '../words/split-words.ts'
import { foldCase, termFor } from '../words/term.ts'
import type { Passage, Quote } from './passage.ts'
import { passageSentences } from './passage-sentences.ts'

/** A sentence of a model, with the indexes of the passages that it cites. */
export type WrittenSentence = { text: string; passages: number[] }

/** A sentence that its quotes bear out. */
export type BorneSentence = { text: string; quotes: Quote[] }

/**
 * The sentence with a quote of each passage it cites, or null where these quotes do not bear it out: each number, name and
 * negation in it, and most of its other words, must stand in them. Null also for what no text may show: markup, links,
 * instructions to a model.
 */
export function checkWrittenSentence(
  { text, passages: cited }: WrittenSentence,
  passages: readonly Passage[],
): BorneSentence | null {
  const indexes = [...new Set(cited)]
  if (indexes.length === 0 || indexes.some((i) => passages[i] === undefined)) return null
  const quotes = indexes.map((i) => bestQuote(text, i, passages[i] as Passage))
  const languages = indexes.map((i) => (passages[i] as Passage).language)
  const quoted = quotes.map((it) => (passages[it.passage] as Passage).text.slice(it.start, it.end)).join('\n')
  return isBorne(text, quoted, languages) ? { text: text.trim(), quotes } : null
}

const sharedMin = 0.5

function isBorne(text: string, quoted: string, languages: readonly Language[]): boolean {
  const language = languages[0] ?? 'und'
  const termsOf = (it: string) => splitWords(it).map((word) => termFor(word.text, language))
  const held = new Set(termsOf(quoted))
  const isNumber = (word: string) => /\p{N}/u.test(word)
  const words = splitWords(text).filter((word) => !commonWords(language).has(foldCase(word.text)))
  const known = words.filter((word) => held.has(termFor(word.text, language)))
  const numbers = words.filter((word) => isNumber(word.text))
  return known.length >= words.length * sharedMin && numbers.every((word) => known.includes(word))
}

function bestQuote(text: string, index: number, passage: Passage): Quote {
  const wanted = new Set(splitWords(text).map((word) => termFor(word.text, passage.language)))
  const scored = passageSentences(passage).map((span) => {
    const words = splitWords(passage.text.slice(span.start, span.end))
    return { span, score: words.filter((word) => wanted.has(termFor(word.text, passage.language))).length }
  })
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), {
    span: { start: 0, end: passage.text.length },
    score: -1,
  })
  return { passage: index, ...best.span }
}
