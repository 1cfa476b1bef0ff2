import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { indexTerms } from '../../retrieval/words/index-terms.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { completeExtension, countTermsOfRest, deleteRest } from './extended-item.store.ts'
import { type IndexedChunk, type IndexedItem, insertChunks } from './indexed-item.store.ts'
import type { ItemToIndex } from './item-to-index.ts'
import { lexemePrefix, tsVectorText } from './lexeme.rules.ts'
import { changeCounts } from './term-count.store.ts'
import { countTerms, termBatches, termCountsText } from './term-counts.rules.ts'

export type Extension = Pick<ItemToIndex, 'title' | 'version' | 'language' | 'chunks'> & {
  lastChange: number
  /** The chunks from here on are replaced. */
  fromOrdinal: number
}

const batchTerms = 5000

/** Replaces the last chunks of a locked item, whose source is locked too. */
export async function extendItem(tx: TenantScope, item: IndexedItem, extension: Extension): Promise<void> {
  const { version, lastChange, fromOrdinal } = extension
  const { id } = item
  const rest = { id, fromOrdinal }
  const prefix = lexemePrefix(item.orgId)
  const pause = yieldPeriodically()
  const counts = new Map<string, number>()
  for (const batch of termBatches(item.terms, batchTerms)) {
    for (const [index, term] of batch.terms.entries()) counts.set(term, batch.counts[index] ?? 0)
    await pause()
  }
  const changed = new Map<string, number>()
  for (const { term, count } of await countTermsOfRest(tx, rest, prefix.length)) {
    changed.set(term, -count)
    const left = (counts.get(term) ?? 0) - count
    if (left > 0) counts.set(term, left)
    else counts.delete(term)
  }
  const removedWords = await deleteRest(tx, rest)
  const added: IndexedChunk[] = []
  for (const [index, { text, headings, entries }] of extension.chunks.entries()) {
    const { terms, length } = indexTerms({ ...extension, text, headings })
    countTerms(counts, terms)
    for (const term of terms.keys()) changed.set(term, (changed.get(term) ?? 0) + 1)
    added.push({ ordinal: fromOrdinal + index, vector: tsVectorText(prefix, terms), wordCount: length, entries })
    await pause()
  }
  if (added.length > 0) await insertChunks(tx, item, added)
  const words = sum(added.map(({ wordCount }) => wordCount)) - sum(removedWords)
  const chunks = added.length - removedWords.length
  const terms = new Map([...changed].sort(([a], [b]) => (a < b ? -1 : 1)))
  await changeCounts(tx, item, { chunks, words, terms })
  const [chunkCount, wordCount] = [item.chunkCount + chunks, item.wordCount + words]
  const text = await termCountsText(counts, pause)
  await completeExtension(tx, { id, version, lastChange, chunkCount, wordCount, terms: text })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
