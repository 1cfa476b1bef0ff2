// Text in, the facts that can be compared out: its figures and days, quotations and content stems.

import { splitWords, stem } from '../language/words.ts'

/** Normalizes texts for comparison: lower case, one kind of apostrophe. */
const normalize = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")

const numberWords: Record<string, string> = {
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  thirteen: '13',
  fourteen: '14',
  fifteen: '15',
  sixteen: '16',
  seventeen: '17',
  eighteen: '18',
  nineteen: '19',
  twenty: '20',
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
  hundred: '100',
  thousand: '1000',
  million: '1000000',
  billion: '1000000000',
  half: '50%',
  dozen: '12x',
  double: '2x',
  twice: '2x',
}

/** Names of days and months, and words for a day relative to the speaker. */
const dayWords = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
  november december today tomorrow tonight yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz
  mai juni juli oktober dezember heute morgen gestern lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin
  juillet août septembre octobre novembre décembre demain hier lunes martes miércoles jueves viernes sábado domingo enero febrero marzo
  abril junio julio agosto septiembre octubre noviembre diciembre mañana ayer`.split(/\s+/),
)

/** The numbers and days in a text, each in one spelling: "1,200" is 1200, "twenty" is 20, "10.30" is 10:30. */
export function findFigures(text: string): Set<string> {
  const found = new Set<string>()
  const words = normalize(text).replace(/(\d)[,\u00a0'](?=\d{3}(?!\d))/g, '$1')
  for (const [digits] of words.matchAll(/\p{N}+(?:[.,:]\p{N}+)*/gu)) found.add(digits.replace(/[.,]/g, ':'))
  for (const word of words.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const number = Object.hasOwn(numberWords, word) ? numberWords[word] : undefined
    if (number) found.add(number)
    // "may" is usually a verb, so only the number beside it counts.
    if (dayWords.has(word)) found.add(word)
  }
  return found
}

/** Whether the words of `quote` occur in `text` one after another. */
export function isVerbatim(quote: string, text: string): boolean {
  const joined = (it: string) => ` ${splitWords(normalize(it)).join(' ')} `
  return joined(text).includes(joined(quote))
}

/** The stems of all words that are not `isCommon`. */
export function contentStems(text: string, isCommon: (word: string) => boolean): Set<string> {
  return new Set(
    splitWords(normalize(text))
      .filter((word) => !isCommon(word))
      .map(stem),
  )
}
