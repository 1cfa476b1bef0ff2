import { countWords, type NewEntry, oneLine } from '../../entries/entry.rules.ts'

const secondsPerWord = 0.4 // 150 words a minute
const spokenSecondsMin = 1

/** When the words of an entry are over, or the next entry begins. */
export function cueEnd({ text, offsetSeconds }: NewEntry, nextOffsetSeconds: number | null): number {
  const spoken = offsetSeconds + Math.max(spokenSecondsMin, countWords(text) * secondsPerWord)
  const isCutShort = nextOffsetSeconds !== null && nextOffsetSeconds > offsetSeconds && nextOffsetSeconds < spoken
  return isCutShort ? nextOffsetSeconds : spoken
}

/** Both formats require three digits of milliseconds. */
export function cueTime(seconds: number, separator: '.' | ','): string {
  const ms = Math.round(seconds * 1000)
  const padded = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0')
  return `${padded(ms / 3_600_000, 2)}:${padded((ms / 60_000) % 60, 2)}:${padded((ms / 1000) % 60, 2)}${separator}${padded(ms % 1000, 3)}`
}

export function escapeCue(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
