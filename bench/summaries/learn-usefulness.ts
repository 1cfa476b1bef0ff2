import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { analyze } from '../../src/summarizer/analysis.ts'
import { type RankedSentence, weightOf } from '../../src/summarizer/ranking/rank-sentences.ts'
import {
  type EnglishFeatures,
  englishNames,
  type UsefulnessFeatures,
  usefulnessFeatures,
  usefulnessNames,
} from '../../src/summarizer/ranking/usefulness-features.ts'
import { averageEnglish, type UsefulnessWeights } from '../../src/summarizer/ranking/usefulness-weights.ts'
import type { WordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import { mean } from '../knowledge/scores.ts'
import type { Meeting } from './data.ts'
import { areaUnderCurve, fitLogistic, type Sample } from './logistic.ts'

/** The judged sentences of each meeting, by a hash of their text: the texts themselves may not be kept here. */
const judgedFile = new URL('../../test/meetings/useful-sentences/qmsum-training.json', import.meta.url)
const judged = JSON.parse(readFileSync(judgedFile, 'utf8')) as Record<string, { useful: string[]; not: string[] }>
const markOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

const names = ['base', ...usefulnessNames]
const folds = 10

type Judged = { meeting: string; features: UsefulnessFeatures; isUseful: boolean }

/** The judged sentences that the engine still finds and might quote. */
export function readJudged({ name, transcript }: Meeting, words: WordWeights): Judged[] {
  const { useful, not } = judged[name] ?? { useful: [], not: [] }
  const { ranked, likely } = analyze({ title: '', transcript, mode: 'short', personality: 'neutral' }, words)
  const byMark = new Map(ranked.map((it) => [markOf(it.text), it]))
  const featuresOf = (it: RankedSentence) => {
    const judgedSentence = { ...it, likely: weightOf(new Set(it.terms), likely) }
    return usefulnessFeatures(judgedSentence, { language: 'en', average: averageEnglish })
  }
  return [
    ...useful.map((mark) => ({ mark, isUseful: true })),
    ...not.map((mark) => ({ mark, isUseful: false })),
  ].flatMap(({ mark, isUseful }) => {
    const it = byMark.get(mark)
    return it && it.readability !== 'fragment' ? [{ meeting: name, features: featuresOf(it), isUseful }] : []
  })
}

/** `averages`: of what only English words tell. `auc`: of each tenth of the meetings by what was learnt from the others. */
export type LearntUsefulness = { weights: UsefulnessWeights; averages: EnglishFeatures; auc: number }

export function learnUsefulness(sentences: readonly Judged[]): LearntUsefulness {
  const meetings = [...new Set(sentences.map(({ meeting }) => meeting))]
  const foldOf = new Map(meetings.map((meeting, i) => [meeting, i % folds]))
  const aucs = Array.from({ length: folds }, (_, fold) => {
    const { in: learnt = [], out = [] } = Object.groupBy(sentences, ({ meeting }) =>
      foldOf.get(meeting) === fold ? 'out' : 'in',
    )
    const weights = fitLogistic(learnt.map(toSample), names)
    return areaUnderCurve(
      out.map(toSample),
      names.map((name) => weights[name] ?? 0),
    )
  })
  const averages = englishNames.map((name) => {
    const average = mean(sentences.map(({ features }) => features[name]))
    return [name, Number(average.toFixed(3))]
  })
  return {
    weights: fitLogistic(sentences.map(toSample), names) as UsefulnessWeights,
    averages: Object.fromEntries(averages) as EnglishFeatures,
    auc: mean(aucs),
  }
}

const toSample = ({ features, isUseful }: Judged): Sample => ({
  x: [1, ...usefulnessNames.map((name) => features[name])],
  y: isUseful ? 1 : 0,
})
