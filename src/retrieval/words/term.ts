import { createRequire } from 'node:module'
import { isStemmed, type Language, packageNames, type StemmedLanguage } from '../language/language.ts'
import { normalizeNumber } from './split-words.ts'

const require = createRequire(import.meta.url)

type Stemmer = (word: string) => string

const termCharsMax = 64
/** What is remembered of a language's words: their stems cost 3 to 8 µs each, and most words of a text are a few thousand. */
const rememberedMax = 10_000
const rememberedCharsMax = 24

/** Pure functions with a memory each: nothing is loaded before a language's first word. */
const termsByLanguage = new Map<Language, (word: string) => string>()

/** The index term of a word in a text of this language: lower case, without accents, its stem. At most 64 characters. */
export function termFor(word: string, language: Language): string {
  const known = termsByLanguage.get(language) ?? remembering(language)
  return known(word)
}

function remembering(language: Language): (word: string) => string {
  const stem = isStemmed(language) ? loadStemmer(language) : (word: string) => word
  const remembered = new Map<string, string>()
  const term = (word: string) => {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const made = makeTerm(word, stem, language)
    if (word.length > rememberedCharsMax) return made
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(word, made)
    return made
  }
  termsByLanguage.set(language, term)
  return term
}

function loadStemmer(language: StemmedLanguage): Stemmer {
  return (require(`@orama/stemmers/${packageNames[language]}`) as { stemmer: Stemmer }).stemmer
}

/** Lower case by Unicode's folding: "ß" is "ss", full-width letters are usual ones. Keeps accents, which stemmers read. */
export const foldCase = (word: string): string => word.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC')

function makeTerm(word: string, stem: Stemmer, language: Language): string {
  const folded = [...foldCase(word)].slice(0, termCharsMax).join('')
  if (/^\p{Nd}/u.test(folded)) return normalizeNumber(folded).slice(0, termCharsMax)
  return (withoutAccents(stem(folded), language) || folded).slice(0, termCharsMax)
}

/** "café" is "cafe" to those who type it so. Vietnamese words differ in nothing but their marks. */
function withoutAccents(word: string, language: Language): string {
  if (language === 'vi' || !/[\u00c0-\u024f\u0370-\u04ff\u1e00-\u1fff]/.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}
