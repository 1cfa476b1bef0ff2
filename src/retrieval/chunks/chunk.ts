/**
 * A part of a document. The texts of a document's chunks, joined by nothing, are the document's text. `start`: code points
 * before it in that text. `headings`: from the highest to the nearest.
 */
export type DocumentChunk = { text: string; start: number; page: number | null; headings: string[] }

/**
 * Part of the speech of one entry: UTF-16 offsets `start` to `end` in the entry's text, which stand at `textStart` in the
 * chunk's text.
 */
export type TranscriptPart = { seq: number; start: number; end: number; textStart: number }

/** A part of a transcript. `text` is "Speaker: words", one line for each part. */
export type TranscriptChunk = { parts: TranscriptPart[]; text: string }

/** UTF-16 characters of a chunk's text. */
export const chunkCharsMax = 1200
