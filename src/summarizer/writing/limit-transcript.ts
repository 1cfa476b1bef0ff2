// A request with a transcript of any length in, a request that an engine can read out.

import { fitTranscript } from '../model/excerpt.ts'
import { withoutOffice } from '../sentences/meeting-record.ts'
import type { Summary, SummaryRequest, TranscriptEntry } from '../summary.ts'
import type { WrittenSummary } from '../written-summary.ts'

/**
 * About 200,000 words, which is a day and a night of speech. More would need too much time and memory in one worker.
 */
const tokensMax = 400_000

/** The request an engine reads. `toWhole` turns its summary into one of the whole transcript: citations and counts. */
export type LimitedTranscript = {
  request: SummaryRequest
  isExcerpt: boolean
  whole: (written: WrittenSummary) => WrittenSummary
}

/** The whole transcript, or fair parts of one that is too long. */
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
  for (const { speaker: name, text } of transcript) {
    const speaker = withoutOffice(name)
    const known = spoken.get(speaker) ?? { turns: 0, wordsSpoken: 0 }
    spoken.set(speaker, known)
    const count = text.match(/\S+/g)?.length ?? 0
    known.turns += 1
    known.wordsSpoken += count
    words += count
  }
  const written = new Map(parts.map((it) => [it.speaker, it]))
  return [...spoken]
    .map(([speaker, { turns, wordsSpoken }]) => {
      const { contribution = '', citations = [] } = written.get(speaker) ?? {}
      return { speaker, turns, wordsSpoken, share: wordsSpoken / Math.max(1, words), contribution, citations }
    })
    .sort((a, b) => b.wordsSpoken - a.wordsSpoken)
}
