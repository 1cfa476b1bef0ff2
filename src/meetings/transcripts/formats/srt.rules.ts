import type { NewEntry } from '../../entries/entry.rules.ts'
import { appendLine, type Cue, cueEntries, type Line, parseStart, splitLines } from './cues.rules.ts'

/** Styles of another format that players of SubRip understand, such as `{\an8}` for the top of the screen. */
const overrides = /\{\\[^{}]{1,100}\}/g

/**
 * The entries of a SubRip file in its order. Refuses with VALIDATION_ERROR and the number of the line. No standard says
 * where a cue ends: it is the next line of times, with the number above it, that ends it. What stands behind an empty
 * line is said too, and the empty line between two cues may be left out.
 */
export function* readSrt(file: string): Generator<NewEntry> {
  let cue: Cue | null = null
  /** The line just above, which is the number of the next cue if that begins now, and said otherwise. */
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
