export const speakerLengthMax = 200
export const textLengthMax = 10_000
export const segmentIdLengthMax = 200
/** 99:59:59.999. */
export const offsetSecondsMax = 360_000 - 0.001
/** The entries of one call. An import may hold more. */
export const entriesPerCallMax = 500
export const entriesMax = 200_000
export const charsMax = 20_000_000

/** An entry as it arrives. */
export type NewEntry = {
  speaker: string
  text: string
  /** The offset into the meeting, in whole milliseconds. */
  offsetSeconds: number
  /** The sender's id of the entry. An entry sent with the same id replaces the earlier one. */
  segmentId: string | null
}

/** The end of the segment ids of what was written in the chat of a meeting, from where a bot copied it. */
const chatSuffix = ':chat'

/** Whether an entry was written in the chat, and not said. */
export function isChat({ segmentId }: Pick<NewEntry, 'segmentId'>): boolean {
  return segmentId?.endsWith(chatSuffix) ?? false
}

export type Entry = NewEntry & {
  /** The entry's position in the transcript. */
  seq: number
  /** The number of its last write, from the same counter. Equal to `seq` unless the entry was replaced. */
  changedSeq: number
}

/** A stored entry with the segment id of one that arrives. */
export type ExistingEntry = Pick<Entry, 'seq' | 'segmentId' | 'speaker' | 'text' | 'offsetSeconds'> & { words: number }

export type EntryRow = Entry & { words: number }

export type AppendPlan = {
  /** The rows to write. A row with the `seq` of a stored entry replaces it. */
  rows: EntryRow[]
  added: number
  replaced: number
  /** Equal to the stored entry: not written, so nothing has to be made again. */
  unchanged: number
  lastSeq: number
  chars: number
  words: number
}

/**
 * Plans how arriving entries change a transcript whose last number is `lastSeq`. New entries are numbered in the order
 * of their arrival. An entry with a known segment id replaces the stored one. Of several entries with one id the last
 * one counts, at the position of the first.
 */
export function planAppend(entries: NewEntry[], known: ExistingEntry[], lastSeq: number): AppendPlan {
  const knownBySegment = new Map(known.map((entry) => [entry.segmentId, entry]))
  const plan: AppendPlan = { rows: [], added: 0, replaced: 0, unchanged: 0, lastSeq, chars: 0, words: 0 }
  for (const entry of lastPerSegment(entries)) {
    const before = entry.segmentId === null ? undefined : knownBySegment.get(entry.segmentId)
    if (before !== undefined && isSame(before, entry)) {
      plan.unchanged += 1
      continue
    }
    const changedSeq = ++plan.lastSeq
    const words = countWords(entry.text)
    plan.rows.push({ ...entry, seq: before?.seq ?? changedSeq, changedSeq, words })
    plan.chars += entry.text.length - (before?.text.length ?? 0)
    plan.words += words - (before?.words ?? 0)
    if (before === undefined) plan.added += 1
    else plan.replaced += 1
  }
  return plan
}

function lastPerSegment(entries: NewEntry[]): Iterable<NewEntry> {
  const bySegment = new Map<string | number, NewEntry>()
  for (const [index, entry] of entries.entries()) bySegment.set(entry.segmentId ?? index, entry)
  return bySegment.values()
}

function isSame(before: ExistingEntry, entry: NewEntry): boolean {
  return before.speaker === entry.speaker && before.text === entry.text && before.offsetSeconds === entry.offsetSeconds
}

/** Replaces runs of spaces and line ends by one space, so that a line broken to fit a screen is whole again. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Counts the runs of characters that are not spaces. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** Formats as `HH:MM:SS`, the form in which all answers show it. The fraction of the second is cut off. */
export function formatTimestamp(offsetSeconds: number): string {
  const seconds = Math.floor(offsetMs(offsetSeconds) / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** The offset in whole milliseconds: what a timestamp cuts off. */
export function offsetMs(offsetSeconds: number): number {
  return Math.round(offsetSeconds * 1000)
}

/** What callers may send: `HH:MM:SS` or `HH:MM:SS.mmm`, up to 99 hours. */
export const timestampPattern = '^\\d{2}:[0-5]\\d:[0-5]\\d(\\.\\d{3})?$'

/** @param timestamp in the form of `timestampPattern` */
export function parseTimestamp(timestamp: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = timestamp.split(':').map(Number)
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000) / 1000
}
