import { functionWords } from '../../src/summarizer/language/function-words.ts'
import { normalizeSpaces } from '../../src/summarizer/text/clean-text.ts'
import type { Meeting } from './data.ts'

const clauseMark = /[.,;:!?()[\]"{}\u2013\u2014-]/
const places = new Map(functionWords.map((word, i) => [word, i]))

/** The records of parliaments: their speech was edited for reading. */
const isEdited = ({ name }: Meeting) => /^(?:covid|education)_/.test(name)

/**
 * For each function word a row of bits, as hexadecimal digits: bit i is set if the function word i stands right after it
 * somewhere in edited speech.
 */
export function learnPairs(meetings: readonly Meeting[]): string[] {
  const width = Math.ceil(functionWords.length / 4)
  const rows = functionWords.map(() => new Uint8Array(width))
  for (const text of meetings.filter(isEdited).flatMap(({ transcript }) => transcript.map((it) => it.text))) {
    for (const clause of normalizeSpaces(text.toLowerCase().replaceAll('\u2019', "'")).split(clauseMark)) {
      const words = clause.match(/[\p{L}\p{N}']+/gu) ?? []
      for (const [at, word] of words.entries()) {
        const row = rows[places.get(word) ?? -1]
        const next = places.get(words[at + 1] ?? '')
        if (row && next !== undefined) row[next >> 2] = (row[next >> 2] ?? 0) | (1 << (next & 3))
      }
    }
  }
  return rows.map((row) => [...row].map((digit) => digit.toString(16)).join(''))
}
