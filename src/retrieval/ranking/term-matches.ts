import type { Language } from '../language/language.ts'
import type { CountedTerm } from '../query/query.ts'
import { splitWords } from '../words/split-words.ts'
import { termFor } from '../words/term.ts'

/** A word that matches a term of the question. `degree`: 1 for the same term, less for a word that contains or begins it. */
export type Match = { term: number; degree: number }

/** A word of a passage with what it matches. UTF-16 offsets in the passage's text. */
export type MatchedWord = { start: number; end: number; matches: readonly Match[] }

const none: readonly Match[] = []
/** Shorter words begin like too many others. */
const prefixCharsMin = 5
const partCharsMin = 4

/** Finds the terms of a question in texts, compounds and related words too. It remembers words: passages repeat them. */
export function termMatcher(terms: readonly CountedTerm[]): (text: string, language: Language) => MatchedWord[] {
  const byForm = new Map<string, number>()
  for (const [i, { forms }] of terms.entries()) for (const form of forms) if (!byForm.has(form)) byForm.set(form, i)
  const longForms = terms.flatMap(({ forms, isCommon }, term) =>
    isCommon ? [] : forms.filter((form) => form.length >= partCharsMin).map((form) => ({ form, term })),
  )
  const remembered = new Map<string, readonly Match[]>()
  const matchesOf = (word: string): readonly Match[] => {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const exact = byForm.get(word)
    const found = exact !== undefined ? [{ term: exact, degree: 1 }] : relatedTo(word, longForms)
    remembered.set(word, found)
    return found
  }
  return (text, language) =>
    splitWords(text).map(({ text: word, start, end }) => ({ start, end, matches: matchesOf(termFor(word, language)) }))
}

/** Compounds ("Verteidigung" in "Landesverteidigung") and words with the same beginning ("navigate", "navigation"). */
function relatedTo(word: string, forms: readonly { form: string; term: number }[]): readonly Match[] {
  if (word.length < partCharsMin || /^\p{N}/u.test(word)) return none
  const found = forms.flatMap(({ form, term }): Match[] => {
    const degree = relation(word, form)
    return degree === 0 ? [] : [{ term, degree }]
  })
  return found.length === 0 ? none : found
}

/** Whether one index term is a part of the other, or both begin alike. */
export const areRelated = (a: string, b: string): boolean => relation(a, b) > 0

function relation(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < partCharsMin || /^\p{N}/u.test(short)) return 0
  const isPart = long.startsWith(short) || long.endsWith(short)
  if (isPart && long.length - short.length >= 3) return 0.6
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared += 1
  return shared >= prefixCharsMin && shared >= 0.7 * short.length ? 0.7 : 0
}
