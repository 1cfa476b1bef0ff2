import type { QuotableEntry } from '../../meetings/index.ts'
import type { Language } from '../../retrieval/language/language.ts'
import type { ReadChunk } from '../../retrieval/ranking/rerank.ts'

/** What a quote is taken from. It is stored with the answer, and the words are not. */
export type CitedPlace = {
  kind: 'document' | 'meeting'
  itemId: string
  /** Of the document; of a meeting the number of the entry's last change. */
  version: number
  /** The number of the document's chunk, or of the meeting's entry. */
  place: number
  /** In code points, `end` exclusive: of the document as text, or of the entry's text. */
  start: number
  end: number
}

/** A chunk as it is stored now. */
type Shared = { itemId: string; ordinal: number; title: string; text: string; language: Language }

/** `start`: code points of the document's text before the chunk. */
export type DocumentPassage = Shared & {
  kind: 'document'
  version: number
  start: number
  page: number | null
  headings: string[]
}

/** A line of a transcript passage: `start` and `end` are offsets in the entry's text, `textStart` in the passage's. */
export type PassageLine = { entry: QuotableEntry; start: number; end: number; textStart: number }

/**
 * `text` is "Speaker: words", one line for each entry. `about`: words of summaries that cite these entries, and that the text
 * has not.
 */
export type MeetingPassage = Shared & { kind: 'meeting'; lines: PassageLine[]; about: string[] }

export type Passage = DocumentPassage | MeetingPassage

/** The passage as ranking and answering read it. */
export function toReadChunk(passage: Passage): ReadChunk {
  const { text, title, language } = passage
  if (passage.kind === 'document') return { text, title, language, headings: passage.headings }
  const spans = passage.lines.map(({ start, end, textStart }) => ({ start: textStart, end: textStart + end - start }))
  return { text, title, language, headings: passage.about, spans }
}

type Part = { seq: number; start: number; end: number }

type Stored = {
  parts: readonly Part[]
  entries: ReadonlyMap<number, QuotableEntry>
  /** The words of summaries about these entries that the text has not. */
  summaryWords(seqs: readonly number[], text: string): string[]
}

/** Null where no entry is left. */
export function meetingPassage(
  item: Pick<Shared, 'itemId' | 'ordinal' | 'language'>,
  { parts, entries, summaryWords }: Stored,
): MeetingPassage | null {
  const lines: PassageLine[] = []
  let text = ''
  for (const { seq, start, end } of parts) {
    const entry = entries.get(seq)
    // Of an entry that was replaced by a shorter one since, nothing may be left.
    const words = entry?.text.slice(start, end) ?? ''
    if (entry === undefined || words === '' || !words.isWellFormed()) continue
    text += `${entry.speaker}: `
    lines.push({ entry, start, end: start + words.length, textStart: text.length })
    text += `${words}\n`
  }
  const [first] = lines
  if (first === undefined) return null
  const about = summaryWords(
    lines.map(({ entry }) => entry.seq),
    text,
  )
  return { kind: 'meeting', ...item, title: first.entry.title, text, lines, about }
}

/** A quote and where it stands. */
export type Quote = CitedPlace & {
  quote: string
  title: string
  page: number | null
  headings: string[]
  speaker: string | null
  timestamp: string | null
}

/** Quotes UTF-16 offsets of a passage's text. Null where they are not within one entry. */
export function quoteOf(passage: Passage, { start, end }: { start: number; end: number }): Quote | null {
  const { kind, itemId, title } = passage
  if (kind === 'document') {
    const { version, ordinal: place, page, headings } = passage
    const from = passage.start + codePoints(passage.text.slice(0, start))
    const quote = passage.text.slice(start, end)
    const position = { start: from, end: from + codePoints(quote) }
    return { kind, itemId, version, place, ...position, quote, title, page, headings, speaker: null, timestamp: null }
  }
  const line = passage.lines.findLast(({ textStart }) => textStart <= start)
  if (line === undefined || end > line.textStart + line.end - line.start) return null
  const { seq: place, changedSeq: version, text, speaker, timestamp } = line.entry
  const begin = line.start + start - line.textStart
  const quote = text.slice(begin, begin + end - start)
  const from = codePoints(text.slice(0, begin))
  const position = { start: from, end: from + codePoints(quote) }
  return { kind, itemId, version, place, ...position, quote, title, page: null, headings: [], speaker, timestamp }
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** From one code point to another, exclusive. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  return [...text].slice(start, end).join('')
}
