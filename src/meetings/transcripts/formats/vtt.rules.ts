// https://www.w3.org/TR/webvtt1/
import { countWords, type NewEntry, oneLine } from '../../entries/entry.rules.ts'
import { lineError, readCues, splitLines } from './cues.rules.ts'

/** The entries of a WebVTT file in its order. Refuses with VALIDATION_ERROR and the number of the line. */
export function* readVtt(file: string): Generator<NewEntry> {
  const lines = splitLines(file)
  const head = lines.next()
  if (head.done || !/^WEBVTT(?:[ \t]|$)/.test(head.value.text)) throw lineError(1, 'is not WEBVTT')
  // The rest of the header, up to the first empty line or cue, is ignored like a comment.
  yield* readCues(lines, /^(?:NOTE|STYLE|REGION)(?:\s|$)/)
}

export const vttHead = 'WEBVTT\n'

const secondsPerWord = 0.4 // 150 words a minute
const spokenSecondsMin = 1

/**
 * An entry as one cue. No text can break out of it, because it is one line without `<`, `>` or an unescaped `&`. It
 * lasts as long as its words take, or until the next entry.
 */
export function vttCue({ speaker, text, offsetSeconds }: NewEntry, nextOffsetSeconds: number | null): string {
  const spoken = offsetSeconds + Math.max(spokenSecondsMin, countWords(text) * secondsPerWord)
  const isCutShort = nextOffsetSeconds !== null && nextOffsetSeconds > offsetSeconds && nextOffsetSeconds < spoken
  const times = `${vttTime(offsetSeconds)} --> ${vttTime(isCutShort ? nextOffsetSeconds : spoken)}`
  return `\n${times}\n<v ${escapeCue(speaker)}>${escapeCue(text)}\n`
}

/** The format requires three digits of milliseconds. */
function vttTime(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const padded = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0')
  return `${padded(ms / 3_600_000, 2)}:${padded((ms / 60_000) % 60, 2)}:${padded((ms / 1000) % 60, 2)}.${padded(ms % 1000, 3)}`
}

function escapeCue(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
