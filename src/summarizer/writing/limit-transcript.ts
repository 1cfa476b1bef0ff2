import { fitTranscript } from '../model/excerpt.ts'
import type { Summary, SummaryRequest, TranscriptEntry } from '../summary.ts'
import type { WrittenSummary } from '../written-summary.ts'

/**
 * About 200,000 words, a day and a night of speech: more would take a thread longer than anybody waits, and more memory
 * than it has.
 */
const tokensMax = 400_000

/** What an engine reads. `whole` says of its summary what is true of the whole transcript. */
export type LimitedTranscript = {
  request: SummaryRequest
  isExcerpt: boolean
  whole: (written: WrittenSummary) => WrittenSummary
}

/** The transcript, or fair parts of one that is too long to be read. */
export function limitTranscript(request: SummaryRequest): LimitedTranscript {
  const { transcript } = request
  const { entries, isExcerpt } = fitTranscript(transcript, tokensMax)
  if (!isExcerpt) return { request, isExcerpt, whole: (written) => written }
  const part = entries.map(({ n, speaker, text }) => ({ speaker, text, timestamp: transcript[n - 1]?.timestamp ?? '' }))
  const withWholeIndexes = <T extends { citations: number[] }>(it: T): T => ({
    ...it,
    citations: it.citations.flatMap((i) => (entries[i] === undefined ? [] : entries[i].n - 1)),
  })
  const toWhole = (written: WrittenSummary): WrittenSummary => ({
    ...written,
    sentences: written.sentences.map(withWholeIndexes),
    decisions: written.decisions.map(withWholeIndexes),
    actionItems: written.actionItems.map(withWholeIndexes),
    questions: written.questions.map(withWholeIndexes),
    participants: countParticipants(written.participants.map(withWholeIndexes), transcript),
  })
  return { request: { ...request, transcript: part }, isExcerpt, whole: toWhole }
}

/** Everybody who spoke, counted over all entries, most words first. */
function countParticipants(
  parts: Summary['participants'],
  transcript: readonly TranscriptEntry[],
): Summary['participants'] {
  const spoken = new Map<string, { turns: number; wordsSpoken: number }>()
  let words = 0
  for (const { speaker, text } of transcript) {
    const known = spoken.get(speaker) ?? { turns: 0, wordsSpoken: 0 }
    spoken.set(speaker, known)
    const said = text.match(/\S+/g)?.length ?? 0
    known.turns += 1
    known.wordsSpoken += said
    words += said
  }
  const written = new Map(parts.map((it) => [it.speaker, it]))
  return [...spoken]
    .map(([speaker, { turns, wordsSpoken }]) => {
      const { contribution = '', citations = [] } = written.get(speaker) ?? {}
      return { speaker, turns, wordsSpoken, share: wordsSpoken / Math.max(1, words), contribution, citations }
    })
    .sort((a, b) => b.wordsSpoken - a.wordsSpoken)
}
