import { once } from '../../kernel/once.ts'
import { commonWords, spacedLanguages } from './common-words.ts'
import type { Language } from './language.ts'

/** How much of a text is read: as much from its beginning, its middle and its end. */
const sampleChars = 6000

/** Scripts that show one language. Japanese stands before Chinese, because it uses Chinese letters too. */
const scripts: readonly (readonly [RegExp, Language, number])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja', 0.15],
  [/\p{Script=Hangul}/gu, 'ko', 0.4],
  [/\p{Script=Han}/gu, 'zh', 0.4],
  [/\p{Script=Thai}/gu, 'th', 0.4],
  [/\p{Script=Greek}/gu, 'el', 0.4],
  [/\p{Script=Armenian}/gu, 'hy', 0.4],
  [/\p{Script=Tamil}/gu, 'ta', 0.4],
]

/** For each common word, in how many languages it is one: "de" shows little, "zwischen" much. */
const sharedBy = once(() => {
  const counts = new Map<string, number>()
  for (const language of spacedLanguages)
    for (const word of commonWords(language)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
})

/** The share of words that must be common ones of the language. Running text has 0.3 and more, lists and tables less. */
const shareMin = 0.06

/** The language of a text by its script and its function words. Reads at most 6,000 characters. */
export function detectLanguage(text: string): Language {
  const sample = sampleOf(text).normalize('NFKC').toLowerCase()
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return 'und'
  for (const [pattern, language, share] of scripts)
    if ((sample.match(pattern)?.length ?? 0) >= letters * share) return language
  const words = sample.match(/[\p{L}\p{M}]+/gu) ?? []
  const best = spacedLanguages
    .map((language) => ({ language, score: commonShare(words, language) }))
    .reduce((a, b) => (b.score > a.score ? b : a))
  return best.score >= shareMin ? best.language : 'und'
}

function commonShare(words: readonly string[], language: Language): number {
  const weights = sharedBy()
  const common = commonWords(language)
  const letters = ownLetters[language]
  let sum = 0
  for (const word of words) {
    if (letters?.test(word)) sum += 1
    if (common.has(word) && !isConsonant.test(word)) sum += 1 / Math.sqrt(weights.get(word) ?? 1)
  }
  return sum / words.length
}

/** Letters that tell neighbouring languages apart. */
const ownLetters: Partial<Record<Language, RegExp>> = {
  pt: /[ãõ]/,
  es: /ñ/,
  ro: /[șțăşţ]/,
  tr: /[ığş]/,
  hu: /[őű]/,
  uk: /[іїєґ]/,
  vi: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/,
  da: /[æø]/,
  no: /[æø]/,
}

/** "x" and "b" stand on some lists, but are names of things. */
const isConsonant = /^[b-df-hj-np-tv-xz]$/

function sampleOf(text: string): string {
  if (text.length <= sampleChars) return text
  const third = sampleChars / 3
  const middle = Math.floor(text.length / 2)
  return `${text.slice(0, third)} ${text.slice(middle, middle + third)} ${text.slice(-third)}`
}
