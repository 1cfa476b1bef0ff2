import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { CountedTerm, Phrase, QueryTerm } from '../../retrieval/query/query.ts'
import { scoreChunks } from '../../retrieval/ranking/bm25.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { anyOf, countPositions, lexemePrefix, quoteLexeme } from '../search-index/lexeme.rules.ts'
import { type Candidate, type FindingStep, foundMax, type LanguageTotals, listCandidates } from './candidate.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

export type WantedChunks = {
  terms: readonly CountedTerm[]
  /** Of each list one phrase must be found in the document or meeting. */
  required: readonly (readonly Phrase[])[]
  /** None of them may be found there. */
  excluded: readonly Phrase[]
}

export type RankedChunk = Omit<Candidate, 'vector'> & { score: number }

/** How many candidates the terms should find together: what the first step takes. */
const candidatesAim = 1500

/** The chunks that fit best, best first. */
export async function rankChunks(
  { visible, totals }: { visible: Visibility; totals: readonly LanguageTotals[] },
  { scope, asking }: { scope: TenantScope; asking: Asking },
  { terms, required, excluded }: WantedChunks,
): Promise<RankedChunk[]> {
  const known = terms.filter(({ chunkCount }) => chunkCount > 0).sort((a, b) => a.chunkCount - b.chunkCount)
  const telling = known.filter(({ isCommon }) => !isCommon)
  const finding = telling.length > 0 ? telling : known
  if (finding.length === 0) return []
  const prefix = lexemePrefix(asking.orgId)
  const query = (some: readonly QueryTerm[]) => anyOf(some.flatMap(({ forms }) => forms).map((form) => prefix + form))
  const conditions = {
    orders: query(known),
    required: required.map((phrases) => phrases.map((phrase) => phraseQuery(phrase, prefix)).join(' | ')),
    excluded: excluded.map((phrase) => phraseQuery(phrase, prefix)),
  }
  const chunkTotal = totals.reduce((sum, { chunks }) => sum + chunks, 0)
  const steps = findingSteps(finding, { query, chunkTotal })
  const candidates = await listCandidates(visible, scope, asking, { ...steps, ...conditions })
  return await score(candidates, { known, totals, prefix })
}

/**
 * First all that has one of the rarest terms, and then, as far as there is room, what has any other. Where even the rarest term is
 * too common, what has it together with another one comes first.
 */
function findingSteps(
  terms: readonly CountedTerm[],
  { query, chunkTotal }: { query: (some: readonly QueryTerm[]) => string; chunkTotal: number },
): { first: FindingStep; more: FindingStep | null } {
  const any = (some: readonly CountedTerm[]): FindingStep => ({ query: query(some), isRare: isRare(some, chunkTotal) })
  let sum = 0
  const rare = terms.filter(({ chunkCount }) => {
    sum += chunkCount
    return sum <= candidatesAim
  })
  const others = terms.slice(rare.length)
  if (rare.length > 0) return { first: any(rare), more: others.length === 0 ? null : any(others) }
  const [next, ...rest] = others as [CountedTerm, ...CountedTerm[]]
  if (rest.length === 0) return { first: any([next]), more: null }
  return {
    first: { query: `(${query([next])}) & (${query(rest)})`, isRare: isRare([next], chunkTotal) },
    more: any(terms),
  }
}

/**
 * Whether chunks with any of the terms are found sooner by the index of terms, which gives all of them, than by reading chunks in
 * their order until enough are found. To read a chunk and look for a term takes about three times as long as to
 * take one from the index.
 */
function isRare(terms: readonly CountedTerm[], chunkTotal: number): boolean {
  const matches = terms.reduce((sum, { chunkCount }) => sum + chunkCount, 0)
  const readInOrder = (foundMax * chunkTotal) / Math.max(1, matches)
  return matches < 3 * readInOrder
}

function phraseQuery(phrase: Phrase, prefix: string): string {
  return `(${phrase
    .map(({ forms }) => `(${forms.map((form) => quoteLexeme(prefix + form)).join(' | ')})`)
    .join(' <-> ')})`
}

type Scoring = { known: readonly CountedTerm[]; totals: readonly LanguageTotals[]; prefix: string }

async function score(candidates: readonly Candidate[], { known, totals, prefix }: Scoring): Promise<RankedChunk[]> {
  const chunkTotal = totals.reduce((sum, { chunks }) => sum + chunks, 0)
  const wordTotal = totals.reduce((sum, { words }) => sum + words, 0)
  const lexemes = known.map(({ forms }) => forms.map((form) => prefix + form))
  const pause = yieldPeriodically()
  const counted: { counts: number[]; length: number }[] = []
  for (const { vector, wordCount } of candidates) {
    const counts = lexemes.map((forms) => countPositions(vector, forms).reduce((sum, count) => sum + count, 0))
    counted.push({ counts, length: wordCount })
    await pause()
  }
  const statistics = { terms: known, chunkTotal, averageLength: wordTotal / Math.max(1, chunkTotal) }
  const scores = scoreChunks(statistics, counted)
  return candidates
    .map((candidate, index) => ({ ...candidate, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.itemId < b.itemId ? 1 : a.itemId > b.itemId ? -1 : a.ordinal - b.ordinal))
}
