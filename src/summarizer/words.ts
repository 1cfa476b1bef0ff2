import { once } from '../kernel/once.ts'

/** Words in the sense of Unicode, and for scripts without spaces those of a dictionary. */
const spaced = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['\u2019-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
// Made at its first use: that takes 30 ms.
const segmenterOf = once(() => new Intl.Segmenter('und', { granularity: 'word' }))

/** The words of a text in lower case. The dictionary is asked only where a script needs it: it is ten times slower. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase()
  if (!unspacedScript.test(lower)) return lower.match(spaced) ?? []
  const words: string[] = []
  for (const { segment, isWordLike } of segmenterOf().segment(lower)) if (isWordLike) words.push(segment)
  return words
}

/**
 * How many words a reader finds, by four usual ways of counting: between spaces, runs of letters and digits, runs of ASCII
 * letters and digits, and by the segmenter of Unicode. They differ for "don't", for numbers and for Japanese.
 */
export type WordCounts = readonly [spaces: number, runs: number, ascii: number, segments: number]

export function countWords(text: string): WordCounts {
  let segments = 0
  for (const { isWordLike } of segmenterOf().segment(text)) if (isWordLike) segments += 1
  const matches = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return [matches(/\S+/g), matches(/[\p{L}\p{M}\p{N}]+/gu), matches(/\w+/g), segments]
}

export const noWords: WordCounts = [0, 0, 0, 0]
export function addCounts(a: WordCounts, b: WordCounts): WordCounts {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

/** An English word without its commonest endings, so that "decided" and "decides" are one. Rough on purpose. */
export function stem(word: string): string {
  const plain = word.replace(/'(?:s|re|ve|ll|d|m)$/, '')
  if (plain.length < 5 || !/^[a-z-]+$/.test(plain))
    return plain.length > 3 && /[^s]s$/.test(plain) ? plain.slice(0, -1) : plain
  for (const [ending, replacement] of endings) {
    if (plain.endsWith(ending) && plain.length - ending.length >= 3) return plain.slice(0, -ending.length) + replacement
  }
  return plain
}
const endings: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ments', ''],
  ['ment', ''],
  ['ingly', ''],
  ['edly', ''],
  ['ings', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ing', ''],
  ['ers', ''],
  ['ed', ''],
  ['er', ''],
  ['es', ''],
  ['ly', ''],
  ['ness', ''],
  ['s', ''],
  ['e', ''],
]
