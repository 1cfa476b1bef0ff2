// The summary of either engine in the form in which it is stored.

import type { Summary, SummarySection } from './summary.ts'

/**
 * `model`: the sentence is in a model's words and was checked against the cited entries. Citations are indexes into the
 * transcript.
 */
export type WrittenSentence = {
  text: string
  section: string
  citations: number[]
  basis: 'speech' | 'record' | 'model'
  padding: boolean
}

export type WrittenSummary = Pick<
  Summary,
  'mode' | 'sentenceCount' | 'wordCount' | 'decisions' | 'actionItems' | 'questions'
> & {
  engine: 'local' | 'llm'
  text: string
  sentences: WrittenSentence[]
  participants: Summary['participants']
  topics: string[]
}

/** The local engine's summary in the stored form of both engines. */
export function fromLocalEngine(summary: Summary): WrittenSummary {
  const { mode, text, sections, sentenceCount, wordCount, participants, decisions, actionItems, questions } = summary
  const sentences = toWrittenSentences(sections, new Set())
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
export function toWrittenSentences(
  sections: readonly SummarySection[],
  byModel: ReadonlySet<string>,
): WrittenSentence[] {
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
