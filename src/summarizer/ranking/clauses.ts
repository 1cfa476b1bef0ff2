// A long sentence in, those of its clauses out that can stand alone.

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
const wordsMin = 16
const clauseWordsMin = 8

/**
 * Empty where the sentence is short. What follows a condition would be said without it, so it is left out. `isOpen`: the
 * last clause was not said to its end.
 */
export function splitAtClauses(
  { text, isQuestion, isOpen }: { text: string; isQuestion: boolean; isOpen: boolean },
  language: string,
): string[] {
  const boundary = boundaries[language.split('-')[0] ?? '']
  const length = text.split(' ').length
  if (!boundary || length < (isOpen ? clauseWordsMin : wordsMin) || isQuestion) return []
  const clauses = text.split(boundary)
  const condition = clauses.findIndex((clause) => depends.test(clause))
  const whole = isOpen ? clauses.slice(0, -1) : clauses.length < 2 ? [] : clauses
  return whole
    .slice(0, condition < 0 ? undefined : condition)
    .filter((clause) => clause.split(' ').length >= clauseWordsMin)
}
