import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { CountedTerm, Phrase, QueryTerm } from '../../retrieval/query/query.ts'
import { scoreChunks } from '../../retrieval/ranking/bm25.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { anyOf, countPositions, lexemePrefix, quoteLexeme } from '../search-index/lexeme.rules.ts'
import {
  type Candidate,
  type FindingStep,
  type FoundChunk,
  findChunks,
  foundMax,
  type ItemConditions,
  type LanguageTotals,
  rateChunks,
  readVectors,
} from './candidate.store.ts'
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

/** So many are kept for the exact order. */
const keptMax = 400
// The embedded database holds the event loop while a statement runs. To rate 500 chunks, or to read the words of 200, took it 7 ms,
// and less than 10 in 95 of 100 cases.
const ratedAtOnce = 500
const readAtOnce = 200
const triesMax = 3

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
  const find: Finding = {
    steps: findingSteps(finding, { query, chunkTotal: totals.reduce((sum, { chunks }) => sum + chunks, 0) }),
    required: required.map((phrases) => phrases.map((phrase) => phraseQuery(phrase, prefix)).join(' | ')),
    excluded: excluded.map((phrase) => phraseQuery(phrase, prefix)),
  }
  const list = () => listCandidates(visible, { scope, asking }, { find, order: query(known) })
  let listed = await list()
  // What was indexed again in between is found under its new number.
  for (let tries = 1; !listed.isWhole && tries < triesMax; tries++) listed = await list()
  return await score(listed.candidates, { known, totals, prefix })
}

/** `steps`: one after another, until enough is found. */
type Finding = ItemConditions & { steps: readonly FindingStep[] }

/** `isWhole`: all that was found still existed when it was read. */
async function listCandidates(
  visible: Visibility,
  { scope, asking }: { scope: TenantScope; asking: Asking },
  { find, order }: { find: Finding; order: string },
): Promise<{ candidates: Candidate[]; isWhole: boolean }> {
  const found = await findInSteps(visible, { scope, asking }, find)
  const ordered = found.length <= keptMax ? found : await orderByRate(scope, found, order)
  const kept = ordered.slice(0, keptMax)
  const vectors = await inPieces(kept, readAtOnce, (keys) => readVectors(scope, keys))
  const vectorOf = new Map(vectors.map((it) => [chunkKey(it), it]))
  const candidates = kept.flatMap((chunk) => {
    const read = vectorOf.get(chunkKey(chunk))
    return read ? [{ ...chunk, ...read }] : []
  })
  return { candidates, isWhole: ordered.length === found.length && candidates.length === kept.length }
}

async function findInSteps(
  visible: Visibility,
  { scope, asking }: { scope: TenantScope; asking: Asking },
  { steps, ...conditions }: Finding,
): Promise<FoundChunk[]> {
  const found = new Map<string, FoundChunk>()
  const pause = yieldPeriodically()
  for (const step of steps) {
    for (const chunk of await findChunks(visible, scope, asking, { ...step, ...conditions })) {
      if (found.size < foundMax) found.set(chunkKey(chunk), chunk)
    }
    if (found.size === foundMax) break
    await pause()
  }
  return [...found.values()]
}

async function orderByRate(scope: TenantScope, found: readonly FoundChunk[], order: string): Promise<FoundChunk[]> {
  const rates = await inPieces(found, ratedAtOnce, (keys) => rateChunks(scope, order, keys))
  const rateOf = new Map(rates.map((it) => [chunkKey(it), it.rate]))
  return found
    .flatMap((chunk) => {
      const rate = rateOf.get(chunkKey(chunk))
      return rate === undefined ? [] : [{ chunk, rate }]
    })
    .sort((a, b) => b.rate - a.rate || inOrder(a.chunk, b.chunk))
    .map(({ chunk }) => chunk)
}

async function inPieces<T, R>(
  all: readonly T[],
  size: number,
  work: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const results: R[] = []
  const pause = yieldPeriodically()
  for (let from = 0; from < all.length; from += size) {
    results.push(...(await work(all.slice(from, from + size))))
    await pause()
  }
  return results
}

const chunkKey = ({ indexedId, ordinal }: { indexedId: string; ordinal: number }) => `${indexedId} ${ordinal}`

type Placed = Pick<Candidate, 'itemId' | 'ordinal'>

const inOrder = (a: Placed, b: Placed) => (a.itemId < b.itemId ? 1 : a.itemId > b.itemId ? -1 : a.ordinal - b.ordinal)

/**
 * First all that has one of the rarest terms, and then, as far as there is room, what has any other. Where even the rarest term is
 * too common, what has it together with another one comes first.
 */
function findingSteps(
  terms: readonly CountedTerm[],
  { query, chunkTotal }: { query: (some: readonly QueryTerm[]) => string; chunkTotal: number },
): FindingStep[] {
  const any = (some: readonly CountedTerm[]): FindingStep => ({ query: query(some), isRare: isRare(some, chunkTotal) })
  let sum = 0
  const rare = terms.filter(({ chunkCount }) => {
    sum += chunkCount
    return sum <= candidatesAim
  })
  const others = terms.slice(rare.length)
  if (rare.length > 0) return others.length === 0 ? [any(rare)] : [any(rare), any(others)]
  const [next, ...rest] = others as [CountedTerm, ...CountedTerm[]]
  if (rest.length === 0) return [any([next])]
  const together = { query: `(${query([next])}) & (${query(rest)})`, isRare: isRare([next], chunkTotal) }
  return [together, any(terms)]
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
    .sort((a, b) => b.score - a.score || inOrder(a, b))
}
