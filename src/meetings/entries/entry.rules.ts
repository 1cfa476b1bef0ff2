export const speakerLengthMax = 200
export const textLengthMax = 10_000
export const segmentIdLengthMax = 200
/** 99:59:59.999. */
export const offsetSecondsMax = 360_000 - 0.001
/** Entries of one call; an import may bring more. */
export const entriesPerCallMax = 500
export const entriesMax = 200_000
export const charsMax = 20_000_000

/** As it comes in. */
export type NewEntry = {
  speaker: string
  text: string
  /** Into the meeting; whole milliseconds. */
  offsetSeconds: number
  /** The sender's name for it: what comes again under it takes its place. */
  segmentId: string | null
}

export type Entry = NewEntry & {
  /** Place in the transcript. */
  seq: number
  /** When it was written last, in the same numbers; equal to `seq` unless it was replaced. */
  changedSeq: number
}

/** An entry that is there under the segment id of one that arrives. */
export type ExistingEntry = Pick<Entry, 'seq' | 'segmentId' | 'speaker' | 'text' | 'offsetSeconds'> & { words: number }

export type EntryRow = Entry & { words: number }

export type AppendPlan = {
  /** To be written, by `seq`; those of entries that are there take their place. */
  rows: EntryRow[]
  added: number
  replaced: number
  /** Said the same as what was there: not written, and nothing is made anew because of them. */
  unchanged: number
  lastSeq: number
  chars: number
  words: number
}

/**
 * What arriving entries do to a transcript whose last number is `lastSeq`: new ones are numbered in the order in which
 * they came, one with a known segment id takes the place of what was there. Of several with one id the last one counts,
 * at the place of the first.
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
  const places = new Map<string | number, NewEntry>()
  for (const [index, entry] of entries.entries()) places.set(entry.segmentId ?? index, entry)
  return places.values()
}

function isSame(before: ExistingEntry, entry: NewEntry): boolean {
  return before.speaker === entry.speaker && before.text === entry.text && before.offsetSeconds === entry.offsetSeconds
}

/** Runs of spaces and line ends as one space: a line that was broken to fit a screen is whole again. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Runs of what is no space. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** `HH:MM:SS`, with milliseconds where there are any. */
export function formatTimestamp(offsetSeconds: number): string {
  const ms = Math.round(offsetSeconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const whole = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  return ms % 1000 === 0 ? whole : `${whole}.${String(ms % 1000).padStart(3, '0')}`
}

/** `HH:MM:SS` or `HH:MM:SS.mmm`, up to 99 hours. */
export const timestampPattern = '^\\d{2}:[0-5]\\d:[0-5]\\d(\\.\\d{3})?$'

/** @param timestamp of the pattern above */
export function parseTimestamp(timestamp: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = timestamp.split(':').map(Number)
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000) / 1000
}
