import { letterBoundary, splitSentences } from '../sentences/split-sentences.ts'
import { chunkCharsMax, type TranscriptChunk } from './chunk.ts'

export type SpokenEntry = { seq: number; speaker: string; text: string }

const speakerCharsMax = 80

/**
 * Puts the entries of a transcript together in their order, up to 1,200 characters a chunk; a longer entry is cut between
 * sentences. A chunk depends only on the entries up to its end, so that entries appended later change only the last chunk.
 */
export function cutTranscript(entries: SpokenEntry[]): TranscriptChunk[] {
  const chunks: TranscriptChunk[] = []
  for (const entry of entries) {
    const name = speakerLabel(entry.speaker)
    for (const { start, end } of speechParts(entry.text, chunkCharsMax - name.length)) {
      const words = entry.text.slice(start, end)
      const last = chunks.at(-1)
      const isFull = last === undefined || last.text.length + 1 + name.length + words.length > chunkCharsMax
      const chunk = isFull ? { parts: [], text: '' } : last
      if (isFull) chunks.push(chunk)
      chunk.text += `${chunk.text === '' ? '' : '\n'}${name}`
      chunk.parts.push({ seq: entry.seq, start, end, textStart: chunk.text.length })
      chunk.text += words
    }
  }
  return chunks
}

function speakerLabel(speaker: string): string {
  const name = speaker.replace(/\s+/g, ' ').trim()
  return `${name.length > speakerCharsMax ? name.slice(0, letterBoundary(name, speakerCharsMax, 0)) : name}: `
}

/** Runs of sentences that fit into a chunk. */
function speechParts(text: string, max: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  for (const sentence of splitSentences(text, 'und')) {
    const last = parts.at(-1)
    if (last !== undefined && sentence.end - last.start <= max) last.end = sentence.end
    else parts.push({ ...sentence })
  }
  return parts
}
