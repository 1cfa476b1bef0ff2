import type { NewEntry } from '../../entries/entry.rules.ts'
import { appendLine, type Cue, cueEntries, type Line, parseStart, splitLines } from './cues.rules.ts'

/** Style codes of another format that SubRip players understand, such as `{\an8}` for the top of the screen. */
const overrides = /\{\\[^{}]{1,100}\}/g

/**
 * The entries of a SubRip file in its order. Refuses with VALIDATION_ERROR and the number of the line. No standard
 * defines where a cue ends, so it ends at the number and the times of the next cue. Text after an empty line still
 * belongs to the cue, and the empty line between two cues may be missing.
 */
export function* readSrt(file: string): Generator<NewEntry> {
  let cue: Cue | null = null
  /** The line just above. It is the number of the next cue if that begins now, and text otherwise. */
  let above: Line | null = null
  let isFirstOfBlock = true
  for (const line of splitLines(file)) {
    const isNumber = /^\s*\d+\s*$/.test(line.text)
    const offsetSeconds = parseStart(line, cue !== null && !isFirstOfBlock)
    isFirstOfBlock = line.text.trim() === '' || (isFirstOfBlock && isNumber)
    if (offsetSeconds !== null) {
      if (cue !== null) yield* cueEntries(cue)
      cue = { offsetSeconds, texts: [], chars: 0 }
      above = null
      continue
    }
    if (cue !== null && above !== null) appendLine(cue, above)
    above = null
    if (isNumber) above = line
    else if (cue !== null) appendLine(cue, { ...line, text: line.text.replace(overrides, '') })
  }
  if (cue === null) return
  if (above !== null) appendLine(cue, above)
  yield* cueEntries(cue)
}
