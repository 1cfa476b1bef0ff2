import { type NewEntry, oneLine } from '../../entries/entry.rules.ts'
import { cueEntries } from './cue-text.rules.ts'
import { cueEnd, cueTime, escapeCue } from './cue-writing.rules.ts'
import {
  appendLine,
  type Cue,
  hasOtherArrow,
  isBlank,
  type Line,
  lineError,
  noTimes,
  parseStart,
  splitLines,
  startCue,
} from './cues.rules.ts'

/** Style codes of another format that SubRip players understand, such as `{\an8}` for the top of the screen. */
const overrides = /\{\\[a-z\d\\&.,()+-]{1,100}\}/gi

/**
 * The entries of a SubRip file in its order. Refuses with VALIDATION_ERROR and the number of the line. No standard
 * defines where a cue ends, so it ends at the number and the times of the next cue. Text after an empty line still
 * belongs to the cue, and the empty line between two cues may be missing.
 */
export function* readSrt(file: string): Generator<NewEntry> {
  let cue: Cue | null = null
  /** The line just above. It is the number of the next cue if that begins now, and text otherwise. */
  let above: (Line & { isFirstOfBlock: boolean }) | null = null
  let isFirstOfBlock = true
  let lastNumber = 0
  for (const line of splitLines(file)) {
    const isNumber = /^\s*\d+\s*$/.test(line.text)
    const offsetSeconds = parseStart(line, cue !== null && !isFirstOfBlock)
    if (offsetSeconds !== null) {
      // Without an empty line above it, a number is text unless it is the next one.
      const isText = above !== null && !above.isFirstOfBlock && Number(above.text) !== lastNumber + 1
      if (cue !== null && above !== null && isText) appendLine(cue, above)
      if (cue !== null) yield* cueEntries(cue)
      lastNumber = above === null || isText ? lastNumber + 1 : Number(above.text)
      cue = startCue(offsetSeconds, line)
      above = null
    } else {
      if (isFirstOfBlock && hasOtherArrow(line)) throw lineError(line.number, noTimes)
      if (cue === null) above = aboveFirstCue(above, line, isNumber)
      else {
        if (above !== null) appendLine(cue, above)
        above = isNumber ? { ...line, isFirstOfBlock } : null
        if (!isNumber) appendLine(cue, { ...line, text: line.text.replace(overrides, '') })
      }
    }
    isFirstOfBlock = isBlank(line) || (isFirstOfBlock && isNumber)
  }
  if (cue === null) return
  if (above !== null) appendLine(cue, above)
  yield* cueEntries(cue)
}

/** Only empty lines and one number may stand above the first times. */
function aboveFirstCue<Above extends Line>(above: Above | null, line: Line, isNumber: boolean) {
  if (isBlank(line)) return above
  if (isNumber && above === null) return { ...line, isFirstOfBlock: true }
  throw lineError((above ?? line).number, 'is above the first times such as 00:00:01,000 --> 00:00:04,000')
}

/** An entry as one cue. `number` counts from 1. It lasts as long as its words take, or until the next entry. */
export function srtCue(entry: NewEntry, number: number, nextOffsetSeconds: number | null): string {
  const { speaker, text, offsetSeconds } = entry
  const times = `${cueTime(offsetSeconds, ',')} --> ${cueTime(cueEnd(entry, nextOffsetSeconds), ',')}`
  return `${number}\n${times}\n${escapeWhereNeeded(`${oneLine(speaker)}: ${oneLine(text)}`)}\n\n`
}

/** SubRip has no escapes that every player knows, so they are used only for text that would be read as something else. */
function escapeWhereNeeded(text: string): string {
  const escaped = escapeCue(text).replaceAll('{', '&#123;')
  const shown = [...cueEntries({ offsetSeconds: 0, number: 0, texts: [text.replace(overrides, '')], chars: 0 })]
  const meant = [...cueEntries({ offsetSeconds: 0, number: 0, texts: [escaped], chars: 0 })]
  return JSON.stringify(shown) === JSON.stringify(meant) ? text : escaped
}
