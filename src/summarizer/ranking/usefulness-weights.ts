// Data: how much each feature of a sentence says about whether a reader finds it readable and useful.

import type { EnglishFeatures, UsefulnessFeatures } from './usefulness-features.ts'

export type UsefulnessWeights = Readonly<UsefulnessFeatures & { base: number }>

/**
 * Learnt by logistic regression from 2,195 sentences of the training split of QMSum (MIT License, Yale-LILY/QMSum at
 * 83d7768) that a reader judged alone. `npm run bench -- summaries` learns and reports them again.
 */
export const usefulnessWeights: UsefulnessWeights = {
  base: -4.343,
  length: 0.684,
  contentWords: 1.015,
  likely: 0.47,
  isWeak: -0.54,
  commas: -4.604,
  process: -0.485,
  vague: -0.371,
  value: 0.274,
  opinion: 0.378,
  figure: 0.159,
  not: 0.173,
  must: 0.428,
  is: 0.317,
  past: -0.14,
  we: 0.226,
  doings: -0.447,
  ordinals: -0.86,
  clauses: -0.157,
  capitals: -0.132,
  hasAuxiliary: 0.322,
  isOfSpeaker: -0.355,
  startsWithI: 0.292,
  startsWithWe: 0.695,
  startsWithArticle: 0.335,
  startsWithCondition: 0.753,
  startsWithPreposition: 0.361,
  functionWords: -2.264,
  wordLength: 0.222,
}

/** Of these sentences on average: what stands in for English words where a sentence is in another language. */
export const averageEnglish: Readonly<EnglishFeatures> = {
  process: 0.361,
  vague: 0.398,
  value: 0.481,
  opinion: 0.145,
  figure: 0.181,
  not: 0.173,
  must: 0.169,
  is: 0.585,
  past: 0.113,
  we: 0.505,
  doings: 0.092,
  ordinals: 0.005,
  clauses: 0.902,
  capitals: 0.22,
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
