import { invalidField, type Refusal } from '../../../kernel/refusal.ts'
import { offsetSecondsMax } from '../../entries/entry.rules.ts'

export type Line = { text: string; number: number }

// 200,000 entries of five lines. The lines between two entries are read without yielding, so their number must be
// limited.
const linesMax = 1_000_000
const cueCharsMax = 100_000

/** The lines of a file with any of the three line ends, without a byte order mark. */
export function* splitLines(file: string): Generator<Line> {
  const lineEnd = /\r\n|\r|\n/g
  let number = 1
  let from = file.startsWith('\ufeff') ? 1 : 0
  for (let match = lineEnd.exec(file); match !== null; match = lineEnd.exec(file)) {
    yield { text: file.slice(from, match.index), number }
    from = match.index + match[0].length
    number += 1
    if (number > linesMax) throw lineError(number, `is beyond the maximum of ${linesMax} lines`)
  }
  if (from < file.length) yield { text: file.slice(from), number }
}

/** A validation error that names the line. */
export function lineError(number: number, what: string): Refusal {
  return invalidField('/body', { code: 'format', message: `cannot be read: line ${number} ${what}` })
}

export const noTimes = 'has no times such as 00:00:01.000 --> 00:00:04.000'

/** `number` is the line of its times. */
export type Cue = { offsetSeconds: number; number: number; texts: string[]; chars: number }

export function startCue(offsetSeconds: number, { number }: Line): Cue {
  return { offsetSeconds, number, texts: [], chars: 0 }
}

/** Adds a line to the text of a cue. Refuses a cue that gets too long. */
export function appendLine(cue: Cue, { text, number }: Line): void {
  cue.texts.push(text)
  cue.chars += text.length
  if (cue.chars > cueCharsMax) throw lineError(number, `makes a cue longer than ${cueCharsMax} characters`)
}

export function isBlank({ text }: Line): boolean {
  return text.trim() === ''
}

const arrow = '-->'
/** The settings of WebVTT, those of its first drafts, and the coordinates of SubRip. */
const setting = /^(?:(?:vertical|line|position|size|align|region|[ADLST]):\S+|[XY][12]:-?\d+)$/

/**
 * The start time in a line such as `00:01.000 --> 00:04.000 align:start`; null for any other line. Where the line may be
 * text, an arrow without times is text. Refuses words behind the times, which no player would show.
 */
export function parseStart({ text, number }: Line, mayBeText: boolean): number | null {
  const at = text.indexOf(arrow)
  if (at === -1) return null
  const start = parseTime(text.slice(0, at).trim())
  const [ending = '', ...settings] = text
    .slice(at + arrow.length)
    .trim()
    .split(/\s+/)
  if (start === null || parseTime(ending) === null) {
    if (mayBeText) return null
    throw lineError(number, noTimes)
  }
  if (start > offsetSecondsMax) throw lineError(number, 'is more than 100 hours into the meeting')
  if (settings.every((word) => setting.test(word))) return start
  throw lineError(number, 'has words after the times: put them on a line below')
}

const otherArrow = /^\s*([\d:]{4,15}[.,]\d{1,9})\s*[-–—= ]{0,4}(?:[>→]|&gt;)\s*([\d:]{4,15}[.,]\d{1,9})(?:\s|$)/

/** Whether a line was meant to be times but has another arrow than `-->`. Times with fractions: `10:30 -> 11:00` may be words. */
export function hasOtherArrow({ text }: Line): boolean {
  const [, start = '', end = ''] = otherArrow.exec(text) ?? []
  return parseTime(start) !== null && parseTime(end) !== null
}

const clock = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,9}))?$/

/**
 * Parses `HH:MM:SS.mmm` or `MM:SS.mmm`, with a dot, a comma or no fraction, into seconds with whole milliseconds. Null
 * for any other text.
 */
export function parseTime(time: string): number | null {
  const match = clock.exec(time)
  if (match === null) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  if (Number(minutes) > 59 || Number(seconds) > 59) return null
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return (ms + Number(fraction.padEnd(3, '0').slice(0, 3))) / 1000
}
