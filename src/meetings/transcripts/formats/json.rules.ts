import { invalidField } from '../../../kernel/refusal.ts'
import { type NewEntry, offsetSecondsMax } from '../../entries/entry.rules.ts'
import { parseTime } from './cues.rules.ts'
import { type Item, type Shape, shapes } from './json-shapes.rules.ts'
import { toEntries } from './text.rules.ts'

/**
 * The entries of a JSON transcript of this service or of a known vendor. Refuses with VALIDATION_ERROR: unknown shapes,
 * and entries that cannot be read, by their number. `file` is the result of JSON.parse.
 */
export function* readJsonEntries(file: unknown): Generator<NewEntry> {
  const { items, read } = findShape(file)
  for (const [index, item] of items.entries()) {
    if (!isItem(item)) throw entryError(index, 'is not an object')
    const { speaker, text, time, segmentId } = read(item)
    if (typeof text !== 'string') throw entryError(index, 'has no text')
    if (text.trim() === '') continue
    const offsetSeconds = typeof time === 'string' ? parseTime(time.trim()) : time
    if (typeof offsetSeconds !== 'number' || !(offsetSeconds >= 0) || offsetSeconds > offsetSecondsMax)
      throw entryError(index, 'has no time within the first 100 hours of the meeting')
    yield* toEntries({
      text,
      speaker: typeof speaker === 'string' ? speaker : null,
      offsetSeconds: Math.round(offsetSeconds * 1000) / 1000,
      segmentId: typeof segmentId === 'string' ? segmentId : null,
    })
  }
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
  return invalidField('/body', { code: 'format', message: `cannot be read: entry ${index + 1} ${what}` })
}
