import { searchTerms } from './search-terms.rules.ts'

// The usual constants of BM25 (Robertson and Zaragoza, 2009).
const saturation = 1.2
const lengthWeight = 0.75
// Questions rarely have more words, and more only cost time.
const termsMax = 32
// A passage that scores less than half as much as the best one does not fit the question.
const leastShareOfQuotes = 0.5

/** `index`: the entry's index in the transcript. */
type Match = { seq: number; index: number; counts: number[]; length: number }

export type RankedEntry = { seq: number; index: number; score: number }

export type Ranking = ReturnType<typeof entryRanking>

/**
 * Ranks entries by how well they answer a question, with BM25 over its words. The speaker's name counts as text of the
 * entry.
 */
export function entryRanking(question: string) {
  const terms = [...new Set(searchTerms(question))].slice(0, termsMax)
  const indexOf = new Map(terms.map((term, index) => [term, index]))
  const frequencies = terms.map(() => 0)
  const matches: Match[] = []
  /** The numbers of all entries, in their order. */
  const seqs: number[] = []
  let words = 0

  const score = ({ counts, length }: Match): number => {
    const entries = seqs.length
    const mean = words / entries
    return counts.reduce((sum, count, index) => {
      if (count === 0) return sum
      const frequency = frequencies[index] as number
      const rarity = Math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5))
      const weight = saturation * (1 - lengthWeight + (lengthWeight * length) / mean)
      return sum + (rarity * count * (saturation + 1)) / (count + weight)
    }, 0)
  }

  return {
    terms,
    entryCount: () => seqs.length,
    add: ({ seq, speaker, text }: { seq: number; speaker: string; text: string }): void => {
      seqs.push(seq)
      const counts = terms.map(() => 0)
      let length = 0
      let isMatch = false
      for (const term of searchTerms(`${speaker} ${text}`)) {
        length += 1
        const index = indexOf.get(term)
        if (index === undefined) continue
        counts[index] = (counts[index] as number) + 1
        isMatch = true
      }
      words += length
      if (!isMatch) return
      for (const [index, count] of counts.entries())
        if (count > 0) frequencies[index] = (frequencies[index] as number) + 1
      matches.push({ seq, index: seqs.length - 1, counts, length })
    },
    matchCount: () => matches.length,
    /** The best entries, best first. Empty where no word of the question was said. */
    best: ({ max, leastShare = leastShareOfQuotes }: { max: number; leastShare?: number }): RankedEntry[] => {
      const best: RankedEntry[] = []
      for (const match of matches) {
        const found = { seq: match.seq, index: match.index, score: score(match) }
        if (best.length === max && found.score <= (best.at(-1) as RankedEntry).score) continue
        best.push(found)
        best.sort((a, b) => b.score - a.score || a.seq - b.seq)
        best.length = Math.min(best.length, max)
      }
      const least = (best[0]?.score ?? 0) * leastShare
      return best.filter(({ score }) => score >= least)
    },
    /** The numbers of an entry and of those around it. */
    around: ({ index }: RankedEntry, { before, after }: { before: number; after: number }): number[] =>
      seqs.slice(Math.max(0, index - before), index + after + 1),
  }
}
