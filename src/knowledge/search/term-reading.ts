import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { nearbySpellings } from '../../retrieval/query/nearby-spellings.ts'
import type { CountedTerm, QueryTerm } from '../../retrieval/query/query.ts'
import { wordForms } from '../../retrieval/query/query-terms.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { countChunks } from './candidate.store.ts'
import type { Asking, Visibility } from './visible.store.ts'

/** `corrected`: words that occur nowhere, and as what they were read. `read`: a word as it was read, within a phrase too. */
export type ReadTerms = {
  terms: CountedTerm[]
  corrected: Record<string, string>
  read(term: QueryTerm): QueryTerm
}

/** Each unknown word is some hundred spellings to look up. */
const correctedMax = 4
/** Those with most text. Each spelling has another stem in each language. */
const languagesMax = 3

/** Counts the terms of a query. A word that occurs nowhere is read as the most frequent word that is one letter away. */
export async function readTerms(
  { visible, languages }: { visible: Visibility; languages: readonly Language[] },
  { scope, asking }: { scope: TenantScope; asking: Asking },
  terms: readonly QueryTerm[],
): Promise<ReadTerms> {
  const counts = await countChunks(
    visible,
    scope,
    asking,
    terms.flatMap(({ forms }) => forms),
  )
  const unknown = terms.filter((term) => !term.isCommon && total(counts, term) === 0).slice(0, correctedMax)
  const candidates = new Map<string, QueryTerm[]>()
  const pause = yieldPeriodically()
  for (const { word } of unknown) candidates.set(word, await spellings(word, languages.slice(0, languagesMax), pause))
  const nearby = await countChunks(
    visible,
    scope,
    asking,
    [...candidates.values()].flat().flatMap(({ forms }) => forms),
  )
  const corrected: Record<string, string> = {}
  const replaced = new Map<string, QueryTerm>()
  const counted = terms.map((term) => {
    const best = mostFrequent(candidates.get(term.word) ?? [], nearby)
    if (best === null) return { ...term, chunkCount: total(counts, term) }
    corrected[term.word] = best.word
    replaced.set(term.word, best)
    return { ...best, chunkCount: total(nearby, best) }
  })
  return { terms: counted, corrected, read: (term) => replaced.get(term.word) ?? term }
}

/** A long word has some thousand, which takes tens of milliseconds. */
async function spellings(
  word: string,
  languages: readonly Language[],
  pause: () => Promise<void>,
): Promise<QueryTerm[]> {
  const found: QueryTerm[] = []
  for (const near of nearbySpellings(word)) {
    found.push({ word: near, forms: wordForms(near, languages), isCommon: false })
    await pause()
  }
  return found
}

function mostFrequent(candidates: readonly QueryTerm[], counts: ReadonlyMap<string, number>): QueryTerm | null {
  let best: QueryTerm | null = null
  for (const candidate of candidates)
    if (total(counts, candidate) > (best === null ? 0 : total(counts, best))) best = candidate
  return best
}

function total(counts: ReadonlyMap<string, number>, { forms }: QueryTerm): number {
  return forms.reduce((sum, form) => sum + (counts.get(form) ?? 0), 0)
}
