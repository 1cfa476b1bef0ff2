// Text in, its words or the stem of one word out.

import { once } from '../../kernel/once.ts'

/** Words by Unicode's definition. Scripts without spaces need a dictionary. */
const spaced = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['\u2019-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
// Created at its first use, because that takes 30 ms.
export const wordSegmenter = once(() => new Intl.Segmenter('und', { granularity: 'word' }))

/** The words of a text in lower case. The dictionary is used only for scripts that need it: it is ten times slower. */
export function splitWords(text: string): string[] {
  const lower = text.toLowerCase()
  if (!unspacedScript.test(lower)) return lower.match(spaced) ?? []
  const words: string[] = []
  for (const { segment, isWordLike } of wordSegmenter().segment(lower)) if (isWordLike) words.push(segment)
  return words
}

/** An English word without its most common endings, so that "decided" and "decides" are equal. Deliberately rough. */
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
