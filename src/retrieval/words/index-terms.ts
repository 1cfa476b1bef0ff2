import type { Language } from '../language/language.ts'
import { splitWords } from './split-words.ts'
import { termFor } from './term.ts'

/** `terms`: a term to its positions, from 1, in rising order. `length`: how many words there are. */
export type IndexTerms = { terms: Map<string, number[]>; length: number }

/** The highest position that PostgreSQL's `tsvector` keeps. */
export const positionMax = 16_383
/** No phrase reaches from a title or heading into the text after it. */
const gap = 10

/** The index terms of a chunk: of its title, its headings and its text, in this order. Linear in their length. */
export function indexTerms(chunk: { title: string; headings: string[]; text: string; language: Language }): IndexTerms {
  const terms = new Map<string, number[]>()
  let position = 0
  let length = 0
  for (const field of [chunk.title, ...chunk.headings, chunk.text]) {
    for (const { text } of splitWords(field)) {
      position += 1
      length += 1
      addPosition(terms, termFor(text, chunk.language), Math.min(position, positionMax))
    }
    position += gap
  }
  return { terms, length }
}

function addPosition(terms: Map<string, number[]>, term: string, position: number) {
  const positions = terms.get(term)
  if (positions === undefined) terms.set(term, [position])
  else if (positions.at(-1) !== position) positions.push(position)
}
