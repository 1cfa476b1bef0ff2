import { commonWords } from '../language/common-words.ts'
import type { Language } from '../language/language.ts'
import { hasOrdinalDots, isAbbreviation } from './abbreviations.ts'

/** UTF-16 offsets; `end` is exclusive. */
export type Span = { start: number; end: number }

/** A longer sentence is speech without marks, or a table. It is cut at a comma or between words. */
const sentenceCharsMax = 500

/**
 * Marks that may end a sentence, with closing quotation marks and brackets behind them, or line ends. A run of marks is only
 * tried from its beginning, so that this is linear.
 */
const ends = /(?<![.!?…])[.!?…]+["'”’»)\]]{0,4}(?=\s|$|[“„«(])|[。！？｡]+[」』”’）]{0,4}|[؟۔।॥]+["”»)]{0,4}|\n\s*/gu

/** The sentences of a text without the space around them. No sentence ends at an initial, an abbreviation or a decimal point. */
export function splitSentences(text: string, language: Language): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length
    if (!endsSentence(text, { at: match.index, mark: match[0], end, language })) continue
    addSpans(spans, text, { start, end })
    start = end
  }
  addSpans(spans, text, { start, end: text.length })
  return spans
}

type Mark = { at: number; mark: string; end: number; language: Language }

const wordBeforeChars = 24

function endsSentence(text: string, { at, mark, end, language }: Mark): boolean {
  if (mark.includes('\n')) return endsLine(text, { at, mark, end })
  if (!mark.startsWith('.') || mark.startsWith('..')) return true
  const next = /^\s*["'“„«([]?([\p{L}\p{N}]?[\p{L}\p{M}]*)/u.exec(text.slice(end, end + 60))?.[1] ?? ''
  if (/^\p{Ll}/u.test(next)) return false
  const before = /[\p{L}\p{N}\p{M}.-]{1,24}$/u.exec(text.slice(Math.max(0, at - wordBeforeChars), at))?.[0] ?? ''
  const isCommonNext = next !== '' && commonWords(language).has(next.toLowerCase())
  // "J. P. Morgan", "z. B.", "v. Chr."
  if (/^\p{L}$/u.test(before)) return isCommonNext && next.length > 1 && before !== 'I'
  if (/^\p{Nd}{1,2}$/u.test(before)) return !hasOrdinalDots(language) && !startsLine(text, at - before.length)
  if (isAbbreviation(before, language)) return false
  if (/\p{L}\.\p{L}$/u.test(before)) return next === '' || isCommonNext
  return true
}

/** A single line end within a sentence of text that was wrapped at a certain width is none. */
function endsLine(text: string, { at, mark, end }: Omit<Mark, 'language'>): boolean {
  if (mark.indexOf('\n') !== mark.lastIndexOf('\n')) return true
  const isWrapped = /^[\p{Ll}\p{Nd}(]/u.test(text.slice(end, end + 2)) && at - text.lastIndexOf('\n', at - 1) > 45
  return !(isWrapped && /[\p{L}\p{N},-]$/u.test(text.slice(Math.max(0, at - 2), at)))
}

const startsLine = (text: string, at: number) => at === 0 || text[at - 1] === '\n'

function addSpans(spans: Span[], text: string, { start, end }: Span) {
  let from = start
  let to = end
  while (from < to && /\s/.test(text[from] as string)) from += 1
  while (to > from && /\s/.test(text[to - 1] as string)) to -= 1
  while (to - from > sentenceCharsMax) {
    const cut = cutPoint(text, from, sentenceCharsMax)
    spans.push({ start: from, end: cut })
    from = cut
    while (from < to && /\s/.test(text[from] as string)) from += 1
  }
  if (to > from) spans.push({ start: from, end: to })
}

/** Where to cut a text without sentences, at most `max` after `from`: behind a comma, else between words, else letters. */
export function cutPoint(text: string, from: number, max: number): number {
  const window = text.slice(from, from + max)
  const half = Math.floor(max / 2)
  const comma = Math.max(...[', ', '; ', ': ', '、', '，', '；'].map((mark) => window.lastIndexOf(mark)))
  if (comma >= half) return from + comma + 1
  const space = window.search(/\s\S*$/)
  if (space >= half) return from + space
  return letterBoundary(text, from + max, from)
}

const marks = /\p{M}|\u200d/u
const marksBackMax = 32

/** The nearest offset at or before `at` that is neither inside a surrogate pair nor before a combining mark. */
export function letterBoundary(text: string, at: number, from: number): number {
  let cut = at
  for (let back = 0; back < marksBackMax && cut > from + 1; back += 1, cut -= 1) {
    const isPair = /[\udc00-\udfff]/.test(text[cut] ?? '') && /[\ud800-\udbff]/.test(text[cut - 1] ?? '')
    if (!isPair && !marks.test(String.fromCodePoint(text.codePointAt(cut) ?? 0x20)) && text[cut - 1] !== '\u200d')
      return cut
  }
  return isInsidePair(text, at) ? at - 1 : at
}

const isInsidePair = (text: string, at: number) =>
  /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '')
