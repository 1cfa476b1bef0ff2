// A long sentence in, those of its clauses out that can stand alone.

import type { SpokenSentence } from '../sentences/meeting-record.ts'

const subject =
  "(?:i|we|you|they|he|she|it|the|there|this|that|these|those|our|my|people|everybody|i'm|we're|it's|that's|there's|they're)"
const boundaries: Readonly<Record<string, RegExp>> = {
  en: new RegExp(
    `(?:[,;] (?:and |but |so |because |or )?(?=${subject} )| (?:and|but|so|because) (?=${subject} ))`,
    'giu',
  ),
  de: /[,;] (?:aber|und|denn|sondern) (?=\p{L})/giu,
  fr: /[,;] (?:mais|et|donc|car) (?=\p{L})/giu,
  es: /[,;] (?:pero|y|porque|así que) (?=\p{L})/giu,
  it: /[,;] (?:ma|e|perché|quindi) (?=\p{L})/giu,
}
/** What follows these is only true under a condition, or only what somebody thinks. */
const depends = /\b(?:if|whether|unless|when|suppose|imagine|wenn|falls|ob|si|se|cuando|quand|quando)\b/i
const wordsMin = 18
const clauseWordsMin = 8

/** Empty where the sentence is short, or where a condition in it would be lost. */
export function splitAtClauses({ text, words, isQuestion }: SpokenSentence, language: string): string[] {
  const boundary = boundaries[language.split('-')[0] ?? '']
  if (!boundary || words.length < wordsMin || isQuestion || depends.test(text)) return []
  const clauses = text.split(boundary)
  return clauses.length < 2 ? [] : clauses.filter((clause) => clause.split(' ').length >= clauseWordsMin)
}
