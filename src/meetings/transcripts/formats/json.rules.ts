import { invalidField } from '../../../kernel/refusal.ts'
import { type NewEntry, offsetSecondsMax } from '../../entries/entry.rules.ts'
import { parseTime } from './cues.rules.ts'
import { type Item, type Shape, shapes, unreadable } from './json-shapes.rules.ts'
import { isSpeakerTooLong, speakerTooLong, toEntries } from './text.rules.ts'

/**
 * The entries of a JSON transcript of this service or of a known vendor. Refuses with VALIDATION_ERROR: unknown shapes,
 * and entries that cannot be read, by their number. `file` is the result of JSON.parse.
 */
export function* readJsonEntries(file: unknown): Generator<NewEntry> {
  const { items, read } = findShape(file)
  const bySegment = new Map<string, KnownEntry>()
  for (const [index, item] of items.entries()) {
    if (!isItem(item)) throw entryError(index, 'is not an object')
    const { speaker, text, time, segmentId } = read(item)
    if (typeof text !== 'string') throw entryError(index, 'has no text')
    if (text.trim() === '') continue
    const offsetSeconds = typeof time === 'string' ? parseTime(time.trim()) : time
    if (typeof offsetSeconds !== 'number' || !(offsetSeconds >= 0) || offsetSeconds > offsetSecondsMax)
      throw entryError(index, 'has no time within the first 100 hours of the meeting')
    const name = readSpeaker(speaker)
    if (name === undefined) throw entryError(index, 'has a speaker that is no text')
    if (name !== null && isSpeakerTooLong(name)) throw entryError(index, speakerTooLong)
    const spoken = { text, speaker: name, offsetSeconds: Math.round(offsetSeconds * 1000) / 1000 }
    for (const entry of toEntries({ ...spoken, segmentId: readSegmentId(segmentId) })) {
      refuseOtherWords(bySegment, entry, index)
      yield entry
    }
  }
}

/** Null where nobody is named, `undefined` for what is no name. */
function readSpeaker(speaker: unknown): string | null | undefined {
  if (typeof speaker === 'number') return `Speaker ${speaker}`
  if (speaker === null || speaker === undefined) return null
  return typeof speaker === 'string' ? speaker : undefined
}

function readSegmentId(id: unknown): string | null {
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' ? id : null
}

type KnownEntry = { index: number; entry: NewEntry }

/** One of two entries with the same id would replace the other, and its words would be lost. */
function refuseOtherWords(bySegment: Map<string, KnownEntry>, entry: NewEntry, index: number): void {
  if (entry.segmentId === null) return
  const known = bySegment.get(entry.segmentId)
  bySegment.set(entry.segmentId, known ?? { index, entry })
  if (known !== undefined && known.entry.text !== entry.text)
    throw entryError(index, `has the segment id of entry ${known.index + 1} and other words`)
}

function findShape(file: unknown): { items: unknown[]; read: Shape['read'] } {
  for (const { items: find, fits, read } of shapes) {
    const items = find(file)
    if (!Array.isArray(items)) continue
    const first = items.find(isItem)
    if (first !== undefined && fits(first)) return { items, read }
  }
  const known = [...new Set(shapes.map(({ name }) => name))].join(', ')
  throw invalidField('/body', { code: 'format', message: `is not a transcript in a known format: ${known}` })
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function entryError(index: number, what: string) {
  return unreadable(`entry ${index + 1} ${what}`)
}
