// A spoken sentence in, how probable it is that a reader finds it readable and useful out.

import { type JudgedSentence, type UsefulnessFeatures, usefulnessFeatures } from './usefulness-features.ts'
import { averageEnglish, usefulnessWeights } from './usefulness-weights.ts'

/** From 0 to 1; 0 for a fragment. */
export function usefulnessOf(sentence: JudgedSentence, language: string): number {
  if (sentence.readability === 'fragment') return 0
  const features = usefulnessFeatures(sentence, { language, average: averageEnglish })
  let sum = usefulnessWeights.base
  for (const [name, value] of Object.entries(features))
    sum += usefulnessWeights[name as keyof UsefulnessFeatures] * value
  return 1 / (1 + Math.exp(-sum))
}
