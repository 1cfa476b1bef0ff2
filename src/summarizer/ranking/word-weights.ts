// Data: how much each feature of a word says about whether a person's summary of the meeting contains it.

import type { wordFeatureNames } from './word-features.ts'

export type WordWeights = Readonly<Record<'base' | (typeof wordFeatureNames)[number], number>>

/**
 * Learnt by logistic regression from the 162 meetings of the training split of QMSum (MIT License, Yale-LILY/QMSum at
 * 83d7768) and their summaries. `npm run bench -- summaries` learns and reports them again.
 */
export const wordWeights: WordWeights = {
  base: -4.055,
  count: 0.566,
  shareOfMost: 2.92,
  speakers: -0.117,
  isNoTopic: -0.342,
  isMeetingWord: 1.316,
  capital: -0.403,
  pairs: 0.226,
  importance: 0.607,
  length: 0.762,
  firstPosition: -0.776,
}
