// A spoken sentence in, how probable it is that a reader finds it readable and useful out.

import { listener, type Readability, speaker } from './readability.ts'

const featureNames = [
  'length',
  'topical',
  'likely',
  'isWeak',
  'isOfSpeaker',
  'isToListener',
  'talk',
  'startsWithVerb',
  'startsWithPreposition',
  'newSubjects',
  'hasAuxiliary',
] as const
type Features = Readonly<Record<(typeof featureNames)[number], number>>

/**
 * Learnt by logistic regression from 710 sentences of the training split of QMSum (MIT License, Yale-LILY/QMSum at
 * 83d7768). A reader judged each of them, quoted alone: AUC 0.72 on meetings that were left out.
 */
const weights: Features & { base: number } = {
  base: -3.15,
  length: 1.06,
  topical: 0.051,
  likely: 0.496,
  isWeak: -1.22,
  isOfSpeaker: -0.65,
  isToListener: -0.7,
  talk: -0.56,
  startsWithVerb: -0.86,
  startsWithPreposition: -0.38,
  newSubjects: -0.69,
  hasAuxiliary: 0.57,
}
const topicalMax = 8

/** What people do in any meeting. */
const talk =
  /\b(?:say|saying|said|talk|talked|talking|discuss|discussed|discussing|tell|told|show|ask|asked|mention|mentioned|meeting|questions?|ideas?|present|presented|look|looking|email|information|decide|decided|decision|point|discussion|conversation)\b/gi
const verbAtStart = /^\w+(?:ing|ed)\b/i
const prepositionAtStart = /^(?:in|on|at|for|with|by|from|of|to|after|before|under)\b/i
const auxiliary = /\b(?:is|are|was|were|has|have|will|can|should|must|could|would)\b/i
/**
 * "My design we need", "we just keep we don't keep": a subject where no clause begins. A clause begins after a comma and
 * after these words.
 */
const newSubject =
  /(?<![,\p{L}\p{N}'])(?!(?:that|if|when|which|what|because|and|but|so|think|how|where|as|than|why|know|say|mean|guess|hope|who|whether|until|before|after|while|though|although|or|then|since|once|like|wherever|whatever|unless|thing|said|see|suppose|believe|sure|do|does|did|can|could|should|would|will|are|were|is|was|have|had|may|might|must|shall|don't|didn't) )[\p{L}\p{N}']+ (?:we|i|they|he|she)(?:'\p{L}+)?(?![\p{L}'])/giu

/** What only English words tell. */
type EnglishFeatures = Omit<Features, 'length' | 'topical' | 'likely' | 'isWeak'>

const englishFeatures = (text: string): EnglishFeatures => ({
  isOfSpeaker: Number(speaker.test(text)),
  isToListener: Number(listener.test(text)),
  talk: text.match(talk)?.length ?? 0,
  startsWithVerb: Number(verbAtStart.test(text)),
  startsWithPreposition: Number(prepositionAtStart.test(text)),
  newSubjects: text.match(newSubject)?.length ?? 0,
  hasAuxiliary: Number(auxiliary.test(text)),
})

/** Those of an average sentence of the training split: sentences in other languages differ by the other features alone. */
const averageFeatures: EnglishFeatures = {
  isOfSpeaker: 0.3,
  isToListener: 0.22,
  talk: 0.2,
  startsWithVerb: 0,
  startsWithPreposition: 0.02,
  newSubjects: 0.14,
  hasAuxiliary: 0.57,
}

/** From 0 to 1. `topical`: how many different words can be a topic. `likely`: how many words of a person's summary it has, as far as is expected. */
export function usefulnessOf(
  { text, words }: { text: string; words: readonly string[] },
  {
    topical,
    likely,
    readability,
    language,
  }: { topical: number; likely: number; readability: Readability; language: string },
): number {
  if (readability === 'fragment') return 0
  const features: Features = {
    length: Math.log(words.length),
    topical: Math.min(topical, topicalMax),
    likely,
    isWeak: Number(readability === 'weak'),
    ...(language === 'en' ? englishFeatures(text) : averageFeatures),
  }
  const sum = featureNames.reduce((total, name) => total + weights[name] * features[name], weights.base)
  return 1 / (1 + Math.exp(-sum))
}
