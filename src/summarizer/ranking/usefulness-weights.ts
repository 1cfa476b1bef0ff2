// Data: how much each feature of a sentence says about whether a reader finds it readable and useful.

import type { EnglishFeatures, UsefulnessFeatures } from './usefulness-features.ts'

export type UsefulnessWeights = Readonly<UsefulnessFeatures & { base: number }>

/**
 * Learnt by logistic regression from sentences of the training split of QMSum (MIT License, Yale-LILY/QMSum at 83d7768)
 * that readers judged, each alone: test/meetings/useful-sentences. `npm run bench -- summaries` learns and reports them again.
 */
export const usefulnessWeights: UsefulnessWeights = {
  base: -4.344,
  length: 0.688,
  contentWords: 1.011,
  likely: 0.473,
  isWeak: -0.539,
  commas: -4.613,
  process: -0.485,
  vague: -0.37,
  value: 0.273,
  opinion: 0.38,
  figure: 0.159,
  not: 0.17,
  must: 0.427,
  is: 0.317,
  past: -0.134,
  we: 0.225,
  doings: -0.445,
  ordinals: -0.859,
  clauses: -0.156,
  capitals: -0.128,
  hasAuxiliary: 0.324,
  isOfSpeaker: -0.356,
  startsWithI: 0.296,
  startsWithWe: 0.697,
  startsWithArticle: 0.337,
  startsWithCondition: 0.755,
  startsWithPreposition: 0.369,
  functionWords: -2.276,
  wordLength: 0.222,
}

/** The average of the English features over these sentences. Sentences in other languages have it instead. */
export const averageEnglish: Readonly<EnglishFeatures> = {
  process: 0.36,
  vague: 0.397,
  value: 0.481,
  opinion: 0.144,
  figure: 0.181,
  not: 0.173,
  must: 0.169,
  is: 0.586,
  past: 0.112,
  we: 0.505,
  doings: 0.092,
  ordinals: 0.005,
  clauses: 0.902,
  capitals: 0.219,
  hasAuxiliary: 0.748,
  isOfSpeaker: 0.213,
  startsWithI: 0.152,
  startsWithWe: 0.198,
  startsWithArticle: 0.185,
  startsWithCondition: 0.037,
  startsWithPreposition: 0.046,
  functionWords: 0.488,
  wordLength: 4.581,
}
