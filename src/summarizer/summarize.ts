import { type Analysis, analyse, byWordsSpoken } from './analysis.ts'
import { renderedSections } from './compose.ts'
import type { Contribution } from './contributions.ts'
import { contributionsIn, detailedSummary, headings } from './detailed.ts'
import { joined, shortSummary } from './short.ts'
import type { Participant, Summary, SummaryRequest, SummarySection } from './summary.ts'
import { countWords } from './words.ts'

/** Changes with every change of what is written from the same transcript: kept summaries of another version are stale. */
export const engineVersion = '4'

const keywordsMax = 10

/**
 * A summary of a transcript, from its words alone: no model, no network, no clock; the same request gives the same summary.
 * Short has 4 to 6 sentences and detailed 400 to 700 words, whatever the transcript. Takes about 20 ms per 1,000 words: call
 * it in a worker (`summaryPool`).
 */
export function summarize(request: SummaryRequest): Summary {
  const analysis = analyse(request)
  const { sections, contributions } = request.mode === 'short' ? shortSections(analysis) : detailedSummary(analysis)
  const text =
    request.mode === 'short'
      ? joined(sections.flatMap(({ sentences }) => sentences))
      : renderedSections(sections, [headings.contributions, headings.actions, headings.decisions])
  const [wordCount] = countWords(text)
  return {
    mode: request.mode,
    text,
    sections,
    sentenceCount: sections.reduce((sum, { sentences }) => sum + sentences.length, 0),
    wordCount,
    participants: participantsOf(analysis, contributions),
    decisions: analysis.outcomes.decisions.map(({ evidence: _, ...it }) => it),
    actionItems: analysis.outcomes.actionItems.map(({ evidence: _, taker: __, ...it }) => it),
    questions: analysis.outcomes.questions.map(({ evidence: _, ...it }) => it),
    keywords: analysis.topics.slice(0, keywordsMax).map(({ phrase }) => phrase),
    language: analysis.record.language,
    engine: 'local',
    engineVersion,
  }
}

function shortSections(analysis: Analysis): { sections: SummarySection[]; contributions: Contribution[] } {
  return {
    sections: [{ heading: '', sentences: shortSummary(analysis) }],
    contributions: contributionsIn(analysis),
  }
}

/** Everybody who spoke, most words first, however many there are. */
function participantsOf({ record }: Analysis, contributions: readonly Contribution[]): Participant[] {
  const parts = new Map(
    contributions.flatMap(({ sentence, speakers }) => speakers.map((it) => [it, sentence] as const)),
  )
  return byWordsSpoken(record.speakers).map((speaker) => {
    const part = parts.get(speaker)
    return {
      speaker: speaker.name,
      turns: speaker.turns,
      wordsSpoken: speaker.wordsSpoken,
      share: record.wordCount === 0 ? 0 : speaker.wordsSpoken / record.wordCount,
      contribution: part?.text ?? '',
      citations: part?.citations ?? [],
    }
  })
}
