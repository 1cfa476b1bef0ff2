// The sentences of a meeting in, the resolutions that a chair moved and nobody opposed out.

import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { resolutionAsked, resolutionMoved } from './decision-cues.ts'

const sentencesMax = 4
const opposed = /\b(?:no|object|objection|against|oppose|disagree|not content)\b/i

/**
 * "Can I propose, under standing order 17, that the committee resolves to meet in private? Are members content? Thank
 * you." By index, with the entries that answer.
 */
export function findResolutions(sentences: readonly SpokenSentence[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [at, it] of sentences.entries()) {
    if (!resolutionMoved.test(it.text)) continue
    const next = sentences.slice(at + 1, at + 1 + sentencesMax).filter(({ entry }) => entry - it.entry <= 1)
    const asked = next.findIndex(({ text }) => resolutionAsked.test(text))
    const isOpposed = next
      .slice(asked + 1, asked + 2)
      .some(({ text, words }) => words.length <= 8 && opposed.test(text))
    if (asked >= 0 && !isOpposed)
      found.set(
        at,
        next.slice(0, asked + 2).map(({ entry }) => entry),
      )
  }
  return found
}
