/** A word of a text: `start` and `end` are UTF-16 offsets. `text` is as written. */
export type Word = { text: string; start: number; end: number }

/** Scripts that are written without spaces between words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー`
const letter = String.raw`[[\p{L}\p{N}]--[${unspaced}]]`
const inner = String.raw`[[\p{L}\p{N}\p{M}]--[${unspaced}]]`
/** A run of one of those scripts, a number with separators, or a run of letters and digits. */
const pattern = new RegExp(
  String.raw`([${unspaced}][${unspaced}\p{M}]*)|(\p{Nd}+(?:[.,]\p{Nd}+)+(?!${inner}))|${letter}${inner}*`,
  'gv',
)

/**
 * The words of a text in their order. Of scripts without spaces each overlapping pair of letters is one, and a single letter
 * that has no neighbour. "1,200.5" is one word; a date such as "12.03.2020" is three. Linear in the text.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(pattern)) {
    const [written, run, number] = match
    const start = match.index
    if (run !== undefined) addPairs(words, run, start)
    else if (number !== undefined && !isNumber(number)) addParts(words, number, start)
    else words.push({ text: written, start, end: start + written.length })
  }
  return words
}

const mark = /\p{M}/u
/** Thai, Lao, Khmer and Myanmar write vowels as marks. The other scripts here hardly have any. */
const isMark = (code: number, letter: string) => (code < 0x2e80 || code > 0xd7ff) && mark.test(letter)

/** A mark belongs to the letter before it. */
function addPairs(words: Word[], run: string, offset: number) {
  let first = 0
  let second = -1
  for (let at = 0; at < run.length; ) {
    const code = run.codePointAt(at) as number
    const size = code > 0xffff ? 2 : 1
    if (at > 0 && !isMark(code, run.slice(at, at + size))) {
      if (second >= 0) {
        words.push({ text: run.slice(first, at), start: offset + first, end: offset + at })
        first = second
      }
      second = at
    }
    at += size
  }
  words.push({ text: run.slice(first), start: offset + first, end: offset + run.length })
}

function addParts(words: Word[], number: string, offset: number) {
  for (const part of number.matchAll(/\p{Nd}+/gu))
    words.push({ text: part[0], start: offset + part.index, end: offset + part.index + part[0].length })
}

/** Thousands in groups of three, a decimal point, or both. */
const isNumber = (written: string) =>
  /^(?:\p{Nd}{1,3}(?:[.,]\p{Nd}{3})+(?:[.,]\p{Nd}+)?|\p{Nd}+[.,]\p{Nd}+)$/u.test(written)

/** One spelling for a number: "1,200" and "1.200" are 1200, "3,5" is 3.5. */
export function normalizeNumber(written: string): string {
  const decimals = /[.,](\p{Nd}+)$/u.exec(written)?.[1]
  if (decimals === undefined) return written
  const isGroup = decimals.length === 3 && !/^0/.test(written)
  const whole = written.slice(0, -decimals.length - 1).replace(/[.,]/g, '')
  return isGroup ? `${whole}${decimals}` : `${whole}.${decimals}`
}
