import type { Summary, SummarySection } from './summary.ts'

/** A sentence of a summary; `model`: in a model's words, checked against the cited entries. Citations are indexes. */
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

/** The local engine's summary in the form in which both engines' are kept. */
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
