import type { RepeatedText } from './text-growth.ts'

/** One of each kind of character that classes tell apart, and usual pairs. */
const usual = [...'aZ0 \t\n.,:;-_=/\\"\'<>()[]{}@!?&%+*#|é中😀\u0301', 'a ', 'a.', '\\"', ' \n', '\r\n', '0.', '<a']
const wordsMax = 6
const charactersMax = 20
const pairedMax = 5
const startsMax = 3
/** Hardly any expression matches it. */
const strange = '\u0000'

/** Texts for a regular expression, made from the characters and words in its source, and from usual ones. */
export function* repeatedTexts(source: string): Generator<RepeatedText> {
  const plain = source.replace(/\\p\{[^}]*\}|\\u\{?[\da-f]+\}?|\\[a-z]|[()[\]{}|*+?^$\\]/gi, ' ')
  const own = [...new Set(plain)].slice(0, charactersMax)
  const words = [...new Set(plain.match(/[\p{L}\p{N}'-]{2,}/gu))].slice(0, wordsMax)
  const paired = own.slice(0, pairedMax)
  const pairs = paired.flatMap((one) => [...paired, 'a'].map((other) => one + other))
  const marks = own.filter((one) => /[^\p{L}\p{N}\s]/u.test(one))
  for (const pump of new Set([...usual, ...own, ...words, ...words.map((word) => `${word} `), ...pairs])) {
    yield { prefix: '', pump, suffix: '' }
    yield { prefix: '', pump, suffix: '\n' }
    for (const prefix of ['', 'x', ...marks.slice(0, startsMax), ...words.slice(0, startsMax)])
      yield { prefix, pump, suffix: strange }
  }
}
