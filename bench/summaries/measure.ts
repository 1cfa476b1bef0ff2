import type { WordWeights } from '../../src/summarizer/ranking/word-weights.ts'
import { summarize } from '../../src/summarizer/summarize.ts'
import type { SummaryMode } from '../../src/summarizer/summary.ts'
import { countWords } from '../../src/summarizer/text/word-counts.ts'
import { mean } from '../knowledge/scores.ts'
import { lexRank } from './baselines.ts'
import { contentF1, lead } from './content-f1.ts'
import type { Meeting } from './data.ts'
import { learnWeights, readSamples } from './learn-weights.ts'

/** Content-word F1, x 100. Both baselines are made of cleaned sentences and have as many words as the summary of the engine. */
export type Row = { mode: SummaryMode; words: number; ours: number; lead: number; lexRank: number }

const modes = ['short', 'detailed'] as const
const folds = 5

/** A short summary is held to what people wrote of the whole meeting, a detailed one also to what they wrote of its parts. */
const referenceOf = ({ summary, answers }: Meeting, mode: SummaryMode) =>
  mode === 'short' ? summary : [summary, ...answers].join(' ')

export function measureSplit(meetings: readonly Meeting[], weights?: WordWeights): Row[] {
  return modes.map((mode) =>
    toRow(
      mode,
      meetings.map((meeting) => measureOne(meeting, mode, weights)),
    ),
  )
}

/** Each fifth of the meetings with the weights that were learnt from the other four. */
export function measureFolds(meetings: readonly Meeting[]): Row[] {
  const samples = new Map(meetings.map((meeting) => [meeting, readSamples(meeting)]))
  const measured = Array.from({ length: folds }, (_, fold) => {
    const isOut = (_: Meeting, i: number) => i % folds === fold
    const weights = learnWeights(meetings.flatMap((it, i) => (isOut(it, i) ? [] : (samples.get(it) ?? []))))
    return modes.map((mode) => meetings.filter(isOut).map((meeting) => measureOne(meeting, mode, weights)))
  })
  return modes.map((mode, i) =>
    toRow(
      mode,
      measured.flatMap((fold) => fold[i] ?? []),
    ),
  )
}

type Measured = Omit<Row, 'mode'>

function measureOne(meeting: Meeting, mode: SummaryMode, weights?: WordWeights): Measured {
  const request = { title: 'Meeting', transcript: meeting.transcript, mode, personality: 'neutral' } as const
  const { text } = summarize(request, weights)
  const [words] = countWords(text)
  const reference = referenceOf(meeting, mode)
  const score = (it: string) => 100 * contentF1(it, reference, meeting)
  return { words, ours: score(text), lead: score(lead(meeting, words)), lexRank: score(lexRank(meeting, words)) }
}

function toRow(mode: SummaryMode, measured: readonly Measured[]): Row {
  const average = (of: keyof Measured) => mean(measured.map((it) => it[of]))
  return { mode, words: average('words'), ours: average('ours'), lead: average('lead'), lexRank: average('lexRank') }
}

/** A table in Markdown. `recorded`: what engine version 4 had on the same meetings, for it is no part of the project. */
export function renderRows(title: string, rows: readonly Row[]): string {
  const digits = (it: number | undefined) => (it === undefined ? '-' : it.toFixed(1))
  const lines = rows.map(({ mode, words, ours, lead, lexRank }) =>
    ['', mode, Math.round(words), digits(ours), digits(versionFour[title]?.[mode]), digits(lead), digits(lexRank), '']
      .join(' | ')
      .trim(),
  )
  return [
    `\n${title}: content-word F1 x 100`,
    '| mode | words | engine | version 4, recorded | lead | LexRank + MMR |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

const versionFour: Record<string, Record<SummaryMode, number>> = {
  'Training, five-fold': { short: 18.3, detailed: 25.7 },
  Validation: { short: 16.8, detailed: 24.5 },
}
