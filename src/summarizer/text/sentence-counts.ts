// Text in, its number of sentences by three ways of counting out.

import { once } from '../../kernel/once.ts'

// Created at its first use, because that takes 30 ms.
const sentenceSegmenter = once(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

/**
 * The number of sentences by three usual ways of counting: Unicode's segmenter, an end mark before a space, and any end
 * mark.
 */
export function countSentences(text: string): [segments: number, spaced: number, marks: number] {
  const withLetters = (parts: readonly string[]) => parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).length
  return [
    withLetters([...sentenceSegmenter().segment(text)].map(({ segment }) => segment)),
    withLetters(text.split(/(?<![.!?])[.!?]+\s+/)),
    withLetters(text.split(/[.!?]+/)),
  ]
}
