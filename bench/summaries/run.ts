// npm run bench -- summaries [--data folder] [--write]: how close summaries come to those that people wrote of real
// meetings, which are no part of this project. They are looked for in the folder, in ATRIUM_BENCH_DATA, or in
// ../shared/data. Learns the tables of the engine again; `--write` writes them down.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { wordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import { readTraining, readValidation } from './data.ts'
import { learnPairs } from './learn-pairs.ts'
import { areaUnderCurve, learnWeights, readSamples } from './learn-weights.ts'
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
  console.log(`Word weights, AUC ${areaUnderCurve(samples, weights).toFixed(3)} on training, where they were learnt:`)
  if (validation !== null)
    console.log(`AUC ${areaUnderCurve(validation.flatMap(readSamples), weights).toFixed(3)} on validation.`)
  console.table(
    Object.entries(weights).map(([feature, learnt]) => ({
      feature,
      learnt,
      used: wordWeights[feature as keyof typeof wordWeights],
    })),
  )
  if (values.write) writeTables(weights, learnPairs(training))
}
if (!values.write) {
  if (training !== null) console.log(renderRows('Training, five-fold', measureFolds(training)))
  if (validation !== null) console.log(renderRows('Validation', measureSplit(validation)))
  if (validation !== null) console.log(measureOutcomes([...validation, ...(training ?? [])]))
  if (validation !== null) console.log(measureModel(validation))
}
