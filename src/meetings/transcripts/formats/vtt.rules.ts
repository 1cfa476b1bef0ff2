// https://www.w3.org/TR/webvtt1/
import type { NewEntry } from '../../entries/entry.rules.ts'
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

/**
 * The entries of a WebVTT file in its order. Refuses with VALIDATION_ERROR and the number of the line. A line that belongs to
 * no cue is refused, too: players pass over it, but it may be speech whose times were mistyped.
 */
export function* readVtt(file: string): Generator<NewEntry> {
  const lines = splitLines(file)
  const head = lines.next()
  if (head.done || !/^WEBVTT(?:[ \t]|$)/.test(head.value.text)) throw lineError(1, 'is not WEBVTT')
  let block: Block = { kind: 'ignored' }
  for (const line of lines) {
    const mayBeText = block.kind === 'ignored' || (block.kind === 'cue' && !block.isPaused)
    const offsetSeconds = parseStart(line, mayBeText)
    // Times begin a cue wherever they stand, as in the standard's own parser. A line above them was the cue's identifier.
    if (offsetSeconds !== null) {
      if (block.kind === 'cue') yield* cueEntries(block.cue)
      block = { kind: 'cue', cue: startCue(offsetSeconds, line), isPaused: false, held: null }
    } else if (line.text === '') {
      yield* entriesOf(block)
      block = { kind: 'none' }
    } else {
      block = withLine(block, line)
    }
  }
  yield* entriesOf(block)
}

/**
 * What a line belongs to: a header, comment, style or region; the line above a cue's times; or a cue. A cue pauses at a line of
 * spaces. The standard takes that for text, some writers for the end of the cue: so the next line is `held` until it is known
 * whether times follow, as below an identifier.
 */
type Block =
  | { kind: 'none' }
  | { kind: 'ignored' }
  | { kind: 'identifier'; line: Line }
  | { kind: 'cue'; cue: Cue; isPaused: boolean; held: Line | null }

const ignoredBlock = /^(?:NOTE|STYLE|REGION)(?:\s|$)/

function withLine(block: Block, line: Line): Block {
  switch (block.kind) {
    case 'ignored':
      return block
    case 'identifier':
      throw hasOtherArrow(line) ? lineError(line.number, noTimes) : outsideOfCue(block.line)
    case 'none':
      if (isBlank(line)) return block
      if (ignoredBlock.test(line.text)) return { kind: 'ignored' }
      if (hasOtherArrow(line)) throw lineError(line.number, noTimes)
      return { kind: 'identifier', line }
    case 'cue': {
      const { cue, isPaused, held } = block
      if (held !== null) appendLine(cue, held)
      if (isBlank(line)) return { kind: 'cue', cue, isPaused: true, held: null }
      if (isPaused) return { kind: 'cue', cue, isPaused: false, held: line }
      appendLine(cue, line)
      return { kind: 'cue', cue, isPaused: false, held: null }
    }
  }
}

/** The entries of a block at its end. */
function* entriesOf(block: Block): Generator<NewEntry> {
  if (block.kind === 'identifier') throw outsideOfCue(block.line)
  if (block.kind !== 'cue') return
  if (block.held !== null) appendLine(block.cue, block.held)
  yield* cueEntries(block.cue)
}

function outsideOfCue({ number }: Line) {
  return lineError(number, 'is outside of a cue: there is no line such as 00:00:01.000 --> 00:00:04.000 above it')
}

export const vttHead = 'WEBVTT\n'

/**
 * An entry as one cue. No text can break out of it, because it is one line without `<`, `>` or an unescaped `&`. It
 * lasts as long as its words take, or until the next entry.
 */
export function vttCue(entry: NewEntry, nextOffsetSeconds: number | null): string {
  const { speaker, text, offsetSeconds } = entry
  const times = `${cueTime(offsetSeconds, '.')} --> ${cueTime(cueEnd(entry, nextOffsetSeconds), '.')}`
  return `\n${times}\n<v ${escapeCue(speaker)}>${escapeCue(text)}\n`
}
