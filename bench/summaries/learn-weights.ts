import { splitWords, stem } from '../../src/summarizer/language/words.ts'
import { wordFeatureNames, wordFeatures } from '../../src/summarizer/ranking/word-features.ts'
import type { WordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import { readRecord } from '../../src/summarizer/sentences/meeting-record.ts'
import type { Meeting } from './data.ts'
import { fitLogistic, type Sample } from './logistic.ts'

const names = ['base', ...wordFeatureNames] as const

/** What is known of each word, and whether the person's summary contains it. */
export function readSamples({ transcript, summary }: Meeting): Sample[] {
  const written = new Set(splitWords(summary).map(stem))
  const features = wordFeatures(readRecord({ title: '', transcript, mode: 'short', personality: 'neutral' }))
  return [...features].map(([term, it]) => ({
    x: [1, ...wordFeatureNames.map((name) => it[name])],
    y: written.has(term) ? 1 : 0,
  }))
}

export const learnWeights = (samples: readonly Sample[]) => fitLogistic(samples, names) as WordWeights
export const weightsInOrder = (weights: WordWeights) => names.map((name) => weights[name])
