import type { Summary, SummarySection } from '../summary.ts'
import type { Written, WrittenSentence } from './task.ts'

/** The local engine's summary in the form in which both engines' are kept. */
export function writtenLocally(summary: Summary): Written {
  const { mode, text, sections, sentenceCount, wordCount, participants, decisions, actionItems, questions } = summary
  const sentences = sentencesIn(sections, new Set())
  const topics = summary.keywords
  return {
    engine: 'local',
    mode,
    text,
    sentences,
    sentenceCount,
    wordCount,
    participants,
    topics,
    decisions,
    actionItems,
    questions,
  }
}

/** @param byModel texts of the sentences that a model wrote */
export function sentencesIn(sections: readonly SummarySection[], byModel: ReadonlySet<string>): WrittenSentence[] {
  return sections.flatMap(({ heading, sentences }) =>
    sentences.map(({ text, citations, basis, padding = false }) => ({
      text,
      section: heading,
      citations,
      basis: byModel.has(text) ? ('model' as const) : basis,
      padding,
    })),
  )
}
