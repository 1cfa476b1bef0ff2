import type { Language } from '../language/language.ts'
import type { Phrase, Query, QueryTerm } from './query.ts'
import { distinct, queryWords } from './query-terms.ts'

const queryCharsMax = 500
export const queryTermsMax = 32

/** `-"a phrase"`, `"a phrase"`, `-word` or a word. A quotation mark that is never closed ends with the text. */
const part = /(-?)["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|(?<!\S)-(?=[\p{L}\p{N}])(\S+)|([^\s"“”„«»]+)/gu

type Part = { kind: 'word' | 'phrase' | 'excluded' | 'or'; text: string }

/**
 * Reads what a person typed: words, "phrases", -not, and `or` between phrases. There is no wrong query. Reads the first 500
 * characters and 32 words.
 */
export function parseQuery(text: string, languages: Language[]): Query {
  const query: Query = { terms: [], required: [], excluded: [], isCut: text.length > queryCharsMax }
  const parts = readParts(text.slice(0, queryCharsMax))
  let rest = queryTermsMax
  const read = (written: string): QueryTerm[] => {
    const words = queryWords(written, languages)
    query.isCut ||= words.length > rest
    const kept = words.slice(0, rest)
    rest -= kept.length
    return kept
  }
  let group: { phrases: Phrase[]; isOpen: boolean } = { phrases: [], isOpen: false }
  const wholeText = parts.filter(({ kind }) => kind === 'word' || kind === 'phrase')
  const common = commonTest(wholeText.map((it) => it.text).join(' '), languages)
  for (const [i, { kind, text: written }] of parts.entries()) {
    if (kind === 'or') continue
    const words = read(written).map((term) => ({ ...term, isCommon: common.has(term.forms.join(' ')) }))
    if (words.length === 0) continue
    if (kind === 'excluded') {
      query.excluded.push(words)
      continue
    }
    query.terms.push(...words)
    group = parts[i - 1]?.kind === 'or' ? group : { phrases: [], isOpen: false }
    group.phrases.push(words)
    if (kind === 'phrase' && !group.isOpen) {
      group.isOpen = true
      query.required.push(group.phrases)
    }
  }
  query.terms = distinct(query.terms)
  return query
}

/** Whether a word is common is decided by the language of the whole query. */
function commonTest(text: string, languages: Language[]): Set<string> {
  const common = queryWords(text, languages).filter(({ isCommon }) => isCommon)
  return new Set(common.map(({ forms }) => forms.join(' ')))
}

function readParts(text: string): Part[] {
  return [...text.matchAll(part)].map(([written, minus, phrase, excluded, word = '']): Part => {
    if (phrase !== undefined) return { kind: minus === '-' ? 'excluded' : 'phrase', text: phrase }
    if (excluded !== undefined) return { kind: 'excluded', text: excluded }
    return /^(?:or|OR|\|)$/.test(word) ? { kind: 'or', text: written } : { kind: 'word', text: word }
  })
}
