import type { Passage } from '../../src/retrieval/answering/passage.ts'
import type { Language } from '../../src/retrieval/language/language.ts'
import type { CountedTerm } from '../../src/retrieval/query/query.ts'
import { questionTerms } from '../../src/retrieval/query/query-terms.ts'
import { type CollectionStatistics, scoreChunks } from '../../src/retrieval/ranking/bm25.ts'
import { rerank } from '../../src/retrieval/ranking/rerank.ts'
import { surroundingScores } from '../../src/retrieval/ranking/surroundings.ts'
import type { Span } from '../../src/retrieval/sentences/split-sentences.ts'
import { type IndexTerms, indexTerms } from '../../src/retrieval/words/index-terms.ts'

/** `unit`: what is looked for, such as a paragraph or a meeting. `group`: what can be taken out, such as an article. */
export type Chunk = {
  unit: number
  group: number
  text: string
  title: string
  headings: string[]
  language: Language
  spans?: Span[]
  ordinal?: number
  first?: number
  last?: number
}

export type Indexed = Chunk & { index: IndexTerms }
export type Ranked = { chunk: Indexed; score: number }
export type Ranking = { terms: CountedTerm[]; statistics: CollectionStatistics; ranked: Ranked[] }
/** `isWanted`: within what is visible, which decides how rare words are. */
export type Ranker = (
  question: string,
  isVisible: (chunk: Chunk) => boolean,
  isWanted?: (chunk: Chunk) => boolean,
) => Ranking

const rerankedMax = 30

/** An index in memory, which is asked as the service asks its tables, but that all visible chunks are candidates. */
export function buildCollection(chunks: Chunk[], languages: Language[]) {
  const all = chunks.map((chunk): Indexed => ({ ...chunk, index: indexTerms(chunk) }))
  const byTerm = new Map<string, Set<number>>()
  for (const [i, { index }] of all.entries())
    for (const term of index.terms.keys()) {
      const found = byTerm.get(term) ?? new Set<number>()
      byTerm.set(term, found.add(i))
    }

  const rank: Ranker = (question, isVisible, isWanted = () => true) => {
    const visible = all.map(isVisible)
    const chunkTotal = visible.filter(Boolean).length
    const length = all.reduce((sum, { index }, i) => sum + (visible[i] ? index.length : 0), 0)
    const statistics = { chunkTotal, averageLength: length / Math.max(1, chunkTotal) }
    const terms = questionTerms(question, languages).map((term): CountedTerm => {
      const holders = new Set(term.forms.flatMap((form) => [...(byTerm.get(form) ?? [])]))
      return { ...term, chunkCount: [...holders].filter((i) => visible[i]).length }
    })
    const candidates = all.filter((chunk, i) => visible[i] && isWanted(chunk))
    const scores = scoreChunks(
      { terms, ...statistics },
      candidates.map(({ index }) => ({
        counts: terms.map(({ forms }) => countOf(index, forms)),
        length: index.length,
      })),
    )
    const ranked = candidates
      .map((chunk, i) => ({ chunk, score: scores[i] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
    const best = ranked.splice(0, rerankedMax)
    const again = rerank(
      { terms, ...statistics },
      best.map(({ chunk }) => chunk),
    )
    const around = addSurroundings(best, [...best, ...ranked])
    const reranked = best
      .map(({ chunk }, i) => ({ chunk, score: Math.max(0, (again[i] ?? 0) + (around[i] ?? 0)) }))
      .sort((a, b) => b.score - a.score)
    return { terms, statistics, ranked: [...reranked, ...ranked] }
  }
  return { all, rank }
}

/** Only chunks of transcripts have an ordinal. */
function addSurroundings(best: Ranked[], candidates: Ranked[]): number[] {
  const toPlace = ({ chunk: { unit, ordinal = 0 }, score }: Ranked) => ({ meeting: unit, ordinal, score })
  if (best.some(({ chunk }) => chunk.ordinal === undefined)) return best.map(() => 0)
  return surroundingScores(best.map(toPlace), candidates.map(toPlace))
}

const countOf = ({ terms }: IndexTerms, forms: string[]) =>
  forms.reduce((sum, form) => sum + (terms.get(form)?.length ?? 0), 0)

export const toPassage = ({ chunk, score }: Ranked): Passage => ({
  text: chunk.text,
  title: chunk.title,
  headings: chunk.headings,
  language: chunk.language,
  score,
  ...(chunk.spans && { spans: chunk.spans }),
})

/** The units of the ranked chunks, each once. */
export const rankedUnits = (ranked: Ranked[]) => [...new Set(ranked.map(({ chunk }) => chunk.unit))]
