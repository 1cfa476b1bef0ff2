import { readFileSync, writeFileSync } from 'node:fs'
import type { WordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import type { LearntUsefulness } from './learn-usefulness.ts'

const weightsFile = new URL('../../src/summarizer/ranking/word-weights.ts', import.meta.url)
const usefulnessFile = new URL('../../src/summarizer/ranking/usefulness-weights.ts', import.meta.url)
const pairsFile = new URL('../../src/summarizer/language/function-word-pairs.ts', import.meta.url)

type Learnt = { words: WordWeights; usefulness: LearntUsefulness; pairs: readonly string[] }

/** Replaces the rows of all tables by what was learnt. */
export function writeTables({ words, usefulness, pairs }: Learnt): void {
  replaceRows(weightsFile, /(?<=WordWeights = \{)[^}]*(?=\})/, rowsOf(words))
  replaceRows(usefulnessFile, /(?<=: UsefulnessWeights = \{)[^}]*(?=\})/, rowsOf(usefulness.weights))
  replaceRows(usefulnessFile, /(?<=<EnglishFeatures> = \{)[^}]*(?=\})/, rowsOf(usefulness.averages))
  replaceRows(
    pairsFile,
    /(?<=string\[\] = \[)[^\]]*(?=\])/,
    pairs.map((row) => `  '${row}',`),
  )
}

const rowsOf = (table: Readonly<Record<string, number>>) =>
  Object.entries(table).map(([name, value]) => `  ${name}: ${value},`)

function replaceRows(file: URL, rows: RegExp, lines: readonly string[]): void {
  const text = readFileSync(file, 'utf8')
  if (!rows.test(text)) throw new Error(`No table like ${rows} in ${file.pathname}`)
  writeFileSync(file, text.replace(rows, `\n${lines.join('\n')}\n`))
}
