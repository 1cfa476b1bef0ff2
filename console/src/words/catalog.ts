// Every folder has its words in a catalog, `words.ts`, and in nothing else. A sentence stays whole there: what is put into it
// are arguments of a function, or parts of `rich.tsx`.

type Word = string | ((...values: never[]) => string) | { readonly [name: string]: Word }

/**
 * A language for tests: words are a third longer, each letter has an accent, and all runs from right to left. A letter
 * without an accent is then data, or a word that bypassed the catalogs.
 */
export const isPseudo = localStorage.getItem('atrium-language') === 'ar-XB'

export function catalog<Words extends Record<string, Word>>(words: Words): Words {
  return isPseudo ? (pseudo(words) as Words) : words
}

function pseudo(word: Word): Word {
  if (typeof word === 'string') return pseudoText(word)
  if (typeof word === 'function') return (...values: never[]) => pseudoText(word(...values))
  return Object.fromEntries(Object.entries(word).map(([name, each]) => [name, pseudo(each)]))
}

/** The names of parts stay as they are. */
function pseudoText(text: string): string {
  return text.replace(/<\w+\/?>|<\/\w+>|[A-Za-z]+/g, (found) => (found.startsWith('<') ? found : longer(found)))
}

function longer(word: string): string {
  const end = word.length > 3 ? word.slice(-Math.ceil(word.length / 3)) : ''
  return (word + end).replace(/./g, '$&\u0301')
}

const rules = new Intl.PluralRules('en')
const number = new Intl.NumberFormat()

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** The form for a number; `#` stands for the number. */
export function plural(count: number, forms: Forms): string {
  return (forms[rules.select(count)] ?? forms.other).replace('#', number.format(count))
}
