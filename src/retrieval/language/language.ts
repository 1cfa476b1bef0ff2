/** ISO 639-1, or `und` where nothing shows the language. */
export type Language =
  | 'ar'
  | 'bg'
  | 'da'
  | 'de'
  | 'el'
  | 'en'
  | 'es'
  | 'fi'
  | 'fr'
  | 'ga'
  | 'hi'
  | 'hu'
  | 'hy'
  | 'id'
  | 'it'
  | 'ja'
  | 'ko'
  | 'lt'
  | 'ne'
  | 'nl'
  | 'no'
  | 'pt'
  | 'ro'
  | 'ru'
  | 'sr'
  | 'sv'
  | 'ta'
  | 'th'
  | 'tr'
  | 'uk'
  | 'und'
  | 'vi'
  | 'zh'

/** What `@orama/stemmers` and `@orama/stopwords` call the languages that both know. */
export const packageNames = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
} as const satisfies Partial<Record<Language, string>>

export type StemmedLanguage = keyof typeof packageNames

export const stemmedLanguages = Object.keys(packageNames) as StemmedLanguage[]

export const isStemmed = (language: Language): language is StemmedLanguage => Object.hasOwn(packageNames, language)
