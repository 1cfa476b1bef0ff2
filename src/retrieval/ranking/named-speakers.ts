import type { CountedTerm } from '../query/query.ts'
import type { Span } from '../sentences/split-sentences.ts'
import type { MatchedWord } from './term-matches.ts'

/** What one speaker said, and the terms of the query that are in the speaker's name: none if the query does not name them. */
export type SpokenLine = Span & { words: MatchedWord[]; nameTerms: number[] }

/**
 * The lines of a transcript. `words`: all of its text, in order. `spans`: what was said in each line, in order; the speaker's
 * name stands before it.
 */
export function spokenLines(
  words: readonly MatchedWord[],
  spans: readonly Span[],
  terms: readonly CountedTerm[],
): SpokenLine[] {
  let at = 0
  const take = (isWanted: (word: MatchedWord) => boolean): MatchedWord[] => {
    const from = at
    while (at < words.length && isWanted(words[at] as MatchedWord)) at += 1
    return words.slice(from, at)
  }
  return spans.map(({ start, end }) => {
    const name = take((word) => word.start < start)
    return { start, end, nameTerms: namedBy(name, terms), words: take((word) => word.start < end) }
  })
}

/**
 * A query names a speaker by the whole name, by two words of it ("Patty Hajdu" of "Hon. Patty Hajdu, Minister of Health"), or by
 * its first or last word, if that is written like a name ("Anna" of "Anna Meyer", but not "project" of "Project Manager"). A
 * letter or digit has to be named too: "Speaker 2" is not "Speaker 1".
 */
function namedBy(name: readonly MatchedWord[], terms: readonly CountedTerm[]): number[] {
  const found = name.map(({ matches }) => matches.find(({ degree }) => degree === 1)?.term)
  const telling = new Set(found.filter((term) => term !== undefined && !terms[term]?.isCommon))
  const lacksLetter = name.some(({ start, end }, at) => found[at] === undefined && end - start === 1)
  const isByOne = !lacksLetter && [found[0], found.at(-1)].some((term) => term !== undefined && terms[term]?.isName)
  const isNamed = telling.size >= 2 || (telling.size === 1 && (isByOne || !found.includes(undefined)))
  return isNamed ? [...new Set(found.filter((term) => term !== undefined))] : []
}
