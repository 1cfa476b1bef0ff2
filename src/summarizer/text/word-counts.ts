// Text in, its number of words by four ways of counting out.

import { wordSegmenter } from '../language/words.ts'

/**
 * The number of words by four usual ways of counting: between spaces, runs of letters and digits, runs of ASCII letters
 * and digits, and Unicode's segmenter. They differ for "don't", for numbers and for Japanese.
 */
export type WordCounts = readonly [spaces: number, runs: number, ascii: number, segments: number]

export function countWords(text: string): WordCounts {
  let segments = 0
  for (const { isWordLike } of wordSegmenter().segment(text)) if (isWordLike) segments += 1
  const matches = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return [matches(/\S+/g), matches(/[\p{L}\p{M}\p{N}]+/gu), matches(/\w+/g), segments]
}

export const noWords: WordCounts = [0, 0, 0, 0]
/** `a` and `b` together, without `gone`. */
export function addCounts(a: WordCounts, b: WordCounts, gone = noWords): WordCounts {
  return [a[0] + b[0] - gone[0], a[1] + b[1] - gone[1], a[2] + b[2] - gone[2], a[3] + b[3] - gone[3]]
}
