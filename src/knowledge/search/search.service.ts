import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { fairLimit } from '../../kernel/fair-limit.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { snippet } from '../../retrieval/answering/snippet.ts'
import { loadCommonWords } from '../../retrieval/language/common-words.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { parseQuery } from '../../retrieval/query/parse-query.ts'
import type { CountedTerm, QueryTerm } from '../../retrieval/query/query.ts'
import type { CollectionStatistics } from '../../retrieval/ranking/bm25.ts'
import { rerank } from '../../retrieval/ranking/rerank.ts'
import { spreadOut } from '../../retrieval/ranking/spread-out.ts'
import { surroundingScores } from '../../retrieval/ranking/surroundings.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { countSearched, readTotals, type Searched } from './candidate.store.ts'
import { type RankedChunk, rankChunks, type WantedChunks } from './candidates.ts'
import { type Passage, type Quote, quoteOf, toReadChunk } from './passage.rules.ts'
import type { PassageReader } from './passages.ts'
import { readTerms } from './term-reading.ts'
import { type Closest, type VectorSearch, withMeaning } from './vector-search.ts'
import type { Asking, SearchFilter, Visibility } from './visible.store.ts'
import { countWaiting } from './waiting.store.ts'

export type SearchDeps = {
  visible: Visibility
  passages: PassageReader
  members: OrganizationMembers
  /** Null: words alone decide. */
  vectors: VectorSearch | null
}

/** What was searched. `waiting`: documents and meetings that cannot be found yet. */
export type SearchedTotals = Searched & { waiting: number }

/** What fits a query best, best first. */
export type Ranking = {
  chunks: RankedChunk[]
  /** Null: words alone decide. */
  closeness: Closest['closeness'] | null
  terms: CountedTerm[]
  statistics: CollectionStatistics
  corrected: Record<string, string>
}

/** `read` gets the languages of what the reader may read. */
export type TextQuery = { text: string; read: (languages: Language[]) => WantedTerms }

/** A query as its words are read in the languages of what is searched. */
export type WantedTerms = {
  terms: readonly QueryTerm[]
  required?: WantedChunks['required']
  excluded?: WantedChunks['excluded']
}

/** A result, with the text around the words that were searched for. `marks`: UTF-16 offsets in the quote. */
export type SearchHit = { quote: Quote; marks: [start: number, end: number][] }

/** A passage with what it is worth for the query. */
export type RatedPassage = { passage: Passage; score: number }

/** The texts of so many chunks are read to find their order. */
const rerankedMax = 30
const ratedAtOnce = 10
// Each reads some hundred entries of the index.
const searchLimits = { concurrent: 8, queueMax: 400, keyQueueMax: 100 }

export type SearchAnswer = { hits: SearchHit[]; corrected: Record<string, string>; searched: SearchedTotals }

export type Searching = ReturnType<typeof searchService>

