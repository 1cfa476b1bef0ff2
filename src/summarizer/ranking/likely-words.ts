// The record of a meeting in, the words that a person's summary of it would probably contain out.

import type { MeetingRecord } from '../sentences/meeting-record.ts'
import { type WordFeatures, wordFeatureNames, wordFeatures } from './word-features.ts'
import { type WordWeights, wordWeights } from './word-weights.ts'

/** The probability of each stem, from 0 to 1. */
export type LikelyWords = ReadonlyMap<string, number>

export function likelyWords(record: MeetingRecord, weights: WordWeights = wordWeights): LikelyWords {
  return new Map(
    wordFeatures(record)
      .entries()
      .map(([term, it]) => [term, probability(it, weights)]),
  )
}

function probability(features: WordFeatures, weights: WordWeights): number {
  const sum = wordFeatureNames.reduce((total, name) => total + weights[name] * features[name], weights.base)
  return 1 / (1 + Math.exp(-sum))
}
