// Texts in, the language they are written in out.

import { scripts, stopWords } from './stop-words.ts'
import { splitWords } from './words.ts'

/** How many characters are read to detect the language, taken from the beginning, the middle and the end. */
const sampleSizeChars = 6000

/** Returns a BCP 47 language tag, or `und` where nothing shows the language. */
export function detectLanguage(texts: readonly string[]): string {
  const text = sampleText(texts)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return 'und'
  for (const [pattern, language] of scripts) {
    // Japanese mixes scripts, so a fifth of its own letters is enough.
    if ((text.match(pattern)?.length ?? 0) > letters * (language === 'ja' ? 0.2 : 0.4)) return language
  }
  const words = splitWords(text)
  let best = { language: 'und', hits: Math.max(1, words.length * 0.08) }
  for (const [language, set] of Object.entries(stopWords)) {
    const hits = words.filter((word) => set.has(word)).length
    if (hits > best.hits) best = { language, hits }
  }
  return best.language
}

function sampleText(texts: readonly string[]): string {
  const third = sampleSizeChars / 3
  return [0, Math.floor(texts.length / 2), Math.max(0, texts.length - 40)]
    .map((from) => firstChars(texts, from, third))
    .join(' ')
}

function firstChars(texts: readonly string[], from: number, max: number): string {
  let sample = ''
  for (let i = from; i < texts.length && sample.length < max; i += 1) sample += ` ${texts[i]?.slice(0, max)}`
  return sample.slice(0, max)
}
