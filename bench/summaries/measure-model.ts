import { stopWordTest } from '../../src/summarizer/language/stop-words.ts'
import { readDraft } from '../../src/summarizer/model/draft.ts'
import { contentStems } from '../../src/summarizer/model/evidence.ts'
import { summaryFromDraft } from '../../src/summarizer/model/summary-from-draft.ts'
import { mean } from '../knowledge/scores.ts'
import { contentF1 } from './content-f1.ts'
import type { Meeting } from './data.ts'

const entriesCited = 6
const isCommon = stopWordTest('en')

/**
 * What the checks and the form cost: an emulated model answers with the summary that a person wrote. The best possible
 * score would be 100.
 */
export function measureModel(meetings: readonly Meeting[]): string {
  const measured = meetings.map((meeting) => {
    const { transcript, summary } = meeting
    const draft = readDraft(emulatedAnswer(meeting))
    if (draft === null) throw new Error(`The emulated answer for ${meeting.name} is no draft.`)
    const request = { title: 'Meeting', transcript, mode: 'short', personality: 'neutral' } as const
    const { text, engine, sentences } = summaryFromDraft(draft, request)
    const kept = sentences.filter(({ basis }) => basis === 'model').length
    return { score: 100 * contentF1(text, summary, meeting), isModel: Number(engine === 'llm'), kept }
  })
  const average = (of: 'score' | 'isModel' | 'kept') => mean(measured.map((it) => it[of]))
  return `\nWith a model that answers what a person wrote: content-word F1 x 100 ${average('score').toFixed(1)}; ${Math.round(100 * average('isModel'))} % of the summaries are the model's, with ${average('kept').toFixed(1)} of its sentences.`
}

/** Each sentence of the summary, with the entries that share most content words with it. */
function emulatedAnswer({ transcript, summary }: Meeting): string {
  const entries = transcript.map(({ text }) => contentStems(text, isCommon))
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(summary)].map(({ segment }) => {
    const own = contentStems(segment, isCommon)
    const ranked = entries
      .map((stems, i) => ({ n: i + 1, shared: own.intersection(stems).size }))
      .sort((a, b) => b.shared - a.shared || a.n - b.n)
    return { text: segment.trim(), entries: ranked.slice(0, entriesCited).map(({ n }) => n) }
  })
  const rest = { topics: [], contributions: [], decisions: [], actionItems: [], questions: [] }
  return JSON.stringify({ sentences, ...rest })
}
