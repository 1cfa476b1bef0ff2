import { seededRandom } from './seeded-random.ts'

const words =
  'the budget for next year is ready we should send it on friday and then ask ben about letters who pays 4400 euros in march my plan needs two more people or a quieter office'.split(
    ' ',
  )

/** What people say in turn: each line differs from all others. */
export function conversation({
  speakers,
  wordsInLine,
  seed,
}: {
  speakers: string[]
  wordsInLine: number
  seed: number
}) {
  const random = seededRandom(seed)
  let lines = 0
  return {
    next: (): [speaker: string, text: string] => {
      const speaker = speakers[lines % speakers.length] ?? ''
      const text = Array.from({ length: wordsInLine - 1 }, () => random.oneOf(words))
      return [speaker, [...text, `n${++lines}`].join(' ')]
    },
  }
}

/** How many words have to be changed, left out or added to make one text of the other (Levenshtein's distance). */
export function wordErrors(expected: string[], heard: string[]): number {
  let row = heard.map((_, index) => index + 1)
  for (const [index, word] of expected.entries()) {
    let diagonal = index
    let left = index + 1
    row = row.map((above, at) => {
      const best = Math.min(above + 1, left + 1, diagonal + (heard[at] === word ? 0 : 1))
      diagonal = above
      left = best
      return best
    })
  }
  return row.at(-1) ?? expected.length
}
