// Data: how much each feature of a word says about whether a person's summary of the meeting contains it.

import type { wordFeatureNames } from './word-features.ts'

export type WordWeights = Readonly<Record<'base' | (typeof wordFeatureNames)[number], number>>

/**
 * Learnt by logistic regression from the 162 meetings of the training split of QMSum (MIT License, Yale-LILY/QMSum at
 * 83d7768) and their summaries. `npm run bench -- summaries` learns and reports them again.
 */
export const wordWeights: WordWeights = {
  base: -4.09,
  count: 0.573,
  shareOfMost: 2.851,
  speakers: -0.126,
  isNoTopic: -0.316,
  isMeetingWord: 1.316,
  capital: -0.342,
  pairs: 0.253,
  importance: 0.6,
  length: 0.806,
  firstPosition: -0.777,
}
