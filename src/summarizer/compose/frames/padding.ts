// A language in, the sentences out that fill a detailed summary of a small meeting.

import { type Padding, paddingEnglish } from './padding-english.ts'
import { paddingFrench } from './padding-french.ts'
import { paddingGerman } from './padding-german.ts'
import { paddingItalian } from './padding-italian.ts'
import { paddingSpanish } from './padding-spanish.ts'

const paddings: Readonly<Record<string, Padding>> = {
  de: paddingGerman,
  en: paddingEnglish,
  es: paddingSpanish,
  fr: paddingFrench,
  it: paddingItalian,
}

const other: Padding = {
  ...paddingEnglish,
  facts: {
    ...paddingEnglish.facts,
    language:
      'Sentences are quoted in the language in which they were spoken, while the text around them is in English.',
  },
}

export const paddingFor = (language: string): Padding =>
  language === 'und' ? other : (paddings[language.split('-')[0] ?? ''] ?? other)