export function searchService({ visible, passages, members, vectors }: SearchDeps) {
  const limitSearches = fairLimit(searchLimits)

  /** The chunks that fit, best first. */
  async function rank(scope: TenantScope, asking: Asking, { text, read }: TextQuery): Promise<Ranking> {
    const vector = vectors?.embedQuery(scope, text) ?? Promise.resolve(null)
    const totals = await readTotals(visible, scope, asking)
    const languages = totals.map(({ language }) => language)
    await loadCommonWords()
    const wanted = read(languages)
    const reading = await readTerms({ visible, languages }, { scope, asking }, wanted.terms)
    const { terms, corrected } = reading
    const { excluded = [] } = wanted
    const required = (wanted.required ?? []).map((phrases) => phrases.map((phrase) => phrase.map(reading.read)))
    const chunks = await rankChunks({ visible, totals }, { scope, asking }, { terms, required, excluded })
    const chunkTotal = totals.reduce((sum, it) => sum + it.chunks, 0)
    const averageLength = totals.reduce((sum, it) => sum + it.words, 0) / Math.max(1, chunkTotal)
    const mayAdd = required.length === 0 && excluded.length === 0
    const closest = await vectors?.findClosest({ scope, asking }, { vector, chunks, chunkTotal, mayAdd })
    return {
      chunks: closest?.chunks ?? chunks,
      closeness: closest?.closeness ?? null,
      ...{ terms, corrected, statistics: { chunkTotal, averageLength } },
    }
  }

  /** The best chunks as they are stored now, in the order that their texts decide, and how they were found. */
  async function findBest(
    scope: TenantScope,
    asking: Asking,
    { count, ...query }: TextQuery & { count: number },
  ): Promise<{ ranking: Ranking; best: RatedPassage[] }> {
    const find = async () => {
      const ranking = await rank(scope, asking, query)
      const chunks = ranking.chunks.slice(0, Math.max(count, rerankedMax))
      return { ranking, chunks, found: await passages.read(scope, asking, chunks) }
    }
    const first = await find()
    // What was indexed again in between is found under its new number.
    const { ranking, found } = first.found.length < first.chunks.length ? await find() : first
    const rated = addMeaning(addSurroundings(await rate(found, ranking), ranking), ranking)
    const best = spreadOut(
      rated.sort((a, b) => b.score - a.score),
      areOfOnePlace,
    )
    return { ranking, best: best.slice(0, count) }
  }

  async function rate(found: readonly Passage[], { terms, statistics }: Ranking): Promise<RatedPassage[]> {
    const rated: RatedPassage[] = []
    const pause = yieldPeriodically()
    for (let from = 0; from < found.length; from += ratedAtOnce) {
      const some = found.slice(from, from + ratedAtOnce)
      const scores = rerank({ ...statistics, terms }, some.map(toReadChunk))
      rated.push(...some.map((passage, index) => ({ passage, score: scores[index] ?? 0 })))
      await pause()
    }
    return rated
  }

  async function totals(scope: TenantScope, asking: Asking): Promise<SearchedTotals> {
    const searched = await countSearched(visible, scope, asking)
    return { ...searched, waiting: await countWaiting(visible, scope, asking) }
  }

  /** Refuses NOT_FOUND to who is no member, and UNAVAILABLE where too many search. */
  async function search(
    scope: TenantScope,
    { user, orgId, filter }: { user: { id: string }; orgId: string; filter: SearchFilter },
    { text, limit }: { text: string; limit: number },
  ): Promise<SearchAnswer> {
    await members.get(scope, user, { orgId })
    const asking: Asking = { orgId, reader: { userId: user.id }, filter }
    const { ranking, best } = await limitSearches(scope.tenantId, () =>
      findBest(scope, asking, { text, read: (languages) => parseQuery(text, languages), count: limit }),
    )
    const hits: SearchHit[] = []
    const pause = yieldPeriodically()
    for (const { passage } of best) {
      hits.push(...hit(passage, ranking.terms))
      await pause()
    }
    return { hits, corrected: ranking.corrected, searched: await totals(scope, asking) }
  }

  return { search, findBest, totals }
}

function addSurroundings(rated: RatedPassage[], { chunks }: Ranking): RatedPassage[] {
  const spoken = rated.filter(({ passage }) => passage.kind === 'meeting')
  const added = surroundingScores(
    spoken.map(({ passage: { itemId, ordinal } }) => ({ meeting: itemId, ordinal })),
    chunks.map(({ itemId, ordinal, score }) => ({ meeting: itemId, ordinal, score })),
  )
  const scores = new Map(spoken.map(({ passage, score }, index) => [passage, score + (added[index] ?? 0)]))
  return rated.map(({ passage, score }) => ({ passage, score: Math.max(0, scores.get(passage) ?? score) }))
}

function addMeaning(rated: RatedPassage[], { closeness }: Ranking): RatedPassage[] {
  if (closeness === null) return rated
  const scores = withMeaning(
    rated.map(({ score }) => score),
    rated.map(({ passage }) => closeness(passage)),
  )
  return rated.map(({ passage }, index) => ({ passage, score: scores[index] ?? 0 }))
}

/** Next to each other in one meeting. Sections of documents are cut where a new thought begins. */
function areOfOnePlace({ passage: a }: RatedPassage, { passage: b }: RatedPassage): boolean {
  return a.kind === 'meeting' && b.kind === 'meeting' && a.itemId === b.itemId && Math.abs(a.ordinal - b.ordinal) === 1
}

/** None where the passage has changed so that nothing can be shown of it. */
function hit(passage: Passage, terms: readonly QueryTerm[]): SearchHit[] {
  // A transcript's snippet lies within one entry, which the result names.
  const texts = passage.kind === 'document' ? [{ from: 0, text: passage.text }] : linesOf(passage)
  const best = texts
    .map(({ from, text }) => ({ from, ...snippet(text, { terms, language: passage.language }) }))
    .reduce((a, b) => (b.marks.length > a.marks.length ? b : a))
  const quote = quoteOf(passage, { start: best.from + best.start, end: best.from + best.end })
  if (quote === null) return []
  return [{ quote, marks: best.marks.map(([start, end]) => [start - best.start, end - best.start]) }]
}

const linesOf = ({ lines }: Extract<Passage, { kind: 'meeting' }>) =>
  lines.map(({ entry, start, end, textStart }) => ({ from: textStart, text: entry.text.slice(start, end) }))
