import { isCommonWord } from '../language/common-words.ts'
import { detectLanguage } from '../language/detect-language.ts'
import type { Language } from '../language/language.ts'
import { splitWords } from '../words/split-words.ts'
import { foldCase, termFor } from '../words/term.ts'
import { isFramingWord } from './framing-words.ts'
import type { QueryTerm } from './query.ts'

/** The index terms of a word, one for each language, without duplicates. */
export function wordForms(word: string, languages: readonly Language[]): string[] {
  const known = languages.length === 0 ? (['und'] as const) : languages
  return [...new Set(known.map((language) => termFor(word, language)))].filter((form) => form !== '')
}

/** The words of a text as they are looked for in documents of these languages, in their order and as often as they occur. */
export function queryWords(text: string, languages: readonly Language[]): QueryTerm[] {
  const own = detectLanguage(text)
  const spoken = own === 'und' ? languages : [own]
  return splitWords(text).flatMap(({ text: written }, at) => {
    const word = foldCase(written).slice(0, wordCharsMax)
    const forms = wordForms(written, languages)
    const isCommon = spoken.some((language) => isCommonWord(word, language))
    const name = at > 0 && /^\p{Lu}/u.test(written) ? { isName: true } : {}
    return forms.length === 0 ? [] : [{ word, forms, isCommon, ...name }]
  })
}
const wordCharsMax = 64

const questionCharsMax = 1000
const questionTermsMax = 64

/** The words of a question, each once. It has no operators. At most 64, and common words last. */
export function questionTerms(text: string, languages: readonly Language[]): QueryTerm[] {
  const question = text.slice(0, questionCharsMax)
  const language = detectLanguage(question)
  const terms = distinct(queryWords(question, languages)).map((term) =>
    isFramingWord(term.word, language) ? { ...term, isFraming: true } : term,
  )
  return [...terms.filter(({ isCommon }) => !isCommon), ...terms.filter(({ isCommon }) => isCommon)].slice(
    0,
    questionTermsMax,
  )
}

export function distinct(terms: readonly QueryTerm[]): QueryTerm[] {
  const seen = new Set<string>()
  return terms.filter(({ forms }) => {
    const key = forms.join(' ')
    return !seen.has(key) && seen.add(key)
  })
}
