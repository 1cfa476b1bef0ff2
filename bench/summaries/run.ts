// npm run bench -- summaries [--data folder] [--write]: how close summaries come to those that people wrote of real
// meetings, which are no part of this project. They are looked for in the folder, in ATRIUM_BENCH_DATA, or in
// ../shared/data. Learns the tables of the engine again; `--write` writes them down.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { usefulnessWeights } from '../../src/summarizer/ranking/usefulness-weights.ts'
import { wordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import { readTraining, readValidation } from './data.ts'
import { learnPairs } from './learn-pairs.ts'
import { learnUsefulness, readJudged } from './learn-usefulness.ts'
import { learnWeights, readSamples, weightsInOrder } from './learn-weights.ts'
import { areaUnderCurve } from './logistic.ts'
import { measureFolds, measureSplit, renderRows } from './measure.ts'
import { measureModel } from './measure-model.ts'
import { measureOutcomes } from './measure-outcomes.ts'
import { writeTables } from './tables.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { data: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const folder = resolve(values.data ?? process.env['ATRIUM_BENCH_DATA'] ?? '../shared/data')
const [training, validation] = [readTraining(folder), readValidation(folder)]
if (training === null) console.log(`qmsum-train.tar.gz is not in ${folder}: what rests on it is left out.`)
if (validation === null) console.log(`qmsum-val is not in ${folder}: its figures are left out.`)

if (training !== null) {
  const samples = training.flatMap(readSamples)
  const weights = learnWeights(samples)
  const auc = (of: typeof samples) => areaUnderCurve(of, weightsInOrder(weights)).toFixed(3)
  console.log(`Word weights, AUC ${auc(samples)} on training, where they were learnt:`)
  if (validation !== null) console.log(`AUC ${auc(validation.flatMap(readSamples))} on validation.`)
  printTable(weights, wordWeights)
  const sentences = training.flatMap((it) => readJudged(it, weights))
  const usefulness = learnUsefulness(sentences)
  console.log(`Usefulness of ${sentences.length} judged sentences, ten-fold AUC ${usefulness.auc.toFixed(3)}:`)
  printTable(usefulness.weights, usefulnessWeights)
  if (values.write) writeTables({ words: weights, usefulness, pairs: learnPairs(training) })
}
if (!values.write) {
  if (training !== null) console.log(renderRows('Training, five-fold', measureFolds(training)))
  if (validation !== null) console.log(renderRows('Validation', measureSplit(validation)))
  if (validation !== null) console.log(measureOutcomes([...validation, ...(training ?? [])]))
  if (validation !== null) console.log(measureModel(validation))
}

function printTable(learnt: Readonly<Record<string, number>>, used: Readonly<Record<string, number>>) {
  console.table(Object.entries(learnt).map(([feature, it]) => ({ feature, learnt: it, used: used[feature] })))
}
