import { readFileSync, writeFileSync } from 'node:fs'
import type { WordWeights } from '../../src/summarizer/ranking/word-weights.ts'

const weightsFile = new URL('../../src/summarizer/ranking/word-weights.ts', import.meta.url)
const pairsFile = new URL('../../src/summarizer/language/function-word-pairs.ts', import.meta.url)

/** Replaces the rows of both tables by what was learnt. */
export function writeTables(weights: WordWeights, pairs: readonly string[]): void {
  const lines = Object.entries(weights).map(([name, weight]) => `  ${name}: ${weight},`)
  replaceRows(weightsFile, /(?<=WordWeights = \{)[^}]*(?=\})/, lines)
  replaceRows(
    pairsFile,
    /(?<=string\[\] = \[)[^\]]*(?=\])/,
    pairs.map((row) => `  '${row}',`),
  )
}

function replaceRows(file: URL, rows: RegExp, lines: readonly string[]): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(rows, `\n${lines.join('\n')}\n`))
}
