import { once } from '../../kernel/once.ts'
import type { Language } from '../language/language.ts'
import { termFor } from '../words/term.ts'

/** Words by which a question says what it wants to know of a subject, or who spoke of it. Answers rarely have them. */
const words: Partial<Record<Language, string>> = {
  en: `discuss discussion talk mention say said think thought summarize summarise opinion attitude view describe explain according
    regarding concerning towards introduce conclusion agree agreement suggest suggestion propose recommend decide decision believe
    respond reason feel want idea meeting team group participants`,
  de: `besprechen besprochen besprechung diskutieren diskutiert diskussion erwähnen erwähnt sagen sagte gesagt denken dachte gedacht
    zusammenfassen zusammenfassung meinung ansicht haltung beschreiben erklären laut bezüglich hinsichtlich schlussfolgerung einigen
    vorschlagen vorschlag empfehlen entscheiden entscheidung beschließen glauben reagieren grund idee team gruppe teilnehmer`,
}

const termsOf = (language: Language) =>
  once(() => new Set((words[language] ?? '').split(/\s+/).map((word) => termFor(word, language))))
const terms: Partial<Record<Language, () => Set<string>>> = { en: termsOf('en'), de: termsOf('de') }

export function isFramingWord(word: string, language: Language): boolean {
  return terms[language]?.().has(termFor(word, language)) ?? false
}
