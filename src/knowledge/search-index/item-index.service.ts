import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { newId } from '../../kernel/ids.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { indexTerms } from '../../retrieval/words/index-terms.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import {
  deleteItems,
  deleteStaged,
  type IndexedChunk,
  type IndexedItem,
  type ItemKind,
  insertChunks,
  insertStagedItem,
  lockItem,
  lockLiveItems,
  makeLive,
} from './indexed-item.store.ts'
import { lexemePrefix, tsVectorText } from './lexeme.rules.ts'
import { addCounts, removeCounts } from './term-count.store.ts'
import { countTerms, termCountsText } from './term-counts.rules.ts'

/** A chunk that is to be found. */
export type ChunkToIndex = { text: string; headings: string[]; entries: IndexedChunk['entries'] }

export type ItemToIndex = {
  orgId: string
  sourceId: string
  itemId: string
  kind: ItemKind
  version: number
  title: string
  language: Language
  chunks: readonly ChunkToIndex[]
}

/** The chunks of one statement: about 150 terms each, which the embedded database indexes in some ten milliseconds. */
const batchChunks = 10

export type ItemIndex = ReturnType<typeof itemIndex>

/** Documents and transcripts, as search finds them. */
export function itemIndex({ clock }: { clock: Clock }) {
  /** Stores an item where nothing finds it. Returns its id in the index. */
  async function stage(scope: TenantScope, item: ItemToIndex): Promise<string> {
    const { orgId, title, language } = item
    const prefix = lexemePrefix(orgId)
    const pause = yieldPeriodically()
    const chunks: (IndexedChunk & { terms: ReadonlyMap<string, number[]> })[] = []
    for (const [ordinal, { text, headings, entries }] of item.chunks.entries()) {
      const { terms, length } = indexTerms({ title, headings, text, language })
      chunks.push({ ordinal, terms, vector: tsVectorText(prefix, terms), wordCount: length, entries })
      await pause()
    }
    const id = newId(clock.now())
    const wordCount = chunks.reduce((sum, chunk) => sum + chunk.wordCount, 0)
    const staged: IndexedItem = {
      ...item,
      id,
      chunkCount: chunks.length,
      wordCount,
      terms: termCountsText(countTerms(chunks)),
    }
    await insertStagedItem(scope, staged, clock.now())
    for (let from = 0; from < chunks.length; from += batchChunks) {
      await insertChunks(scope, { id, orgId }, chunks.slice(from, from + batchChunks))
      await pause()
    }
    return id
  }

  /** From the commit on the staged item is found, in place of what was found of the same document or meeting. */
  async function publish(tx: TenantScope, { id, sourceId }: { id: string; sourceId: string }): Promise<void> {
    const item = await lockItem(tx, id)
    if (item === null) throw new Error('What was staged for search is gone. It must be staged again.')
    await removeLive(tx, [item.itemId])
    await makeLive(tx, { id, sourceId })
    await addCounts(tx, { ...item, sourceId })
  }

  /** Nothing of these documents and meetings is found any more. */
  async function remove(tx: TenantScope, itemIds: readonly string[]): Promise<void> {
    await removeLive(tx, itemIds)
    await deleteStaged(tx, itemIds)
  }

  async function removeLive(tx: TenantScope, itemIds: readonly string[]): Promise<void> {
    const items = await lockLiveItems(tx, itemIds)
    await deleteItems(
      tx,
      items.map(({ id }) => id),
    )
    for (const item of items) await removeCounts(tx, item)
  }

  /** The same item in another source. */
  async function move(tx: TenantScope, { itemId, toSourceId }: { itemId: string; toSourceId: string }): Promise<void> {
    const [item] = await lockLiveItems(tx, [itemId])
    if (item === undefined || item.sourceId === toSourceId) return
    await removeCounts(tx, item)
    await makeLive(tx, { id: item.id, sourceId: toSourceId })
    await addCounts(tx, { ...item, sourceId: toSourceId })
  }

  return {
    stage: (scope: TenantScope, item: ItemToIndex) => stage(scope, item),
    publish: (tx: TenantScope, staged: { id: string; sourceId: string }) =>
      transaction(tx, (own) => publish(own, staged)),
    remove,
    move,
  }
}
