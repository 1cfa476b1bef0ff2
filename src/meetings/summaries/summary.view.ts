import type { WrittenSummary } from '../../summarizer/written-summary.ts'
import type { Meeting, SummaryMode } from '../meetings/meeting.rules.ts'
import type { StoredSummary, SummaryAnswer, SummaryBody } from './summary.schema.ts'

/**
 * What is kept of a summary.
 * @param seqs the `seq` of each entry by its index, for citations are of indexes until here
 */
export function summaryBody(
  written: WrittenSummary,
  seqs: readonly number[],
  basis: SummaryBody['basis'],
): SummaryBody {
  const entriesOf = ({ citations }: { citations: number[] }) => citations.flatMap((i) => seqs[i] ?? [])
  const { text: summary, sentenceCount, wordCount, topics, participants, decisions, actionItems, questions } = written
  return {
    summary,
    sentenceCount,
    wordCount,
    contributions: participants.map(({ speaker, share, turns, contribution }) => ({
      speaker,
      share: Math.round(share * 10_000) / 10_000,
      turns,
      text: contribution,
    })),
    topics,
    decisions: decisions.map((it) => ({ text: it.text, entries: entriesOf(it) })),
    actionItems: actionItems.map((it) => ({
      text: it.text,
      owner: it.owner ?? null,
      due: it.due ?? null,
      entries: entriesOf(it),
    })),
    questions: questions.map((it) => ({ text: it.text, speaker: it.speaker, entries: entriesOf(it) })),
    citations: written.sentences.map((it) => ({
      sentence: it.text,
      section: it.section === '' ? null : it.section,
      basis: it.basis,
      isPadding: it.padding,
      entries: entriesOf(it),
    })),
    basis,
  }
}

export function summaryView({ id, revision }: Meeting, mode: SummaryMode, kept: StoredSummary): SummaryAnswer {
  const { body, engine, model, fallbackReason, generatedAt } = kept
  const { basis, ...rest } = body
  return {
    meetingId: id,
    mode,
    ...rest,
    engine,
    model: engine === 'llm' ? model : null,
    fallbackReason,
    basis,
    revision,
    generatedAt: generatedAt.toISOString(),
  }
}
