import { invalidField, type Refusal } from '../../../kernel/refusal.ts'
import { type NewEntry, offsetSecondsMax, oneLine } from '../../entries/entry.rules.ts'
import { splitSpeaker, toEntries, unescapeHtml } from './text.rules.ts'

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

export type Cue = { offsetSeconds: number; texts: string[]; chars: number }

/**
 * The entries in the cues of WebVTT. A cue has a line of times, then text up to an empty line. Identifiers before the
 * times and settings after them are ignored; so are blocks that begin with `comment`.
 */
export function* readCues(lines: Iterable<Line>, comment: RegExp): Generator<NewEntry> {
  let cue: Cue | null = null
  let isFirstOfBlock = true
  let isPassing = false
  for (const line of lines) {
    if (line.text.trim() === '') {
      if (cue !== null) yield* cueEntries(cue)
      cue = null
      isFirstOfBlock = true
      isPassing = false
      continue
    }
    if (isFirstOfBlock) isPassing = comment.test(line.text)
    isFirstOfBlock = false
    if (isPassing) continue
    const offsetSeconds = parseStart(line, cue !== null)
    if (offsetSeconds === null) {
      if (cue !== null) appendLine(cue, line)
      continue
    }
    // Some writers leave out the empty line between cues.
    if (cue !== null) yield* cueEntries(cue)
    cue = { offsetSeconds, texts: [], chars: 0 }
  }
  if (cue !== null) yield* cueEntries(cue)
}

/** Adds a line to the text of a cue. Refuses a cue that gets too long. */
export function appendLine(cue: Cue, { text, number }: Line): void {
  cue.texts.push(text)
  cue.chars += text.length
  if (cue.chars > cueCharsMax) throw lineError(number, `makes a cue longer than ${cueCharsMax} characters`)
}

const arrow = '-->'

/**
 * The start time in a line such as `00:01.000 --> 00:04.000 align:start`; null for any other line. An arrow within a
 * cue may be text.
 */
export function parseStart({ text, number }: Line, isInCue: boolean): number | null {
  const at = text.indexOf(arrow)
  if (at === -1) return null
  const start = parseTime(text.slice(0, at).trim())
  const end = parseTime(
    text
      .slice(at + arrow.length)
      .trimStart()
      .split(/\s/, 1)[0] ?? '',
  )
  if (start !== null && end !== null) {
    if (start <= offsetSecondsMax) return start
    throw lineError(number, 'is more than 100 hours into the meeting')
  }
  if (isInCue) return null
  throw lineError(number, 'has no times such as 00:00:01.000 --> 00:00:04.000')
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

type Span = { voice: string | null; text: string }

/**
 * The text of a cue without its tags, split where a new voice begins. A `<` that opens no tag is an ordinary character.
 * Each character is read a fixed number of times, whatever the text.
 */
function splitVoices(text: string): Span[] {
  const spans: Span[] = []
  let span: Span = { voice: null, text: '' }
  let consumed = 0 // the text before this index is in a span
  let closing = -1 // the index of the next `>`, or -1 when it must be searched for
  const keep = (to: number) => {
    span.text += text.slice(consumed, to)
  }
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (closing < at) closing = text.indexOf('>', at)
    if (closing === -1) break
    const tag = parseTag(text, at, closing)
    if (tag === null) continue
    keep(at)
    consumed = closing + 1
    if (tag.voice !== null) {
      spans.push(span)
      span = { voice: tag.voice, text: '' }
    }
    at = closing
  }
  keep(text.length)
  return [...spans, span]
}

const tagLengthMax = 1000

function parseTag(text: string, opening: number, closing: number): { voice: string | null } | null {
  if (closing - opening > tagLengthMax) return null
  const inside = text.slice(opening + 1, closing)
  if (!/^[/\p{L}\d]/u.test(inside) || inside.includes('<')) return null
  const voice = /^v(?:\.[^\s]*)?\s+(.*)$/s.exec(inside)?.[1]
  return { voice: voice === undefined ? null : oneLine(unescapeHtml(voice)) }
}

/** The entries of one cue. Without a voice tag, `Name: text` names the speaker. */
export function* cueEntries({ offsetSeconds, texts }: Cue): Generator<NewEntry> {
  for (const { voice, text } of splitVoices(texts.join('\n')))
    if (voice) yield* toEntries({ speaker: voice, text: unescapeHtml(text), offsetSeconds })
    else for (const turn of splitTurns(text)) yield* toEntries({ ...turn, offsetSeconds })
}

const dash = /^\s*[-\u2013\u2014]\s*(?=[^-\s])/u

/** Several people in one cue have a line each, all with a dash or all with a name. Otherwise the cue is one turn. */
function splitTurns(text: string): { speaker: string | null; text: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isDialogue = dash.test(lines[0] ?? '') && lines.slice(1).some((line) => dash.test(line))
  const isNamed = splitName(lines[0] ?? '').speaker !== null
  const turns: string[] = []
  for (const line of lines) {
    const begins = isDialogue ? dash.test(line) : isNamed && splitName(line).speaker !== null
    if (turns.length === 0 || begins) turns.push(line)
    else turns.push(`${turns.pop()} ${line}`)
  }
  return turns.map((turn) => (isDialogue || isNamed ? splitName(turn) : splitSpeaker(oneLine(unescapeHtml(turn)))))
}

function splitName(line: string): { speaker: string | null; text: string } {
  return splitSpeaker(oneLine(unescapeHtml(line.replace(dash, ''))))
}
