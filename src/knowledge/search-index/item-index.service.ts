import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { newId } from '../../kernel/ids.ts'
import { indexTerms } from '../../retrieval/words/index-terms.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import {
  completeStaged,
  deleteItems,
  deleteStaged,
  deleteUnpublished,
  type IndexedChunk,
  insertChunks,
  insertStagedItem,
  lockItem,
  lockLiveItems,
  makeLive,
} from './indexed-item.store.ts'
import { type Extension, extendItem } from './item-extension.ts'
import type { ItemToIndex } from './item-to-index.ts'
import { lexemePrefix, tsVectorText } from './lexeme.rules.ts'
import { addCounts, removeCounts } from './term-count.store.ts'
import { countTerms, termCountsText } from './term-counts.rules.ts'

/** The terms of one statement, about: the embedded database indexes them in some ten milliseconds. */
const batchTerms = 600
const batchChunksMax = 50

export type ItemIndex = ReturnType<typeof itemIndex>

/** Documents and transcripts, as search finds them. */
export function itemIndex({
  clock,
  onPublished = async () => undefined,
}: {
  clock: Clock
  /** Joins the transaction from whose commit on the item is found. */
  onPublished?: (tx: TenantScope, indexedId: string) => Promise<void>
}) {
  /**
   * Stores an item where nothing finds it. Returns its id in the index, or null if the document or meeting is gone. Whatever
   * erases it later erases what was staged with it.
   */
  async function stage(scope: TenantScope, item: ItemToIndex): Promise<string | null> {
    const id = newId(clock.now())
    const begun = { ...item, id, chunkCount: 0, wordCount: 0, terms: '', lastChange: item.lastChange ?? null }
    if (!(await insertStagedItem(scope, begun, clock.now()))) return null
    try {
      return (await stageChunks(scope, { id, item })) ? id : null
    } catch (error) {
      await deleteUnpublished(scope, id)
      throw error
    }
  }

  /** Returns whether the staged item is still there. */
  async function stageChunks(scope: TenantScope, { id, item }: { id: string; item: ItemToIndex }): Promise<boolean> {
    const { orgId, title, language, chunks } = item
    const prefix = lexemePrefix(orgId)
    const pause = yieldPeriodically()
    const counts = new Map<string, number>()
    let wordCount = 0
    let batch: IndexedChunk[] = []
    let termCount = 0
    for (const [ordinal, { text, headings, entries }] of chunks.entries()) {
      const { terms, length } = indexTerms({ title, headings, text, language })
      countTerms(counts, terms)
      batch.push({ ordinal, vector: tsVectorText(prefix, terms), wordCount: length, entries })
      wordCount += length
      termCount += terms.size
      await pause()
      if (termCount < batchTerms && batch.length < batchChunksMax && ordinal < chunks.length - 1) continue
      if (!(await insertChunks(scope, { id, orgId }, batch))) return false
      batch = []
      termCount = 0
      await pause()
    }
    const terms = await termCountsText(counts, pause)
    return completeStaged(scope, { id, chunkCount: chunks.length, wordCount, terms })
  }

  /** From the commit on the staged item is found, in place of what was found of the same document or meeting. */
  async function publish(tx: TenantScope, { id, sourceId }: { id: string; sourceId: string }): Promise<void> {
    const item = await lockItem(tx, id)
    if (item === null) throw new Error('What was staged for search is gone. It must be staged again.')
    await removeLive(tx, [item.itemId])
    await makeLive(tx, { id, sourceId })
    await addCounts(tx, { ...item, sourceId })
    await onPublished(tx, id)
  }

  /** These documents and meetings can no longer be found. */
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

  /** Replaces the last chunks of an item, unless it has changed since it was read: then returns false. */
  async function extend(
    tx: TenantScope,
    known: { id: string; lastChange: number },
    extension: Extension,
  ): Promise<boolean> {
    const item = await lockItem(tx, known.id)
    if (item === null || item.lastChange !== known.lastChange) return false
    await extendItem(tx, item, extension)
    await onPublished(tx, item.id)
    return true
  }

  return {
    stage,
    extend,
    /** Deletes what was staged, unless it was published. */
    unstage: deleteUnpublished,
    publish: (tx: TenantScope, staged: { id: string; sourceId: string }) =>
      transaction(tx, (own) => publish(own, staged)),
    remove,
    move,
  }
}
