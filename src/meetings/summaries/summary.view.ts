import type { WrittenSummary } from '../../summarizer/written-summary.ts'
import { gapViews, type TranscriptGap } from '../entries/gap.schema.ts'
import type { Meeting, SummaryMode } from '../meetings/meeting.rules.ts'
import type { StoredSummary, SummaryAnswer, SummaryBody } from './summary.schema.ts'

/**
 * The stored part of a summary.
 * @param seqs the `seq` of each entry by its index, because the summarizer cites indexes
 */
export function summaryBody(
  written: WrittenSummary,
  seqs: readonly number[],
  basis: SummaryBody['basis'],
): SummaryBody {
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
    decisions: decisions.map((it) => ({ text: it.text, confidence: it.confidence, entries: citedSeqs(it, seqs) })),
    actionItems: actionItems.map((it) => ({
      text: it.text,
      owner: it.owner ?? null,
      due: it.due ?? null,
      confidence: it.confidence,
      entries: citedSeqs(it, seqs),
    })),
    questions: questions.map((it) => ({ text: it.text, speaker: it.speaker, entries: citedSeqs(it, seqs) })),
    citations: written.sentences.map((it) => ({
      sentence: it.text,
      section: it.section === '' ? null : it.section,
      basis: it.basis,
      isPadding: it.padding,
      entries: citedSeqs(it, seqs),
    })),
    basis,
  }
}

/** The `seq` of each entry that a part of a summary cites. */
export function citedSeqs({ citations }: { citations: number[] }, seqs: readonly number[]): number[] {
  return citations.flatMap((i) => seqs[i] ?? [])
}

export function summaryView(
  { id, revision }: Meeting,
  { mode, stored, gaps }: { mode: SummaryMode; stored: StoredSummary; gaps: readonly TranscriptGap[] },
): SummaryAnswer {
  const { body, engine, model, fallbackReason, generatedAt } = stored
  const { basis, ...rest } = body
  return {
    meetingId: id,
    mode,
    ...rest,
    engine,
    model: engine === 'llm' ? model : null,
    fallbackReason,
    basis,
    gaps: gapViews(gaps),
    revision,
    generatedAt: generatedAt.toISOString(),
  }
}
