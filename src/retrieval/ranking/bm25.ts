import type { CountedTerm } from '../query/query.ts'

/** Of the chunks that may be searched: how many there are, and how many words each has on average. */
export type CollectionStatistics = { chunkTotal: number; averageLength: number }

/** `counts`: how often each term of the query occurs in a chunk, in the query's order. `length`: the chunk's words. */
export type Candidate = { counts: number[]; length: number }

const k1 = 1.2
const b = 0.75

/** How rare a term is: 0 where every chunk has it (Lucene's form of the inverse document frequency). */
export function termWeight({ chunkCount, isCommon, isFraming }: CountedTerm, chunkTotal: number): number {
  const rarity = Math.log(1 + (Math.max(chunkTotal, chunkCount) - chunkCount + 0.5) / (chunkCount + 0.5))
  if (isCommon) return rarity * commonShare
  return isFraming ? rarity * framingShare : rarity
}
/** A common word decides only between chunks that are equal otherwise. */
const commonShare = 0.05
/** Chosen on the training meetings of QMSum: hit@5 in all of 40 meetings rose from 0.585 to 0.605. */
const framingShare = 0.4

/** The BM25 score of each candidate, in their order; 0 where none of the terms occurs. */
export function scoreChunks(
  query: CollectionStatistics & { terms: readonly CountedTerm[] },
  candidates: readonly Candidate[],
): number[] {
  const weights = query.terms.map((term) => termWeight(term, query.chunkTotal))
  return candidates.map((candidate) => bm25(candidate, weights, query.averageLength))
}

/** `weights`: of each term, in the order of `counts`. */
export function bm25({ counts, length }: Candidate, weights: readonly number[], averageLength: number): number {
  const saturation = k1 * (1 - b + (b * length) / Math.max(averageLength, 1))
  return weights.reduce((sum, weight, i) => {
    const count = counts[i] ?? 0
    return count === 0 ? sum : sum + (weight * count * (k1 + 1)) / (count + saturation)
  }, 0)
}
