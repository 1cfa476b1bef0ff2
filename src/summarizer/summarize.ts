// The local engine: a transcript in, its summary out, without a model.

import { type Analysis, analyze, byWordsSpoken } from './analysis.ts'
import { renderSections } from './compose/composition.ts'
import type { Contribution } from './compose/contributions.ts'
import { detailedSummary, listContributions } from './compose/detailed-summary.ts'
import { joinSentences, shortSummary } from './compose/short-summary.ts'
import type { WordWeights } from './ranking/word-weights.ts'
import type { Participant, Summary, SummaryRequest, SummarySection } from './summary.ts'
import { countWords } from './text/word-counts.ts'

/** Must change whenever the same transcript gives another text: stored summaries of another version are made again. */
export const engineVersion = '16'

const keywordsMax = 10

/**
 * Summarizes a transcript from its words alone, without a model, network or clock. The same request always gives the
 * same summary. Short mode gives 4 to 6 sentences and detailed mode 400 to 700 words, whatever the transcript. Takes
 * about 20 ms per 1,000 words, so call it in a worker (`summaryWriter`).
 */
export function summarize(request: SummaryRequest, weights?: WordWeights): Summary {
  const analysis = analyze(request, weights)
  const { sections, contributions } = request.mode === 'short' ? shortSections(analysis) : detailedSummary(analysis)
  const { headings } = analysis.frames
  const text =
    request.mode === 'short'
      ? joinSentences(sections.flatMap(({ sentences }) => sentences))
      : renderSections(sections, [headings.course, headings.contributions, headings.actions, headings.decisions])
  const [wordCount] = countWords(text)
  return {
    mode: request.mode,
    text,
    sections,
    sentenceCount: sections.reduce((sum, { sentences }) => sum + sentences.length, 0),
    wordCount,
    participants: listParticipants(analysis, contributions),
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
    contributions: listContributions(analysis),
  }
}

/** Everybody who spoke, most words first, however many there are. */
function listParticipants({ record }: Analysis, contributions: readonly Contribution[]): Participant[] {
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
