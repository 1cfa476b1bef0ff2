/** Below this many bits somebody could find a key by trying. NIST SP 800-131A asks for 112; all our own keys have more. */
export const guessableBelowBits = 128

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const uuidBits = 122

/** Alphabets of keys that programs make, smallest first, with the bits of one character. */
const alphabets: [characters: RegExp, bits: number][] = [
  [/^[0-9]*$/, Math.log2(10)],
  [/^(?:[0-9a-f]*|[0-9A-F]*)$/, 4],
  [/^(?:[a-z2-7]*|[A-Z2-7]*)$/, 5],
  [/^(?:[0-9a-z]*|[0-9A-Z]*)$/, Math.log2(36)],
  [/^[0-9A-Za-z]*$/, Math.log2(62)],
  [/^[0-9A-Za-z+/_-]*$/, 6],
  [/^/, Math.log2(94)],
]
/** Of a letter in a text that consists of words: ten words from a list of 7,776 have 129 bits and about 65 letters. */
const bitsOfWordLetter = 2

// Random keys have neither so long a repeat nor so long a sequence, but for one in ten thousand.
const patternLengthMin = 6
/** A repeated or counted part says as much as so many characters: where it begins and how long it is. */
const patternCharacters = 2

/**
 * An upper estimate of a key's entropy in bits, from its text alone: its length in the smallest usual alphabet, without
 * what repeats or counts up, and far less for words. Of random keys one in ten thousand is underestimated;
 * a chosen one may be overestimated.
 */
export function estimateEntropyBits(key: string): number {
  if (uuid.test(key)) return uuidBits
  // Neither the prefix of our own keys nor the padding of base64 adds anything.
  const text = key.replace(/^atradmin_/, '').replace(/(?<!=)=+$/, '')
  const ofCharacters = countUnpatterned(text) * bitsOfCharacter(text)
  return consistsOfWords(text) ? Math.min(ofCharacters, bitsOfWords(text)) : ofCharacters
}

function bitsOfCharacter(text: string): number {
  return alphabets.find(([characters]) => characters.test(text))?.[1] ?? 0
}

/** The length without parts that repeat an earlier one or count up or down. */
function countUnpatterned(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; ) {
    const length = Math.max(repeatLength(text, at), sequenceLength(text, at))
    const isPattern = length >= patternLengthMin
    count += isPattern ? patternCharacters : 1
    at += isPattern ? length : 1
  }
  return count
}

/** How much of the text from here on has stood before. The two may overlap: `abcabcabc` repeats `abc`. */
function repeatLength(text: string, at: number): number {
  let longest = 0
  for (let from = 0; from < at; from++) {
    let length = 0
    while (at + length < text.length && text[from + length] === text[at + length]) length++
    longest = Math.max(longest, length)
  }
  return longest
}

/** `aaa`, `123`, `cba`. */
function sequenceLength(text: string, at: number): number {
  const stepAt = (index: number) => text.charCodeAt(index + 1) - text.charCodeAt(index)
  const step = stepAt(at)
  if (!(Math.abs(step) <= 1)) return 1
  let end = at + 1
  while (end + 1 < text.length && stepAt(end) === step) end++
  return end - at + 1
}

/** Words in any of the ways to join them: `correct-horse`, `CorrectHorse7`, `CORRECT_HORSE`. */
function lettersOf(text: string): string[] {
  return text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
}

/**
 * Whether this looks like words: mostly letters, in parts that can be pronounced, without a digit in their middle, with the
 * vowels and the frequent letters of European languages. Of random keys hardly one in a thousand does.
 */
function consistsOfWords(text: string): boolean {
  const words = lettersOf(text)
  const letters = words.join('')
  const share = (of: RegExp) => (letters.match(of)?.length ?? 0) / letters.length
  return (
    letters.length >= 3 * words.length &&
    letters.length >= 0.6 * text.length &&
    !/[a-z]\d[a-z]/i.test(text) &&
    words.every((word) => !/[^aeiouy]{5}/i.test(word) && (word.length < 3 || /[aeiouy]/i.test(word))) &&
    share(/[aeiou]/gi) >= 0.27 &&
    share(/[etaoinsrhldcm]/gi) >= 0.7
  )
}

function bitsOfWords(text: string): number {
  const letters = lettersOf(text).join('').length
  return letters * bitsOfWordLetter + (text.length - letters) * Math.log2(10)
}
