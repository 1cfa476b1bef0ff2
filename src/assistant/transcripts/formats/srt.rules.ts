import type { NewEntry } from '../entry.rules.ts'
import { linesOf, readCues } from './cue.rules.ts'

/** The entries of a SubRip file in its order. Refuses with VALIDATION_ERROR and the number of the line. */
export function readSrt(file: string): Generator<NewEntry> {
  return readCues(linesOf(file), null)
}
