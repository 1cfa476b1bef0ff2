import { once } from '../../kernel/once.ts'

// Made at its first use: that takes 30 ms.
const sentenceSegmenter = once(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

/**
 * How many sentences a reader finds, by three usual ways of counting: the segmenter of Unicode, an end mark before a space,
 * and any end mark at all.
 */
export function countSentences(text: string): [segments: number, spaced: number, marks: number] {
  const withLetters = (parts: readonly string[]) => parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).length
  return [
    withLetters([...sentenceSegmenter().segment(text)].map(({ segment }) => segment)),
    withLetters(text.split(/[.!?]+\s+/)),
    withLetters(text.split(/[.!?]+/)),
  ]
}
