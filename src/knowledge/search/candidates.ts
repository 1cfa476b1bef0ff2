import type { CountedTerm, Phrase, QueryTerm } from '../../retrieval/query/query.ts'
import { scoreChunks } from '../../retrieval/ranking/bm25.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { anyOf, countPositions, lexemePrefix, quoteLexeme } from '../search-index/lexeme.rules.ts'
import { type Candidate, type LanguageTotals, listCandidates } from './candidate.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

export type WantedChunks = {
  terms: readonly CountedTerm[]
  /** Of each list one phrase must be found in the document or meeting. */
  required: readonly (readonly Phrase[])[]
  /** None of them may be found there. */
  excluded: readonly Phrase[]
}

export type RankedChunk = Candidate & { score: number }

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
  // A filter may hide what the rarest terms find. What is left is little enough to look for all of them.
  const isNarrow = required.length + excluded.length > 0 || Object.values(asking.filter).some((it) => it !== undefined)
  const steps = isNarrow ? { first: query(finding), more: null } : findingSteps(finding, query)
  const candidates = await listCandidates(visible, scope, asking, { ...steps, ...conditions })
  return score(candidates, { known, totals, prefix })
}

/**
 * First all that has one of the rarest terms; then what has the next one, together with any other term, as far as there is
 * room.
 */
function findingSteps(terms: readonly CountedTerm[], query: (some: readonly QueryTerm[]) => string) {
  let sum = 0
  const rare = terms.filter(({ chunkCount }) => {
    sum += chunkCount
    return sum <= candidatesAim
  })
  const [next, ...others] = terms.slice(rare.length)
  if (next === undefined) return { first: query(rare), more: null }
  const more = others.length === 0 ? query([next]) : `(${query([next])}) & (${query(others)})`
  return rare.length === 0 ? { first: more, more: null } : { first: query(rare), more }
}

function phraseQuery(phrase: Phrase, prefix: string): string {
  return `(${phrase
    .map(({ forms }) => `(${forms.map((form) => quoteLexeme(prefix + form)).join(' | ')})`)
    .join(' <-> ')})`
}

type Scoring = { known: readonly CountedTerm[]; totals: readonly LanguageTotals[]; prefix: string }

function score(candidates: readonly Candidate[], { known, totals, prefix }: Scoring): RankedChunk[] {
  const chunkTotal = totals.reduce((sum, { chunks }) => sum + chunks, 0)
  const wordTotal = totals.reduce((sum, { words }) => sum + words, 0)
  const lexemes = known.map(({ forms }) => forms.map((form) => prefix + form))
  const counted = candidates.map(({ vector, wordCount }) => ({
    counts: lexemes.map((forms) => countPositions(vector, forms).reduce((sum, count) => sum + count, 0)),
    length: wordCount,
  }))
  const statistics = { terms: known, chunkTotal, averageLength: wordTotal / Math.max(1, chunkTotal) }
  const scores = scoreChunks(statistics, counted)
  return candidates
    .map((candidate, index) => ({ ...candidate, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.itemId < b.itemId ? 1 : a.itemId > b.itemId ? -1 : a.ordinal - b.ordinal))
}
