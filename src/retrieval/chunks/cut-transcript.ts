import { letterBoundary, type Span, splitSentences } from '../sentences/split-sentences.ts'
import { chunkCharsMax, type TranscriptChunk } from './chunk.ts'

export type SpokenEntry = { seq: number; speaker: string; text: string }

const speakerCharsMax = 80

/**
 * Puts the entries of a transcript together in their order, up to 1,200 characters a chunk; an entry is cut between sentences.
 * A chunk depends only on the entries up to its end, so that entries appended later change only the last chunk.
 */
export function cutTranscript(entries: readonly SpokenEntry[]): TranscriptChunk[] {
  const { chunks, add } = transcriptCutter()
  for (const entry of entries) add(entry)
  return chunks
}

/** Cuts a transcript entry by entry, so that a long one holds nobody up. `chunks`: of the entries that were added so far. */
export function transcriptCutter() {
  const chunks: TranscriptChunk[] = []
  /** `from`: only sentences that begin at this offset or later. */
  function add(entry: SpokenEntry, from = 0): void {
    const name = speakerLabel(entry.speaker)
    for (const sentence of splitSentences(entry.text, 'und'))
      if (sentence.start >= from) addSentence(chunks, { ...entry, ...sentence, name })
  }
  return { chunks, add }
}

function addSentence(
  chunks: TranscriptChunk[],
  { seq, text, start, end, name }: SpokenEntry & Span & { name: string },
) {
  const last = chunks.at(-1)
  const part = last?.parts.at(-1)
  const isSame = part?.seq === seq
  const added = isSame ? text.slice(part.end, end) : `${last ? '\n' : ''}${name}${text.slice(start, end)}`
  if (last === undefined || last.text.length + added.length > chunkCharsMax) {
    const words = text.slice(start, end)
    chunks.push({ parts: [{ seq, start, end, textStart: name.length }], text: `${name}${words}` })
    return
  }
  last.text += added
  if (isSame) part.end = end
  else last.parts.push({ seq, start, end, textStart: last.text.length - (end - start) })
}

function speakerLabel(speaker: string): string {
  const name = speaker.replace(/\s+/g, ' ').trim()
  return `${name.length > speakerCharsMax ? name.slice(0, letterBoundary(name, speakerCharsMax, 0)) : name}: `
}
