import { seededRandom } from './seeded-random.ts'

const consonants = 'bcdfghklmnprstvz'
const vowels = 'aeiou'
const vocabularySize = 60_000

/** Sentences of invented words, of which few are frequent and most are rare, as in any language. The same seed gives the same. */
export function generatedText(seed: number) {
  const { fraction } = seededRandom(seed)
  const vocabulary = Array.from({ length: vocabularySize }, (_, index) => inventedWord(index))
  const word = () => vocabulary[Math.floor(Math.exp(fraction() * Math.log(vocabularySize))) - 1] ?? 'lobo'
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const sentence = () => `The ${words(14)} of ${word()}.`
  return {
    sentence,
    paragraph: () => Array.from({ length: 10 }, sentence).join(' '),
    question: () => `What is the ${words(3)} of the ${word()} and ${word()}?`,
    words,
  }
}

/** Different for each index; frequent ones are short. */
function inventedWord(index: number): string {
  let word = ''
  for (let rest = index + 16; rest > 0; rest = Math.floor(rest / 80))
    word += `${consonants[rest % 16]}${vowels[Math.floor(rest / 16) % 5]}`
  return `${word}${consonants[index % 16]}`
}
