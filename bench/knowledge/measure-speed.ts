import { answerQuestion } from '../../src/retrieval/answering/answer-question.ts'
import { indexTerms } from '../../src/retrieval/words/index-terms.ts'
import { buildCollection, type Chunk, toPassage } from './collection.ts'
import type { Meeting } from './data.ts'

const answersMeasured = 300

/** In milliseconds. Processor time, because other programs may share the processor. */
const now = () => process.threadCpuUsage().user / 1000

/** How fast texts become index terms, and how long an answer out of 20 passages of up to 1,200 characters takes. */
export function measureSpeed(chunks: Chunk[], meetings: Meeting[]): string[] {
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0)
  const started = now()
  for (const chunk of chunks) indexTerms(chunk)
  const megabytesPerSecond = characters / 1000 / (now() - started)
  const { rank } = buildCollection(chunks, ['en'])
  const questions = meetings.flatMap((it) => it.questions.map(({ text }) => text)).slice(0, answersMeasured)
  const times = questions.map((question) => {
    const { terms, statistics, ranked } = rank(question, () => true)
    const passages = ranked.slice(0, 20).map(toPassage)
    const before = now()
    answerQuestion({ question, terms, statistics, passages })
    return now() - before
  })
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return [
    `Index terms: ${megabytesPerSecond.toFixed(1)} MB of text a second (target 2).`,
    `An answer out of 20 passages: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (target 10).`,
  ]
}
